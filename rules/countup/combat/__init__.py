"""One attack or shot, its exact chances, reach and facing, what attacks leave."""
