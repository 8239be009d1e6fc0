"""The outbox: mails leave after the response, tried again with growing pauses. It is bounded, and in memory.

A mail server that is slow or away holds up no request, and no response's time tells whether a mail was sent.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging

import aiosmtplib

from localbase.auth.errors import AuthError
from localbase.auth.messages.message import Message, Sms
from localbase.auth.messages.send_hooks import Delivery

_log = logging.getLogger("localbase.auth")
ROOM = 1000
# Requests that were let in while there was room add theirs after it; and notices are worth less than links.
_OVERSHOOT = 100
_AT_ONCE = 4
_PAUSES = (2.0, 8.0, 30.0, 80.0)


class Outbox:
    """Sends what is put in, in tasks of the running loop. `pauses` are between one try and the next.

    `seconds_to_drain` is how long the end of the service waits for mails that have not left.
    """

    def __init__(
        self,
        delivery: Delivery,
        *,
        room: int = ROOM,
        pauses: tuple[float, ...] = _PAUSES,
        seconds_to_drain: float = 5.0,
    ) -> None:
        self._delivery = delivery
        self._room = room
        self._pauses = pauses
        self._seconds_to_drain = seconds_to_drain
        self._sending: set[asyncio.Task[None]] = set()
        self._connections = asyncio.Semaphore(_AT_ONCE)
        self._closing = asyncio.Event()

    def require_room(self, what: str) -> None:
        """Raises 500 when too many messages wait: before anything is written for one that could not be sent."""
        if not self.has_room():
            _log.error("the outbox is full: %s messages wait for the mail server", len(self._sending))
            raise AuthError(500, "unexpected_failure", f"Error sending {what} email")

    def has_room(self) -> bool:
        """Tell whether a message can be taken."""
        return len(self._sending) < self._room

    def put(self, *messages: Message) -> None:
        """Sends them, soon. Returns at once."""
        for message in self._delivery.prepare(messages):
            if len(self._sending) >= self._room + _OVERSHOOT:
                _log.error("the outbox is full: a message (%s) was given up", _name(message))
                continue
            task = asyncio.create_task(self._send(message))
            self._sending.add(task)
            task.add_done_callback(self._ended)

    async def close(self) -> None:
        """Tries what waits once more, without pauses, for a few seconds; what has not left then is lost and logged."""
        self._closing.set()
        if self._sending:
            _, lost = await asyncio.wait(self._sending, timeout=self._seconds_to_drain)
            for task in lost:
                task.cancel()
            if lost:
                _log.error("%s messages have not been sent: the service has ended", len(lost))

    async def _send(self, message: Message) -> None:
        for pause in (*self._pauses, None):
            try:
                async with self._connections:
                    await self._delivery.deliver(message)
            except (aiosmtplib.SMTPException, OSError) as error:
                if pause is None or _is_final(error) or self._closing.is_set():
                    _log.error("a message (%s) could not be sent: %s", _name(message), _reason(error))
                    return
                _log.warning(
                    "a message (%s) will be tried again in %s s: %s", _name(message), pause, _reason(error)
                )
            else:
                return
            await self._pause(pause)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._sending.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("a message could not be written", exc_info=error)

    async def _pause(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._closing.wait()


def _name(message: Message) -> str:
    """For the log, without the address."""
    return "SMS" if isinstance(message, Sms) else message.kind


def _reason(error: Exception) -> str:
    """For the log too: mail servers repeat the address in what they say."""
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        return f"recipient refused ({', '.join(str(recipient.code) for recipient in error.recipients)})"
    if isinstance(error, aiosmtplib.SMTPResponseException):
        return f"{type(error).__name__} ({error.code})"
    return str(error) or type(error).__name__


def _is_final(error: Exception) -> bool:
    """Tell whether the mail server has refused this mail for good (RFC 5321: codes from 500 on)."""
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        return all(recipient.code >= 500 for recipient in error.recipients)
    return isinstance(error, aiosmtplib.SMTPResponseException) and error.code >= 500
