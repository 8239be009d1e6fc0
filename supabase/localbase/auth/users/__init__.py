"""Users, and the account that one has."""
