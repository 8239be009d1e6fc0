"""Replicate's client: runs, waits, retries where that costs nothing, and distinguishes refusals from failures."""

import base64
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from _shared.clients.replicate_api import Replicate
from _shared.core.errors import ShopError

from tests.shop.unit.functions.network import NETWORK_DOWN, Outcome, error_of, transport

DONE_URL = "data:image/png;base64," + base64.b64encode(b"PNG").decode()

FILE: dict[str, Any] = {
    "id": "f",
    "name": "picture.png",
    "content_type": "image/png",
    "size": 300_000,
    "etag": "e",
    "checksums": {},
    "metadata": {},
    "created_at": "2026-11-22T12:00:00Z",
    "expires_at": None,
    "urls": {"get": "http://models/v1/files/f"},
}


class Time:
    """A clock that moves when the client waits."""

    def __init__(self) -> None:
        self.now = 0.0
        self.pauses: list[float] = []

    def pause(self, seconds: float) -> None:
        self.now += seconds
        self.pauses.append(seconds)

    def clock(self) -> float:
        return self.now


def replicate(
    *responses: Outcome, seen: list[httpx.Request] | None = None, time: Time | None = None
) -> Replicate:
    time = time or Time()
    return Replicate(
        "http://models", "r8", pause=time.pause, clock=time.clock, transport=transport(*responses, seen=seen)
    )


def prediction(status: str, **more: Any) -> httpx.Response:
    values: dict[str, Any] = {
        "id": "p1",
        "model": "a/b",
        "version": "hidden",
        "input": {},
        "output": None,
        "error": None,
    }
    return httpx.Response(201, json={**values, "status": status, **more})


def done() -> httpx.Response:
    return prediction("succeeded", output=DONE_URL)


def from_text(models: Replicate) -> bytes:
    return models.picture("openai/gpt-image-1.5", {"prompt": "a cat"})


def test_model_is_run_awaited_and_its_output_fetched_without_the_token() -> None:
    seen: list[httpx.Request] = []
    models = replicate(
        prediction("starting"),
        prediction("processing"),
        prediction("succeeded", output=["https://files/out.png", "https://files/other.png"]),
        httpx.Response(200, content=b"PNG"),
        seen=seen,
    )
    assert from_text(models) == b"PNG"
    assert [(request.method, request.url.path) for request in seen] == [
        ("POST", "/v1/models/openai/gpt-image-1.5/predictions"),
        ("GET", "/v1/predictions/p1"),
        ("GET", "/v1/predictions/p1"),
        ("GET", "/out.png"),
    ]
    assert json.loads(seen[0].content) == {"input": {"prompt": "a cat"}}
    assert (seen[0].headers["prefer"], seen[0].headers["cancel-after"]) == ("wait=50", "100s")
    assert seen[2].headers["authorization"] == "Bearer r8"
    assert "authorization" not in seen[3].headers


def test_output_may_be_one_data_url() -> None:
    assert from_text(replicate(done())) == b"PNG"


def test_small_pictures_are_sent_inline_and_large_ones_as_files() -> None:
    seen: list[httpx.Request] = []
    file = httpx.Response(201, json=FILE)
    models = replicate(file, seen=seen)
    assert models.upload(b"PNG", "image/png") == DONE_URL
    assert seen == []
    assert models.upload(b"x" * 300_000, "image/png") == "http://models/v1/files/f"
    assert (seen[0].url.path, seen[0].headers["authorization"]) == ("/v1/files", "Bearer r8")
    assert b'filename="picture.png"' in seen[0].content


@pytest.mark.parametrize(
    "reason",
    [
        "The input or output was flagged as sensitive. Please try again with different inputs. (E005) (abc)",
        "Your request was rejected as a result of our safety system.",
        "NSFW content detected",
    ],
)
def test_refusal_by_moderation_is_not_repeated(reason: str) -> None:
    models = replicate(prediction("failed", error=reason))
    assert error_of(lambda: from_text(models)) == (422, "prompt_refused")


@pytest.mark.parametrize(
    ("reason", "code", "says"),
    [
        (
            "The local renderer reads English. (code: SAMPLE-LANGUAGE)",
            "idea_not_english",
            "The sample artist reads English, and this is another language. Please describe it in English; the text on "
            "the shirt may be in any.",
        ),
        (
            "No face holds: 𓀀 𓀁 (code: SAMPLE-SIGNS)",
            "lettering_not_drawable",
            "The sample artist has no letters for 𓀀 𓀁. Please leave them out of the text on the shirt.",
        ),
    ],
)
def test_refusal_of_the_sample_artist_is_said_and_not_repeated(reason: str, code: str, says: str) -> None:
    with pytest.raises(ShopError) as caught:
        from_text(replicate(prediction("failed", error=reason)))
    assert (caught.value.status, caught.value.code, caught.value.error) == (422, code, says)


