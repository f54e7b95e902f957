"""Traits of creatures: as data, and at work at the named moments of a fight (`rules.olde.state.Moments`)."""
