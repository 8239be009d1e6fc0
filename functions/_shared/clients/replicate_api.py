"""Replicate by its own library: upload a picture, run a model, fetch its output at once, before it vanishes.

The library waits for a prediction without a limit and reads outputs with the token, so both are done here.
"""

from __future__ import annotations

import base64
import io
import re
import time
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx

from _shared.core.errors import ShopError, prompt_refused, unavailable

if TYPE_CHECKING:
    from replicate.client import Client

# Replicate holds a `Prefer: wait` for at most 60 s; a shopper waits for about 90 in all
_HOLD_SECONDS = 50
_PATIENCE_SECONDS = 100.0
_TIMEOUT = httpx.Timeout(_HOLD_SECONDS + 15.0, connect=5.0)
_POLL_SECONDS = 1.0
_LONGEST_PAUSE = 10.0
_ATTEMPTS = 3
_LARGEST_OUTPUT = 60_000_000
# larger inputs go through the files API; data URIs are advised for small ones only
_LARGEST_INLINE = 256 * 1024
# of a hundred predictions each
_MOST_PAGES = 10
_ONGOING = ("starting", "processing")
# how the sample artist's errors end (emulators/artist): no vendor's
_NOT_ENGLISH = "(code: SAMPLE-LANGUAGE)"
_UNKNOWN_SIGNS = re.compile(r": (\S[^:]*) \(code: SAMPLE-SIGNS\)$")
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
        transport: httpx.BaseTransport,
    ) -> None:
        self._base = base
        self._token = token
        self._pause = pause
        self._clock = clock
        self._transport = _VendorTransport(base, transport, pause)
        # without the token: an output may lie on any host
        self._outputs = httpx.Client(timeout=_TIMEOUT, transport=transport, follow_redirects=True)

    def upload(self, picture: bytes, media_type: str) -> str:
        """The address under which a model may read `picture`: a data URI, or a file that expires within a day."""
        if len(picture) <= _LARGEST_INLINE:
            return f"data:{media_type};base64,{base64.b64encode(picture).decode('ascii')}"
        return self.store(picture, media_type)

    def store(self, picture: bytes, media_type: str) -> str:
        """The address of a file of its own, which no other prediction has among its inputs."""
        name = f"picture.{media_type.rpartition('/')[2]}"
        file = _ask(self._client().files.create, io.BytesIO(picture), filename=name, content_type=media_type)
        return str(file.urls["get"])

    def picture(self, model: str, inputs: Mapping[str, object]) -> bytes:
        """The bytes of the model's first output.

        422 when the model refuses; 502 when it fails, which it is given a second chance for, or takes
        longer than a shopper waits, in which case it is cancelled.
        """
        deadline = self._clock() + _PATIENCE_SECONDS
        prediction = self._predict(model, inputs, deadline)
        if prediction["status"] == "failed" and refusal_of(prediction) is None:
            prediction = self._predict(model, inputs, deadline)
        return self.output(prediction)

    def start(self, model: str, inputs: Mapping[str, object], most_seconds: int) -> str:
        """The id of a prediction, at once. After `most_seconds` the vendor ends it by itself."""
        return str(self._create(model, inputs, most_seconds)["id"])

    def prediction(self, id: str) -> Prediction:
        """As it is now."""
        return _plain(_ask(self._client().predictions.get, id))

    def cancel(self, id: str) -> None:
        _ask(self._client().predictions.cancel, id)

    def find(
        self, model: str, inputs: Mapping[str, object], since: datetime, without: Collection[str]
    ) -> str | None:
        """The id of a prediction with these inputs that was begun after `since`; not one of `without`.

        https://replicate.com/docs/reference/http#predictions.list: newest first, a hundred on each page.
        """
        following: tuple[str, ...] = ()
        for _ in range(_MOST_PAGES):
            page = _ask(self._client().predictions.list, *following)
            for each in page.results:
                if datetime.fromisoformat(each.created_at) < since:
                    return None
                if each.id not in without and each.model == model and _has(each.input or {}, inputs):
                    return str(each.id)
            if not page.next:
                return None
            # relative: the address that the vendor names may be behind another host than ours
            following = (f"/v1/predictions?{urlsplit(page.next).query}",)
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
        prediction = self._create(model, inputs, left, wait=min(_HOLD_SECONDS, left))
        while is_ongoing(prediction):
            if self._clock() > deadline:
                self.cancel(prediction["id"])
                raise took_too_long(prediction["id"])
            self._pause(_POLL_SECONDS)
            prediction = self.prediction(prediction["id"])
        return prediction

    def _create(self, model: str, inputs: Mapping[str, object], most_seconds: int, **held: int) -> Prediction:
        # the client has no parameter for it; it ends the work at the vendor's even if this process dies meanwhile
        client = self._client({"cancel-after": f"{most_seconds}s"})
        return _plain(_ask(client.models.predictions.create, model, dict(inputs), **held))

    def _client(self, headers: Mapping[str, str] | None = None) -> Client:
        from replicate.client import Client  # with NumPy 15 MB, and most sweeps have no picture to ask for

        return Client(
            self._token, base_url=self._base, transport=self._transport, headers=dict(headers or {})
        )

    def _fetch(self, address: str) -> bytes:
        if address.startswith("data:"):
            return base64.b64decode(address.partition(",")[2])
        try:
            with self._outputs.stream("GET", address) as response:
                response.raise_for_status()
                picture = bytearray()
                for chunk in response.iter_bytes():
                    picture += chunk
                    if len(picture) > _LARGEST_OUTPUT:
                        raise _away(f"the output is larger than {_LARGEST_OUTPUT // 1_000_000} MB")
        except httpx.HTTPError as error:
            raise _away(error) from error
        return bytes(picture)


