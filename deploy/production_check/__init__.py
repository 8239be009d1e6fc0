"""`make production-check URL=…`: checks what must hold of a deployed shop, and names what mends a failure."""
