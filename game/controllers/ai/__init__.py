"""The computer's play: any side, through the contract alone, without a window."""
