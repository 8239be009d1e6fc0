"""The costs of a shirt, a design and a month: counted requests, rows, bytes and vendor calls, times dated prices."""
