"""auth.outbox: mails leave in the background, are tried again, and never without bound."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from typing import cast

import aiosmtplib
import pytest
from localbase.auth.errors import AuthError
from localbase.auth.messages.message import Mail, Message
from localbase.auth.messages.outbox import Outbox
from localbase.auth.messages.send_hooks import Delivery

MAIL = Mail("recovery", "ann@example.com", {})


class FakeMailer:
    """A mail server: `failures` are raised first, and `gate` holds every mail up until it is set."""

    def __init__(self, *failures: Exception, is_open: bool = True) -> None:
        self.failures = list(failures)
        self.gate = asyncio.Event()
        self.sent: list[Message] = []
        self.tries: list[float] = []
        self.at_once = self.most_at_once = 0
        if is_open:
            self.gate.set()

    def prepare(self, messages: Sequence[Message]) -> Sequence[Message]:
        return messages

    async def deliver(self, message: Message) -> None:
        self.tries.append(time.monotonic())
        self.at_once += 1
        self.most_at_once = max(self.at_once, self.most_at_once)
        try:
            await self.gate.wait()
        finally:
            self.at_once -= 1
        if self.failures:
            raise self.failures.pop(0)
        self.sent.append(message)


def outbox(mailer: FakeMailer, room: int = 1000, pauses: tuple[float, ...] = (0.01, 0.02)) -> Outbox:
    return Outbox(cast(Delivery, mailer), room=room, pauses=pauses)


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not holds():  # noqa: ASYNC110 - nothing else says that a mail has left
            await asyncio.sleep(0)


def test_put_returns_before_the_mail_has_left() -> None:
    async def play() -> None:
        mailer = FakeMailer(is_open=False)
        box = outbox(mailer)
        box.put(MAIL)
        assert mailer.sent == []
        mailer.gate.set()
        await _until(lambda: mailer.sent == [MAIL])

    asyncio.run(play())


def test_mail_is_tried_again_with_growing_pauses() -> None:
    async def play() -> None:
        mailer = FakeMailer(ConnectionRefusedError(), aiosmtplib.SMTPServerDisconnected("gone"))
        box = outbox(mailer, pauses=(0.05, 0.15))
        box.put(MAIL)
        await _until(lambda: mailer.sent == [MAIL])
        first, second, third = mailer.tries
        assert 0.05 <= second - first < 0.15 <= third - second

    asyncio.run(play())


def test_mail_is_given_up_after_the_last_pause(caplog: pytest.LogCaptureFixture) -> None:
    async def play() -> None:
        mailer = FakeMailer(*[OSError("away")] * 9)
        box = outbox(mailer)
        box.put(MAIL)
        await _until(lambda: "could not be sent" in caplog.text)
        assert len(mailer.tries) == 3
        assert "ann@example.com" not in caplog.text

    asyncio.run(play())


def test_final_refusal_of_the_server_is_not_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    async def play() -> None:
        rejected = aiosmtplib.SMTPRecipientRefused(550, "no such user", "ann@example.com")
        mailer = FakeMailer(aiosmtplib.SMTPRecipientsRefused([rejected]))
        box = outbox(mailer)
        box.put(MAIL)
        await _until(lambda: "a message (recovery) could not be sent: recipient refused (550)" in caplog.text)
        assert len(mailer.tries) == 1
        assert "ann@example.com" not in caplog.text

    asyncio.run(play())


def test_full_outbox_refuses_before_anything_is_written(caplog: pytest.LogCaptureFixture) -> None:
    async def play() -> None:
        mailer = FakeMailer(is_open=False)
        box = outbox(mailer, room=3)
        box.put(MAIL, MAIL)
        box.require_room("recovery")
        box.put(MAIL)
        assert not box.has_room()
        with pytest.raises(AuthError) as caught:
            box.require_room("recovery")
        assert (caught.value.status, caught.value.code, caught.value.message) == (
            500,
            "unexpected_failure",
            "Error sending recovery email",
        )
        assert "the outbox is full" in caplog.text
        mailer.gate.set()
        await _until(lambda: len(mailer.sent) == 3)
        await _until(box.has_room)

    asyncio.run(play())


def test_outbox_never_grows_without_bound(caplog: pytest.LogCaptureFixture) -> None:
    async def play() -> None:
        mailer = FakeMailer(is_open=False)
        box = outbox(mailer, room=3)
        box.put(*[MAIL] * 200)
        assert "was given up" in caplog.text
        mailer.gate.set()
        await box.close()
        assert len(mailer.sent) == 103

    asyncio.run(play())


def test_few_connections_are_open_at_once() -> None:
    async def play() -> None:
        mailer = FakeMailer(is_open=False)
        box = outbox(mailer)
        box.put(*[MAIL] * 20)
        await _until(lambda: mailer.at_once == 4)
        mailer.gate.set()
        await box.close()
        assert (mailer.most_at_once, len(mailer.sent)) == (4, 20)

    asyncio.run(play())


def test_closing_sends_what_waits_without_its_pause() -> None:
    async def play() -> None:
        mailer = FakeMailer(OSError("away"))
        box = outbox(mailer, pauses=(60.0,))
        box.put(MAIL)
        await _until(lambda: not mailer.failures)
        began = time.monotonic()
        await box.close()
        assert mailer.sent == [MAIL]
        assert time.monotonic() - began < 1

    asyncio.run(play())


def test_closing_ends_in_time_and_logs_what_is_lost(caplog: pytest.LogCaptureFixture) -> None:
    async def play() -> None:
        mailer = FakeMailer(is_open=False)
        box = Outbox(cast(Delivery, mailer), seconds_to_drain=0.05)
        box.put(MAIL, MAIL)
        began = time.monotonic()
        await box.close()
        assert time.monotonic() - began < 1
        assert mailer.sent == []
        assert "2 messages have not been sent" in caplog.text

    caplog.set_level(logging.ERROR)
    asyncio.run(play())
