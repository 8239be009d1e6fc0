"""Outside providers of sign-in."""
