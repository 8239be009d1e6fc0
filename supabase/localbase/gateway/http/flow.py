"""When a connection's socket is read."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.flow_control import FlowControl


class Flow(FlowControl):
    """uvicorn's, which reads on whenever the application asks for more of a body.

    Here it does not while a part that has come `waits` for its turn: whoever takes the last of it reads on.
    """

    def __init__(self, transport: asyncio.Transport) -> None:
        super().__init__(transport)
        self.waits = False

    def resume_reading(self) -> None:
        """Reads on, unless something waits."""
        if not self.waits:
            super().resume_reading()
