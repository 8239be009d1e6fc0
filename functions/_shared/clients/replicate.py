"""Replicate's HTTP API: run a model and fetch the picture at once, for outputs vanish within the hour."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable, Mapping
from typing import Any

import httpx

from _shared.errors import ShopError, unavailable

# Replicate holds a `Prefer: wait` for at most 60 s; a shopper waits for about 90 in all
_HOLD_SECONDS = 50
_PATIENCE_SECONDS = 100.0
_POLL_SECONDS = 1.0
_LARGEST_OUTPUT = 30_000_000
_ONGOING = ("starting", "processing")
_REFUSAL = "We can't draw that. Please describe your idea differently, or use another picture."


class Replicate:
    """`pause` waits between two looks at a running prediction, and `clock` tells how long it has taken."""

    def __init__(
        self,
        base: str,
        token: str,
        *,
        pause: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._base = base
        self._token = token
        self._pause = pause
        self._clock = clock
        self._http = httpx.Client(
            timeout=httpx.Timeout(_HOLD_SECONDS + 15.0, connect=5.0), transport=transport
        )

    def picture(self, model: str, inputs: Mapping[str, object]) -> bytes:
        """The bytes of the model's first output; 422 when the model's moderation refuses."""
        started = self._clock()
        found = self._api(
            "POST",
            f"/v1/models/{model}/predictions",
            json={"input": dict(inputs)},
            headers={"prefer": f"wait={_HOLD_SECONDS}"},
        )
        while found["status"] in _ONGOING:
            if self._clock() - started > _PATIENCE_SECONDS:
                raise unavailable(
                    "artist_unavailable", "This is taking too long. Please try again.", found["id"]
                )
            self._pause(_POLL_SECONDS)
            found = self._api("GET", f"/v1/predictions/{found['id']}")
        if found["status"] != "succeeded":
            raise _failed(found)
        outputs = found["output"] if isinstance(found["output"], list) else [found["output"]]
        if not outputs or not isinstance(outputs[0], str):
            raise _away("it succeeded without an output")
        return self._fetch(outputs[0])

    def _api(self, method: str, path: str, **sent: Any) -> dict[str, Any]:
        sent["headers"] = {**sent.get("headers", {}), "authorization": f"Bearer {self._token}"}
        try:
            answer = self._http.request(method, f"{self._base}{path}", **sent)
        except httpx.HTTPError as error:
            raise _away(error) from error
        if answer.status_code >= 400:
            raise _away(f"Replicate {answer.status_code}: {answer.text}")
        try:
            found: dict[str, Any] = answer.json()
        except ValueError as error:
            raise _away(error) from error
        return found

    def _fetch(self, address: str) -> bytes:
        if address.startswith("data:"):
            return base64.b64decode(address.partition(",")[2])
        # Deliberately without the token: an output may lie on any host.
        try:
            with self._http.stream("GET", address, follow_redirects=True) as answer:
                answer.raise_for_status()
                picture = bytearray()
                for chunk in answer.iter_bytes():
                    picture += chunk
                    if len(picture) > _LARGEST_OUTPUT:
                        raise _away("the output is larger than 30 MB")
        except httpx.HTTPError as error:
            raise _away(error) from error
        return bytes(picture)


def _failed(prediction: Mapping[str, Any]) -> ShopError:
    reason = str(prediction.get("error") or prediction["status"])
    if "sensitive" in reason.lower() or "E005" in reason:
        return ShopError(422, "prompt_refused", _REFUSAL, cause=reason)
    return _away(reason)


def _away(cause: object) -> ShopError:
    return unavailable(
        "artist_unavailable", "Something went wrong generating the image. Please try again.", cause
    )
