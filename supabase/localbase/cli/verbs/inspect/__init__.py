"""`inspect …`."""
