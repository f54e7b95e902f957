"""The pictures of README and docs, each drawn anew from a record that stands beside this file."""
