"""Replicate's HTTP API: upload a picture, run a model, fetch what it made at once: outputs vanish within the hour."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import httpx

from _shared.core.errors import ShopError, prompt_refused, unavailable

# Replicate holds a `Prefer: wait` for at most 60 s; a shopper waits for about 90 in all
_HOLD_SECONDS = 50
_PATIENCE_SECONDS = 100.0
_POLL_SECONDS = 1.0
_LONGEST_PAUSE = 10.0
_ATTEMPTS = 3
_LARGEST_OUTPUT = 60_000_000
# larger inputs go through the files API; data URIs are advised for small ones only
_LARGEST_INLINE = 256 * 1024
# of a hundred predictions each
_MOST_PAGES = 10
_ONGOING = ("starting", "processing")
# the vendor turned the call away before any model ran: nothing was charged
_TURNED_AWAY = (429, 503)
_PASSING = (*_TURNED_AWAY, 500, 502, 504)

Prediction = Mapping[str, Any]


class Replicate:
    """`pause` waits before the next look or attempt, and `clock` measures how long it has taken."""

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

    def upload(self, picture: bytes, media_type: str) -> str:
        """The address under which a model may read `picture`: a data URI, or a file that expires within a day."""
        if len(picture) <= _LARGEST_INLINE:
            return f"data:{media_type};base64,{base64.b64encode(picture).decode('ascii')}"
        return self.store(picture, media_type)

    def store(self, picture: bytes, media_type: str) -> str:
        """The address of a file of its own, which no other prediction has among its inputs."""
        name = f"picture.{media_type.rpartition('/')[2]}"
        file = self._request("POST", "/v1/files", files={"content": (name, picture, media_type)})
        return str(file["urls"]["get"])

    def picture(self, model: str, inputs: Mapping[str, object]) -> bytes:
        """The bytes of the model's first output.

        422 when the model's moderation refuses; 502 when it fails, which it is given a second chance for, or takes
        longer than a shopper waits, in which case it is cancelled.
        """
        deadline = self._clock() + _PATIENCE_SECONDS
        prediction = self._predict(model, inputs, deadline)
        if prediction["status"] == "failed" and not is_refusal(prediction):
            prediction = self._predict(model, inputs, deadline)
        return self.output(prediction)

    def start(self, model: str, inputs: Mapping[str, object], most_seconds: int) -> str:
        """The id of a prediction, at once. After `most_seconds` the vendor ends it by itself."""
        headers = {"cancel-after": f"{most_seconds}s"}
        started = self._request(
            "POST", f"/v1/models/{model}/predictions", json={"input": dict(inputs)}, headers=headers
        )
        return str(started["id"])

    def prediction(self, id: str) -> Prediction:
        """As it is now."""
        return self._request("GET", f"/v1/predictions/{id}")

    def cancel(self, id: str) -> None:
        self._request("POST", f"/v1/predictions/{id}/cancel")

    def find(
        self, model: str, inputs: Mapping[str, object], since: datetime, without: Collection[str]
    ) -> str | None:
        """The id of a prediction with these inputs that was begun after `since`; not one of `without`.

        https://replicate.com/docs/reference/http#predictions.list: newest first, a hundred on each page.
        """
        address = "/v1/predictions"
        for _ in range(_MOST_PAGES):
            page = self._request("GET", address)
            for each in page["results"]:
                if datetime.fromisoformat(each["created_at"]) < since:
                    return None
                if each["id"] not in without and each["model"] == model and _has(each["input"], inputs):
                    return str(each["id"])
            following = page.get("next")
            if not following:
                return None
            # relative: the token goes to no other host than ours
            address = f"/v1/predictions?{urlsplit(str(following)).query}"
        return None

    def output(self, prediction: Prediction) -> bytes:
        """The bytes of the first output of a prediction that has ended; 422 or 502 when it has none."""
        if prediction["status"] != "succeeded":
            raise _failed(prediction)
        outputs = prediction["output"] if isinstance(prediction["output"], list) else [prediction["output"]]
        if not outputs or not isinstance(outputs[0], str):
            raise _away("it succeeded without an output")
        return self._fetch(outputs[0])

    def _predict(self, model: str, inputs: Mapping[str, object], deadline: float) -> Prediction:
        """A prediction that has ended."""
        left = max(int(deadline - self._clock()), 5)
        prediction = self._request(
            "POST",
            f"/v1/models/{model}/predictions",
            json={"input": dict(inputs)},
            # Cancel-After ends the work at the vendor's even if this process dies meanwhile
            headers={"prefer": f"wait={min(_HOLD_SECONDS, left)}", "cancel-after": f"{left}s"},
        )
        while is_ongoing(prediction):
            if self._clock() > deadline:
                self.cancel(prediction["id"])
                raise took_too_long(prediction["id"])
            self._pause(_POLL_SECONDS)
            prediction = self.prediction(prediction["id"])
        return prediction

    def _request(self, method: str, path: str, **sent: Any) -> Prediction:
        """The response's JSON. Reading is tried again after any error; running a model only if it cannot have begun."""
        reads = method == "GET"
        passing = _PASSING if reads else _TURNED_AWAY
        sent["headers"] = {**sent.get("headers", {}), "authorization": f"Bearer {self._token}"}
        for attempt in range(1, _ATTEMPTS + 1):
            delay = float(2 ** (attempt - 1))
            try:
                response = self._http.request(method, f"{self._base}{path}", **sent)
            except httpx.HTTPError as error:
                if attempt == _ATTEMPTS or not (reads or isinstance(error, httpx.ConnectError)):
                    raise _away(error) from error
            else:
                if response.status_code not in passing or attempt == _ATTEMPTS:
                    return _body(response)
                delay = _advised(response, delay)
            self._pause(delay)
        raise AssertionError("the last attempt answers or raises")

    def _fetch(self, address: str) -> bytes:
        if address.startswith("data:"):
            return base64.b64decode(address.partition(",")[2])
        # Deliberately without the token: an output may lie on any host.
        try:
            with self._http.stream("GET", address, follow_redirects=True) as response:
                response.raise_for_status()
                picture = bytearray()
                for chunk in response.iter_bytes():
                    picture += chunk
                    if len(picture) > _LARGEST_OUTPUT:
                        raise _away(f"the output is larger than {_LARGEST_OUTPUT // 1_000_000} MB")
        except httpx.HTTPError as error:
            raise _away(error) from error
        return bytes(picture)


