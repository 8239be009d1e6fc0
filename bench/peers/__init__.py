"""localbase beside its peers."""
