"""Stripe's routes, and what every one of them shares: keys, idempotency, expansion, errors."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from emulators.core.store import Document
from emulators.shop_events import shop_events
from emulators.stripe import (
    browser,
    dashboard,
    disputes,
    forms,
    lists,
    payment_intents,
    payment_methods,
    refunds,
    webhook_endpoints,
)
from emulators.stripe.account import API_VERSION, Account, new_id
from emulators.stripe.errors import StripeError
from emulators.vendor_app import Host, VendorApp, basic_credentials, credentials

Handler = Callable[["Call"], Document]

_CORS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
    "Access-Control-Allow-Headers": "authorization, content-type, idempotency-key, stripe-version",
    "Access-Control-Max-Age": "300",
}


@dataclass(frozen=True)
class Call:
    """A parsed request: its account, its parameters and its kind of key."""

    account: Account
    params: forms.Params
    path: dict[str, str]
    secret: bool

    @property
    def id(self) -> str:
        return self.path["id"]


def _own_intent(call: Call) -> None:
    """A publishable key sees an intent only together with its client secret."""
    if call.secret:
        return
    client_secret = call.params.get("client_secret")
    if not client_secret:
        raise StripeError.invalid(
            "Missing required param: client_secret.", code="parameter_missing", param="client_secret"
        )
    if payment_intents.retrieve(call.account, call.id)["client_secret"] != client_secret:
        raise StripeError.invalid(
            "The client_secret provided does not match any associated PaymentIntent on this account.",
            code="payment_intent_invalid_parameter",
            param="client_secret",
        )


def _retrieve_intent(call: Call) -> Document:
    _own_intent(call)
    return payment_intents.retrieve(call.account, call.id)


def _confirm_intent(call: Call) -> Document:
    _own_intent(call)
    return payment_intents.confirm(call.account, call.id, call.params)


def _retrieve(object: str) -> Handler:
    return lambda call: call.account.get(object, call.id)


def _list(object: str, *filters: str) -> Handler:
    return lambda call: lists.list_objects(call.account, object, call.params, filters)


def _create(operation: Callable[[Account, forms.Params], Document]) -> Handler:
    return lambda call: operation(call.account, call.params)


def _change(operation: Callable[[Account, str, forms.Params], Document]) -> Handler:
    return lambda call: operation(call.account, call.id, call.params)


def _create_payment_method(call: Call) -> Document:
    return payment_methods.create(call.account, call.params, from_browser=not call.secret)


def _delete_endpoint(call: Call) -> Document:
    return webhook_endpoints.delete(call.account, call.id)


# method, path, handler, open to publishable keys
_ENDPOINTS: tuple[tuple[str, str, Handler, bool], ...] = (
    ("POST", "/v1/payment_intents", _create(payment_intents.create), False),
    ("GET", "/v1/payment_intents", _list("payment_intent", "customer"), False),
    ("GET", "/v1/payment_intents/{id}", _retrieve_intent, True),
    ("POST", "/v1/payment_intents/{id}", _change(payment_intents.update), False),
    ("POST", "/v1/payment_intents/{id}/confirm", _confirm_intent, True),
    ("POST", "/v1/payment_intents/{id}/cancel", _change(payment_intents.cancel), False),
    ("POST", "/v1/payment_methods", _create_payment_method, True),
    ("GET", "/v1/payment_methods/{id}", _retrieve("payment_method"), False),
    ("POST", "/v1/tokens", _create(payment_methods.create_token), True),
    ("GET", "/v1/tokens/{id}", _retrieve("token"), False),
    ("GET", "/v1/charges", _list("charge", "payment_intent", "customer"), False),
    ("GET", "/v1/charges/{id}", _retrieve("charge"), False),
    ("POST", "/v1/refunds", _create(refunds.create), False),
    ("GET", "/v1/refunds", _list("refund", "payment_intent", "charge"), False),
    ("GET", "/v1/refunds/{id}", _retrieve("refund"), False),
    ("POST", "/v1/refunds/{id}", _change(refunds.update), False),
    ("POST", "/v1/refunds/{id}/cancel", _change(refunds.cancel), False),
    ("GET", "/v1/disputes", _list("dispute", "payment_intent", "charge"), False),
    ("GET", "/v1/disputes/{id}", _retrieve("dispute"), False),
    ("POST", "/v1/disputes/{id}", _change(disputes.update), False),
    ("POST", "/v1/disputes/{id}/close", _change(disputes.close), False),
    ("POST", "/v1/webhook_endpoints", _create(webhook_endpoints.create), False),
    ("GET", "/v1/webhook_endpoints", _list("webhook_endpoint"), False),
    ("GET", "/v1/webhook_endpoints/{id}", _retrieve("webhook_endpoint"), False),
    ("POST", "/v1/webhook_endpoints/{id}", _change(webhook_endpoints.update), False),
    ("DELETE", "/v1/webhook_endpoints/{id}", _delete_endpoint, False),
    ("GET", "/v1/events", lambda call: lists.list_events(call.account, call.params), False),
    ("GET", "/v1/events/{id}", _retrieve("event"), False),
    ("POST", "/dashboard/charges/{id}/dispute", _change(dashboard.dispute), False),
    ("POST", "/dashboard/disputes/{id}/decide", _change(dashboard.decide_dispute), False),
    ("POST", "/dashboard/refunds/{id}/status", _change(dashboard.set_refund_status), False),
)


def build(host: Host) -> VendorApp:
    settings = host.settings
    account = Account(host.store, settings.stripe_webhook_secret, host.base_url, host.faults)
    if settings.functions_url:
        webhook_endpoints.subscribe(
            account, f"{settings.functions_url}/stripe-webhook", shop_events("stripe")
        )
    routes = [
        *(
            Route(path, _endpoint(account, handler, public_key), methods=[method])
            for method, path, handler, public_key in _ENDPOINTS
        ),
        Route("/v1/{path:path}", _preflight, methods=["OPTIONS"]),
        Route("/v1/{path:path}", _unknown, methods=["GET", "POST", "DELETE", "PUT", "PATCH"]),
        *browser.routes(account),
    ]
    return VendorApp(routes, (account.webhooks.run,))


def _endpoint(account: Account, handler: Handler, public_key: bool) -> Callable[[Request], Any]:
    async def endpoint(request: Request) -> Response:
        request_id = new_id("req", 14)
        headers = {**_CORS, "Request-Id": request_id, "Stripe-Version": API_VERSION}
        try:
            body = (await request.body()).decode("utf-8", "replace")
            params = forms.parse_form(body if request.method == "POST" else request.url.query)
            secret = _authenticate(request, params, public_key)
            key = request.headers.get("idempotency-key") if request.method == "POST" else None
            print_ = hashlib.sha256(f"{request.method} {request.url.path}\n{body}".encode()).hexdigest()
            if key:
                headers["Idempotency-Key"] = key
                replay = _replay(account, key, print_, headers)
                if replay is not None:
                    return replay
            # One transaction for a request and the response stored under its key, even when this process is killed.
            with account.store.transaction():
                status, document = _respond(
                    handler, Call(account, params, dict(request.path_params), secret), request_id
                )
                if key and status in (200, 402):
                    account.store.put(
                        "stripe.idempotency",
                        {
                            "id": key,
                            "print": print_,
                            "status": status,
                            "answer": document,
                            "request": request_id,
                        },
                    )
        except StripeError as error:
            status, document = error.status, _envelope(error, request_id)
        return JSONResponse(document, status, headers)

    return endpoint


def _respond(handler: Handler, call: Call, request_id: str) -> tuple[int, Document]:
    try:
        document = handler(call)
        if not call.secret:
            call.params.pop("expand", None)
        return 200, call.account.expand(document, forms.strings(call.params, "expand"))
    except StripeError as error:
        return error.status, _envelope(error, request_id)


def _envelope(error: StripeError, request_id: str) -> Document:
    link = f"https://dashboard.stripe.com/test/logs/{request_id}"
    return {"error": {**error.error, "request_log_url": link}}


def _replay(account: Account, key: str, print_: str, headers: dict[str, str]) -> Response | None:
    stored = account.store.get("stripe.idempotency", key)
    if stored is None:
        return None
    if stored["print"] != print_:
        raise StripeError.key_reused(key)
    replayed = {"Idempotent-Replayed": "true", "Original-Request": stored["request"]}
    return JSONResponse(stored["answer"], stored["status"], {**headers, **replayed})


def _authenticate(request: Request, params: forms.Params, public_key: bool) -> bool:
    """Tell whether the secret key was used. Publishable keys pass only where the browser may call."""
    key = _key(request, params)
    if not key:
        raise StripeError.unauthenticated(
            "You did not provide an API key. You need to provide your API key in the Authorization "
            "header, using "
            "Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See "
            "https://docs.stripe.com/api/authentication for details, or we can help at https://support.stripe.com/."
        )
    if key.startswith("sk_test_"):
        return True
    if not key.startswith("pk_test_"):
        shown = f"{key[:8]}{'*' * max(len(key) - 12, 0)}{key[-4:]}"
        raise StripeError.unauthenticated(f"Invalid API Key provided: {shown}")
    if not public_key:
        raise StripeError(
            403,
            "invalid_request_error",
            "This API call cannot be made with a publishable API key. Please use a secret API key. "
            "You can find a "
            "list of your API keys at https://dashboard.stripe.com/account/apikeys.",
            code="secret_key_required",
        )
    return False


def _key(request: Request, params: forms.Params) -> str:
    scheme, value = credentials(request)
    if scheme == "bearer":
        return value
    return basic_credentials(value)[0] if scheme == "basic" else str(params.get("key", ""))


async def _preflight(_request: Request) -> Response:
    return Response(status_code=204, headers=_CORS)


async def _unknown(request: Request) -> Response:
    path = request.url.path.removeprefix(request.scope["root_path"])
    message = (
        f"Unrecognized request URL ({request.method}: {path}). Please see "
        "https://docs.stripe.com or we can help at https://support.stripe.com/."
    )
    error = StripeError(404, "invalid_request_error", message)
    return JSONResponse(error.body, error.status, _CORS)