def _advised(response: httpx.Response, otherwise: float) -> float:
    """Seconds to wait, as the vendor advises; never more than a shopper has patience for."""
    advice = response.headers.get("retry-after", "")
    return min(float(advice), _LONGEST_PAUSE) if advice.isdigit() else otherwise


def _body(response: httpx.Response) -> Prediction:
    if response.status_code >= 400:
        raise _away(f"Replicate {response.status_code}: {response.text}")
    try:
        content: Prediction = response.json()
    except ValueError as error:
        raise _away(error) from error
    return content


def _has(stored: Mapping[str, object], inputs: Mapping[str, object]) -> bool:
    return all(name in stored and stored[name] == value for name, value in inputs.items())


def is_ongoing(prediction: Prediction) -> bool:
    """Whether it has not ended."""
    return prediction["status"] in _ONGOING


def took_too_long(cause: object) -> ShopError:
    """For a prediction that a shopper has waited for long enough."""
    return unavailable("artist_unavailable", "This is taking too long. Please try again.", cause)


def is_refusal(prediction: Prediction) -> bool:
    """Whether the model's moderation ended it."""
    reason = str(prediction.get("error") or "").lower()
    return any(sign in reason for sign in ("sensitive", "e005", "moderation", "safety system", "nsfw"))


def _failed(prediction: Prediction) -> ShopError:
    reason = str(prediction.get("error") or prediction["status"])
    if is_refusal(prediction):
        return prompt_refused(reason)
    return _away(reason)


def _away(cause: object) -> ShopError:
    return unavailable(
        "artist_unavailable", "Something went wrong generating the image. Please try again.", cause
    )
