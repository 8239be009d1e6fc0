"""WebAuthn."""
