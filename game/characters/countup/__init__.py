"""Heroes of Count-Up who last from evening to evening."""
