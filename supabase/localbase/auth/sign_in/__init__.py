"""Sign-up and sign-in by password, code and link."""