def test_failed_prediction_is_repeated_once() -> None:
    assert from_text(replicate(prediction("failed", error="CUDA out of memory"), done())) == b"PNG"


def test_second_failure_is_an_error() -> None:
    failed = [prediction("failed", error="CUDA out of memory") for _ in range(2)]
    assert error_of(lambda: from_text(replicate(*failed))) == (502, "artist_unavailable")


@pytest.mark.parametrize("trouble", [httpx.Response(429), httpx.Response(503), NETWORK_DOWN])
def test_throttled_request_is_repeated(trouble: Outcome) -> None:
    time = Time()
    assert from_text(replicate(trouble, trouble, done(), time=time)) == b"PNG"
    assert time.pauses == [1, 2]


def test_retry_after_header_is_respected_within_limits() -> None:
    time = Time()
    busy = [httpx.Response(429, headers={"retry-after": seconds}) for seconds in ("4", "600")]
    assert from_text(replicate(*busy, done(), time=time)) == b"PNG"
    assert time.pauses == [4, 10]


@pytest.mark.parametrize(
    "response",
    [
        prediction("canceled"),
        prediction("aborted"),
        prediction("succeeded", output=[]),
        httpx.Response(402, json={"detail": "You have insufficient credit"}),
        httpx.Response(422, json={"detail": "- input: prompt is required"}),
        httpx.Response(500),
        httpx.ReadTimeout("no answer"),
        httpx.Response(200, text="<html>"),
    ],
)
def test_request_that_may_have_been_paid_is_not_repeated(response: Outcome) -> None:
    assert error_of(lambda: from_text(replicate(response))) == (502, "artist_unavailable")


def test_poll_of_a_prediction_is_repeated_after_any_error() -> None:
    models = replicate(prediction("processing"), httpx.Response(500), httpx.ReadTimeout("no answer"), done())
    assert from_text(models) == b"PNG"


@pytest.mark.parametrize("trouble", [httpx.Response(429), NETWORK_DOWN])
def test_unavailable_vendor_is_an_error(trouble: Outcome) -> None:
    assert error_of(lambda: from_text(replicate(trouble, trouble, trouble))) == (502, "artist_unavailable")


def test_prediction_that_takes_too_long_is_cancelled() -> None:
    seen: list[httpx.Request] = []
    running = [prediction("processing") for _ in range(102)]
    models = replicate(*running, prediction("canceled"), seen=seen)
    assert error_of(lambda: from_text(models)) == (502, "artist_unavailable")
    assert (seen[-1].method, seen[-1].url.path) == ("POST", "/v1/predictions/p1/cancel")


def listed(id: str, age: int, **inputs: Any) -> dict[str, Any]:
    """A prediction of `age` minutes before noon."""
    created = datetime(2026, 11, 22, 12, tzinfo=UTC) - timedelta(minutes=age)
    stamp = created.isoformat().replace("+00:00", "Z")
    values = {"id": id, "model": "a/b", "version": "hidden", "status": "succeeded", "output": None}
    return {**values, "created_at": stamp, "input": inputs}


def page(*results: dict[str, Any], following: str | None = None) -> httpx.Response:
    return httpx.Response(200, json={"previous": None, "next": following, "results": list(results)})


SINCE = datetime(2026, 11, 22, 11, 30, tzinfo=UTC)


def find(models: Replicate, *without: str) -> str | None:
    return models.find("a/b", {"prompt": "a cat", "seed": 7}, SINCE, without)


def test_job_begins_a_prediction_without_waiting() -> None:
    seen: list[httpx.Request] = []
    assert replicate(prediction("starting"), seen=seen).start("a/b", {"seed": 7}, 300) == "p1"
    assert "prefer" not in seen[0].headers
    assert seen[0].headers["cancel-after"] == "300s"


