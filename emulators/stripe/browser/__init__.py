"""Files that a shopper's browser loads from Stripe: Stripe.js, the card element's frame, the bank's challenge page.

The frame's origin is the emulator's, so card details never touch the shop's page.
"""

from __future__ import annotations

import html
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from emulators.stripe import payment_intents
from emulators.stripe.account import Account
from emulators.stripe.errors import StripeError

Endpoint = Callable[[Request], Awaitable[Response]]

_HERE = Path(__file__).parent
_FILES = {
    "/js/v3": ("stripe.js", "text/javascript"),
    "/elements/card": ("card.html", "text/html"),
    "/elements/card.js": ("card.js", "text/javascript"),
}


def routes(account: Account) -> list[Route]:
    return [
        *(Route(path, _file(name, kind), methods=["GET"]) for path, (name, kind) in _FILES.items()),
        Route("/js/v3/", _file("stripe.js", "text/javascript"), methods=["GET"]),
        Route("/challenge/{id}", _show_challenge(account), methods=["GET"]),
        Route("/challenge/{id}", _finish_challenge(account), methods=["POST"]),
        Route("/receipts/{id}", _receipt(account), methods=["GET"]),
    ]


def _file(name: str, kind: str) -> Endpoint:
    async def serve(_request: Request) -> Response:
        return Response(
            (_HERE / name).read_bytes(),
            media_type=f"{kind}; charset=utf-8",
            headers={"Cache-Control": "no-cache", "Access-Control-Allow-Origin": "*"},
        )

    return serve


def _intent(account: Account, request: Request) -> dict[str, object] | None:
    try:
        intent = payment_intents.retrieve(account, request.path_params["id"])
    except StripeError:
        return None
    return intent if intent["client_secret"] == request.query_params.get("client_secret") else None


def _show_challenge(account: Account) -> Endpoint:
    async def show(request: Request) -> Response:
        intent = _intent(account, request)
        if intent is None:
            return PlainTextResponse("This payment does not exist.", 404)
        page = (_HERE / "challenge.html").read_text(encoding="utf-8")
        amount = f"${int(str(intent['amount'])) / 100:,.2f}"
        return HTMLResponse(page.replace("{{amount}}", html.escape(amount)))

    return show


def _finish_challenge(account: Account) -> Endpoint:
    async def finish(request: Request) -> Response:
        intent = _intent(account, request)
        if intent is None:
            return PlainTextResponse("This payment does not exist.", 404)
        body = (await request.body()).decode("utf-8", "replace")
        with account.store.transaction():
            finished = payment_intents.finish_challenge(
                account, str(intent["id"]), authenticated="outcome=complete" in body
            )
        back = request.query_params.get("return_url")
        if back:
            words = {
                "payment_intent": finished["id"],
                "payment_intent_client_secret": finished["client_secret"],
                "redirect_status": "succeeded" if finished["status"] == "succeeded" else "failed",
            }
            joiner = "&" if urlsplit(back).query else "?"
            return RedirectResponse(back + joiner + urlencode(words), 303)
        return HTMLResponse(
            "<!doctype "
            "html><title>Done</title><script>parent.postMessage({teesmithStripe:'challenge-done'},'*')</script>"
        )

    return finish


def _receipt(account: Account) -> Endpoint:
    async def receipt(request: Request) -> Response:
        intent = account.store.get("stripe.payment_intent", request.path_params["id"])
        if intent is None or intent["status"] != "succeeded":
            return PlainTextResponse("No such receipt.", 404)
        amount = f"{intent['amount_received'] / 100:,.2f} {intent['currency'].upper()}"
        return PlainTextResponse(f"Receipt from Teesmith (test)\n\nPaid {amount}\nPayment {intent['id']}\n")

    return receipt
