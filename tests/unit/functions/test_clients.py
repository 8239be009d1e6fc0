"""Clients against vendors that refuse, stall or talk nonsense: each becomes one clear error, never a traceback."""

import base64
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from _shared.clients.accounts import Account, Accounts
from _shared.clients.automation import Automation
from _shared.clients.printify import Area, Printify
from _shared.clients.replicate import Replicate
from _shared.clients.zippopotam import Place, Zippopotam
from _shared.errors import ShopError

Answer = httpx.Response | Exception
NETWORK_DOWN = httpx.ConnectError("connection refused")


def transport(*answers: Answer, seen: list[httpx.Request] | None = None) -> httpx.MockTransport:
    """Gives the answers in order, and keeps what it was asked."""
    left = list(answers)

    def handle(request: httpx.Request) -> httpx.Response:
        if seen is not None:
            seen.append(request)
        answer = left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return httpx.MockTransport(handle)


def refusal(call: Callable[[], Any]) -> tuple[int, str]:
    with pytest.raises(ShopError) as caught:
        call()
    return caught.value.status, caught.value.code


def printify(*answers: Answer, seen: list[httpx.Request] | None = None) -> Printify:
    return Printify(
        "http://printer",
        "token",
        "7",
        blueprint_id=6,
        print_provider_id=29,
        transport=transport(*answers, seen=seen),
    )


def order(printer: Printify) -> str:
    return printer.create_order(external_id="o1", label="1", line_items=[], address_to={})


def test_a_print_order_is_posted_under_our_own_id() -> None:
    seen: list[httpx.Request] = []
    assert order(printify(httpx.Response(200, json={"id": "po"}), seen=seen)) == "po"
    (request,) = seen
    assert (request.method, request.url.path) == ("POST", "/v1/shops/7/orders.json")
    assert (request.headers["authorization"], request.headers["user-agent"]) == (
        "Bearer token",
        "Teesmith/1.0",
    )
    assert json.loads(request.content)["external_id"] == "o1"


def test_a_print_order_that_exists_already_is_success() -> None:
    duplicate = {"status": "error", "code": 8503, "message": "external_id is used", "order": {"id": "po"}}
    assert order(printify(httpx.Response(409, json=duplicate))) == "po"


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (httpx.Response(409, json={"code": 1}), "printer_refused"),
        (httpx.Response(409, text="conflict"), "printer_refused"),
        (httpx.Response(400, json={"code": 8150, "message": "Validation failed."}), "printer_refused"),
        (httpx.Response(401, text="no"), "printer_refused"),
        (httpx.Response(429, text="slow down"), "printer_unavailable"),
        (httpx.Response(503), "printer_unavailable"),
        (httpx.Response(200, text="<html>"), "printer_unavailable"),
        (NETWORK_DOWN, "printer_unavailable"),
        (httpx.ReadTimeout("slow"), "printer_unavailable"),
    ],
)
def test_a_printer_that_does_not_print(answer: Answer, code: str) -> None:
    assert refusal(lambda: order(printify(answer))) == (502, code)


def test_the_vendors_text_stays_in_the_log() -> None:
    with pytest.raises(ShopError) as caught:
        order(printify(httpx.Response(400, text="shop 7 has no card on file")))
    assert "card" not in caught.value.error
    assert caught.value.cause == "Printify 400: shop 7 has no card on file"


def test_front_areas_come_from_the_catalogue() -> None:
    seen: list[httpx.Request] = []
    found = {
        "variants": [
            {"id": 1, "placeholders": [{"position": "back", "width": 1, "height": 1}]},
            {"id": 2, "placeholders": [{"position": "front", "width": 4500, "height": 5100}]},
        ]
    }
    assert printify(httpx.Response(200, json=found), seen=seen).front_areas() == {2: Area(4500, 5100)}
    assert seen[0].url.path == "/v1/catalog/blueprints/6/print_providers/29/variants.json"


def zippopotam(answer: Answer) -> Zippopotam:
    return Zippopotam("http://zips", transport(answer))


def test_the_first_place_of_a_zip_code_is_taken() -> None:
    places = [{"place name": "Beverly Hills", "state abbreviation": "CA"}, {"place name": "x"}]
    assert zippopotam(httpx.Response(200, json={"places": places})).place("90210") == Place(
        "Beverly Hills", "CA"
    )


def test_an_unknown_zip_code_has_no_place() -> None:
    assert zippopotam(httpx.Response(404, json={})).place("00000") is None


@pytest.mark.parametrize(
    "answer",
    [
        NETWORK_DOWN,
        httpx.ReadTimeout("slow"),
        httpx.Response(500),
        httpx.Response(200, text="<html>"),
        httpx.Response(200, json={}),
        httpx.Response(200, json={"places": []}),
        httpx.Response(200, json=[]),
    ],
)
def test_a_look_up_that_fails_says_so(answer: Answer) -> None:
    assert refusal(lambda: zippopotam(answer).place("90210")) == (502, "zip_lookup_unavailable")


