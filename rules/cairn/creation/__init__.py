"""Making characters and what lasts of them between fights (cairn.md §5.4, §8)."""