class _VendorTransport(httpx.BaseTransport):
    """Sends what the library asks for: to the vendor's own host, within our time, again where that costs nothing.

    A failure leaves it as a `ShopError`. The library's repetitions around it, which wait as long as the vendor
    advises, therefore see nothing that they would repeat.
    """

    def __init__(self, base: str, inner: httpx.BaseTransport, pause: Callable[[float], None]) -> None:
        self._base = str(httpx.URL(f"{base}/v1/"))
        self._inner = inner
        self._pause = pause

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Reading is tried again after any error; running a model only if it cannot have begun."""
        if not str(request.url).startswith(self._base):
            raise _away(f"{request.url.host} is not the vendor's host")
        request.extensions["timeout"] = _TIMEOUT.as_dict()
        reads = request.method == "GET"
        passing = _PASSING if reads else _TURNED_AWAY
        for attempt in range(1, _ATTEMPTS + 1):
            delay = float(2 ** (attempt - 1))
            try:
                response = self._inner.handle_request(request)
                response.read()
            except httpx.HTTPError as error:
                if attempt == _ATTEMPTS or not (reads or isinstance(error, httpx.ConnectError)):
                    raise _away(error) from error
            else:
                if response.status_code not in passing or attempt == _ATTEMPTS:
                    return _known(response)
                delay = _advised(response, delay)
            self._pause(delay)
        raise AssertionError("the last attempt answers or raises")


def _known(response: httpx.Response) -> httpx.Response:
    """The response in the library's words: it fails on `aborted`, the status of what Cancel-After ended unbegun."""
    if response.status_code >= 400:
        raise _away(f"Replicate {response.status_code}: {response.text}")
    body = response.json()
    for each in (body, *body.get("results", ())):
        if each.get("status") == "aborted":
            each["status"] = "canceled"
    return httpx.Response(response.status_code, json=body)


def _advised(response: httpx.Response, otherwise: float) -> float:
    """Seconds to wait, as the vendor advises; never more than a shopper has patience for."""
    advice = response.headers.get("retry-after", "")
    return min(float(advice), _LONGEST_PAUSE) if advice.isdigit() else otherwise


def _ask(call: Callable[..., Any], *sent: object, **named: object) -> Any:
    """The call's result, by the library's untyped models."""
    try:
        return call(*sent, **named)
    except ValueError as error:  # the body is not JSON, or not what the library expects
        raise _away(error) from error


def _plain(prediction: Any) -> Prediction:
    values: Prediction = prediction.dict()
    return values


def _has(stored: Mapping[str, object], inputs: Mapping[str, object]) -> bool:
    return all(name in stored and stored[name] == value for name, value in inputs.items())


def is_ongoing(prediction: Prediction) -> bool:
    """Tell whether it has not ended."""
    return prediction["status"] in _ONGOING


def took_too_long(cause: object) -> ShopError:
    """For a prediction that a shopper has waited for long enough."""
    return unavailable("artist_unavailable", "This is taking too long. Please try again.", cause)


def refusal_of(prediction: Prediction) -> ShopError | None:
    """Return why the model will not draw this; None where another attempt may succeed."""
    reason = str(prediction.get("error") or "")
    if any(sign in reason.lower() for sign in ("sensitive", "e005", "moderation", "safety system", "nsfw")):
        return prompt_refused(reason)
    if reason.endswith(_NOT_ENGLISH):
        return ShopError(
            422,
            "idea_not_english",
            "The sample artist reads English, and this is another language. Please describe it in English; the text on "
            "the shirt may be in any.",
            cause=reason,
        )
    if unknown := _UNKNOWN_SIGNS.search(reason):
        return ShopError(
            422,
            "lettering_not_drawable",
            f"The sample artist has no letters for {unknown[1]}. Please leave them out of the text on the shirt.",
            cause=reason,
        )
    return None


def _failed(prediction: Prediction) -> ShopError:
    return refusal_of(prediction) or _away(prediction.get("error") or prediction["status"])


def _away(cause: object) -> ShopError:
    return unavailable(
        "artist_unavailable", "Something went wrong generating the image. Please try again.", cause
    )
