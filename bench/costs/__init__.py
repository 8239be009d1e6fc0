"""What a shirt, a design and a month cost: counted requests, rows, bytes and vendor calls, times dated prices."""
