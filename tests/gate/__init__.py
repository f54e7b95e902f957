"""The gate: what thousands of fights come to, kept as digests, for rebuilding the house without changing its rules."""
