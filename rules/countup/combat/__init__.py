"""One attack or shot, its exact chances, reach and facing, who comes first, and what attacks leave: wounds."""
