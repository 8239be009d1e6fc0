"""HTTP in: connections within limits, the fast path, services mounted, keys checked, access log, metrics."""
