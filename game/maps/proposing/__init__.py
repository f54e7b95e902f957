"""What would be walls on a map that says nothing of them: found by what its maker left, and proposed."""
