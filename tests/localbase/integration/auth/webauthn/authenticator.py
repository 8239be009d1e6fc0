"""An authenticator app, and the calls by which a user enrols and proves it."""

from __future__ import annotations

from typing import Any

import httpx
import pyotp

from tests.localbase.integration.auth.calls import call
from tests.localbase.integration.auth.own_service import MovableClock
from tests.support.stacks import Stack


class App:
    """Shows codes for one key. Each is of a time step that no code was shown for before: the clock is moved on."""

    def __init__(self, secret: str, clock: MovableClock) -> None:
        self._totp = pyotp.TOTP(secret)
        self._clock = clock
        # To the beginning of a time step: no test ends in another one than it began in.
        clock.ahead += 30 - clock() % 30

    def code(self) -> str:
        """A code that counts."""
        self._clock.ahead += 30
        return self.repeated()

    def repeated(self, steps: int = 0) -> str:
        """The code of the present time step, or of one that is `steps` away."""
        return self._totp.at(self._clock(), counter_offset=steps)

    def wrong(self) -> str:
        """A code of no time step near the present one."""
        good = {self.repeated(steps) for steps in range(-3, 4)}
        return next(code for code in ("000000", "111111", "222222") if code not in good)


def enroll(stack: Stack, session: dict[str, Any], **body: Any) -> httpx.Response:
    """`POST /factors`."""
    return call(stack, "POST", "/factors", session["access_token"], json={"factor_type": "totp"} | body)


def challenge(stack: Stack, session: dict[str, Any], factor_id: str, **body: Any) -> httpx.Response:
    """`POST /factors/{id}/challenge`."""
    return call(stack, "POST", f"/factors/{factor_id}/challenge", session["access_token"], json=body)


def verify(stack: Stack, session: dict[str, Any], factor_id: str, **body: Any) -> httpx.Response:
    """`POST /factors/{id}/verify`; without `challenge_id` of a new challenge."""
    if "challenge_id" not in body:
        body["challenge_id"] = challenge(stack, session, factor_id).json()["id"]
    return call(stack, "POST", f"/factors/{factor_id}/verify", session["access_token"], json=body)


def unenroll(stack: Stack, session: dict[str, Any], factor_id: str) -> httpx.Response:
    """`DELETE /factors/{id}`."""
    return call(stack, "DELETE", f"/factors/{factor_id}", session["access_token"])


def verified_app(
    stack: Stack, clock: MovableClock, session: dict[str, Any], name: str = "phone"
) -> tuple[str, App, dict[str, Any]]:
    """A factor that has been verified: its id, its app, and the session, now of aal2."""
    factor = enroll(stack, session, friendly_name=name)
    assert factor.status_code == 200, factor.text
    app = App(factor.json()["totp"]["secret"], clock)
    factor_id = str(factor.json()["id"])
    raised = verify(stack, session, factor_id, code=app.code())
    assert raised.status_code == 200, raised.text
    return factor_id, app, dict(raised.json())