def test_prediction_is_found_by_its_model_and_inputs_on_any_page() -> None:
    seen: list[httpx.Request] = []
    other_model = {**listed("m", 1, prompt="a cat", seed=7), "model": "a/other"}
    models = replicate(
        page(
            other_model,
            listed("s", 2, prompt="a cat", seed=8),
            listed("d", 3),
            following="https://evil.example/v1/predictions?cursor=Y3Vyc29y",
        ),
        page(listed("f", 4, prompt="a cat", seed=7, output_format="png")),
        seen=seen,
    )
    assert find(models) == "f"
    # the token goes to no address that a response names
    assert [str(request.url) for request in seen] == [
        "http://models/v1/predictions",
        "http://models/v1/predictions?cursor=Y3Vyc29y",
    ]


def test_older_predictions_and_those_of_earlier_tries_are_not_found() -> None:
    failed, old = listed("failed", 5, prompt="a cat", seed=7), listed("old", 31, prompt="a cat", seed=7)
    assert (
        find(replicate(page(failed, old, following="http://models/v1/predictions?cursor=x")), "failed")
        is None
    )
    assert find(replicate(page(failed))) == "failed"
    assert find(replicate(page())) is None


def test_other_predictions_of_the_account_do_not_hide_one() -> None:
    aborted = {**listed("aborted", 1), "status": "aborted"}
    removed = {**listed("removed", 2), "input": None}
    assert find(replicate(page(aborted, removed, listed("f", 3, prompt="a cat", seed=7)))) == "f"


def test_prediction_that_the_vendor_ended_before_it_began_is_cancelled() -> None:
    assert replicate(prediction("aborted")).prediction("p1")["status"] == "canceled"


@pytest.mark.parametrize("host", ["https://evil.example", "http://models.evil.example", "https://models"])
def test_token_is_sent_to_no_other_host(host: str) -> None:
    seen: list[httpx.Request] = []
    list_page = replicate(seen=seen)._client().predictions.list
    assert error_of(lambda: list_page(f"{host}/v1/predictions")) == (502, "artist_unavailable")
    assert seen == []


def test_redirect_is_followed_for_outputs_only() -> None:
    seen: list[httpx.Request] = []
    moved = httpx.Response(302, headers={"location": "https://files.example/out.png"})
    done_elsewhere = prediction("succeeded", output="http://models/out.png")
    assert (
        from_text(replicate(done_elsewhere, moved, httpx.Response(200, content=b"PNG"), seen=seen)) == b"PNG"
    )
    assert [request.headers.get("authorization") for request in seen] == ["Bearer r8", None, None]
    assert error_of(lambda: replicate(moved, seen=seen).prediction("p1")) == (502, "artist_unavailable")
    assert len(seen) == 4


def test_every_call_has_a_limit_of_time() -> None:
    seen: list[httpx.Request] = []
    models = replicate(
        httpx.Response(201, json=FILE), prediction("starting"), prediction("canceled"), seen=seen
    )
    models.store(b"PNG", "image/png")
    models.start("a/b", {}, 300)
    models.cancel("p1")
    assert [request.extensions["timeout"]["read"] for request in seen] == [65.0, 65.0, 65.0]


class Wire(httpx.BaseTransport):
    """Reads each request as a connection does: from its stream, without storing it; turns the first away."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        assert isinstance(request.stream, httpx.SyncByteStream)
        self.sent.append(b"".join(request.stream))
        return httpx.Response(201, json=FILE) if len(self.sent) > 1 else httpx.Response(429)


def test_file_is_sent_again_whole() -> None:
    wire = Wire()
    models = Replicate("http://models", "r8", pause=lambda _: None, transport=wire)
    assert models.store(b"PNG", "image/png") == "http://models/v1/files/f"
    assert wire.sent[0] == wire.sent[1]
    assert b"\r\n\r\nPNG\r\n" in wire.sent[1]


def test_library_repeats_nothing_by_itself() -> None:
    time = Time()
    seen: list[httpx.Request] = []
    busy = [httpx.Response(503, headers={"retry-after": "600"}) for _ in range(3)]
    assert error_of(lambda: replicate(*busy, seen=seen, time=time).prediction("p1")) == (
        *(502, "artist_unavailable"),
    )
    assert (len(seen), time.pauses) == (3, [10, 10])


@pytest.mark.parametrize("body", [{"id": "p1"}, {"results": [{}]}, {"status": "unknown"}])
def test_body_that_is_no_prediction_is_an_error(body: dict[str, Any]) -> None:
    response = httpx.Response(200, json=body)
    assert error_of(lambda: replicate(response).prediction("p1")) == (502, "artist_unavailable")
