"""`make production-check URL=…`: asks a deployed shop what must hold, and names what mends a failure."""
