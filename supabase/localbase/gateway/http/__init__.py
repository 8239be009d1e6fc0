"""HTTP/1.1 and WebSocket connections within limits, on uvicorn."""
