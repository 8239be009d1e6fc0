"""Plans of requests, as plain values that can be printed: worked out from the request and the catalog, without I/O."""
