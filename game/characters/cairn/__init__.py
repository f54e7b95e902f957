"""Heroes of Cairn who last from evening to evening."""
