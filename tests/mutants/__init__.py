"""Mutation testing of the rules: one small error at a time, and some test has to fail."""
