"""Local stand-ins for the outside services, each speaking its vendor's own HTTP API."""