def accounts(answer: Answer) -> Accounts:
    return Accounts("http://api", "key", transport(answer))


def test_a_good_token_has_an_account() -> None:
    answer = httpx.Response(200, json={"id": "ann", "email": "ann@example.com"})
    assert accounts(answer).of_token("t") == Account("ann", "ann@example.com")


@pytest.mark.parametrize(
    ("answer", "refused"),
    [
        (httpx.Response(401), (401, "unauthenticated")),
        (httpx.Response(403), (401, "unauthenticated")),
        (httpx.Response(404), (401, "unauthenticated")),
        (httpx.Response(500), (502, "sign_in_unavailable")),
        (NETWORK_DOWN, (502, "sign_in_unavailable")),
    ],
)
def test_a_bad_token_and_an_absent_gotrue_are_told_apart(answer: Answer, refused: tuple[int, str]) -> None:
    assert refusal(lambda: accounts(answer).of_token("t")) == refused


class Time:
    """A clock that moves when somebody waits."""

    def __init__(self) -> None:
        self.now = 0.0

    def pause(self, seconds: float) -> None:
        self.now += seconds

    def clock(self) -> float:
        return self.now


def replicate(*answers: Answer, seen: list[httpx.Request] | None = None) -> Replicate:
    time = Time()
    return Replicate(
        "http://models", "r8", pause=time.pause, clock=time.clock, transport=transport(*answers, seen=seen)
    )


def prediction(status: str, **more: Any) -> httpx.Response:
    return httpx.Response(201, json={"id": "p1", "status": status, "output": None, **more})


def draw(models: Replicate) -> bytes:
    return models.picture("openai/gpt-image-1.5", {"prompt": "a cat"})


def test_a_model_is_run_awaited_and_its_output_fetched_without_the_token() -> None:
    seen: list[httpx.Request] = []
    models = replicate(
        prediction("starting"),
        prediction("processing"),
        prediction("succeeded", output=["https://files/out.png", "https://files/other.png"]),
        httpx.Response(200, content=b"PNG"),
        seen=seen,
    )
    assert draw(models) == b"PNG"
    assert [(request.method, request.url.path) for request in seen] == [
        ("POST", "/v1/models/openai/gpt-image-1.5/predictions"),
        ("GET", "/v1/predictions/p1"),
        ("GET", "/v1/predictions/p1"),
        ("GET", "/out.png"),
    ]
    assert json.loads(seen[0].content) == {"input": {"prompt": "a cat"}}
    assert seen[0].headers["prefer"].startswith("wait=")
    assert seen[2].headers["authorization"] == "Bearer r8"
    assert "authorization" not in seen[3].headers


def test_an_output_may_be_one_data_url() -> None:
    url = "data:image/png;base64," + base64.b64encode(b"PNG").decode()
    assert draw(replicate(prediction("succeeded", output=url))) == b"PNG"


def test_a_refusal_by_moderation_is_told_as_one() -> None:
    flagged = "The input or output was flagged as sensitive. Please try again with different inputs. (E005)"
    assert refusal(lambda: draw(replicate(prediction("failed", error=flagged)))) == (422, "prompt_refused")


@pytest.mark.parametrize(
    "answer",
    [
        prediction("failed", error="CUDA out of memory"),
        prediction("canceled"),
        prediction("succeeded", output=[]),
        httpx.Response(402, json={"detail": "You have insufficient credit"}),
        httpx.Response(429, json={"detail": "Request was throttled."}),
        httpx.Response(200, text="<html>"),
        NETWORK_DOWN,
    ],
)
def test_a_model_that_does_not_draw(answer: Answer) -> None:
    assert refusal(lambda: draw(replicate(answer))) == (502, "artist_unavailable")


def test_patience_ends() -> None:
    answers = [prediction("processing") for _ in range(200)]
    assert refusal(lambda: draw(replicate(*answers))) == (502, "artist_unavailable")


def test_automation_is_told_with_a_key_or_not_at_all() -> None:
    seen: list[httpx.Request] = []
    Automation("", transport(seen=seen)).tell("order.confirmed", "o1", {})
    assert seen == []
    Automation("http://me/hook", transport(httpx.Response(204), seen=seen)).tell(
        "order.confirmed", "o1", {"a": 1}
    )
    assert json.loads(seen[0].content) == {"event": "order.confirmed", "a": 1}
    assert seen[0].headers["idempotency-key"] == "order.confirmed-o1"
    away = Automation("http://me/hook", transport(httpx.Response(500)))
    assert refusal(lambda: away.tell("order.confirmed", "o1", {})) == (502, "automation_unavailable")
