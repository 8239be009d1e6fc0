"""API keys and JSON Web Tokens."""
