"""HTTP and WebSockets, as every service and server has them."""
