"""Sign-in at an outside provider."""
