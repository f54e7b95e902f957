"""The heroes as one party: who goes with whom, how an order becomes commands one after another, and when it stops.

Nothing here knows a window or a ruleset by name: all is asked of the contract. What comes out are ordinary actions.
"""
