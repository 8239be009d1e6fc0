"""Both vendors' webhooks: registered for every event, and the functions take signed events only.

The events sent here are of a type without work, so that nothing is written.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import time

from deploy import services
from deploy.commands.webhooks import printify_address, printify_webhooks, stripe_address, stripe_endpoints
from deploy.environment import require
from deploy.production_check.finding import Finding, Shop, finding
from deploy.webhook_events import webhook_events

_EVENT_ID = "evt_teesmith_production_check"
_RENEW = "python -m deploy webhooks --renew, then deploy the functions with the new secrets"


def check_registrations(shop: Shop) -> list[Finding]:
    return [_stripe(shop), _printify(shop)]


def check_signatures(shop: Shop) -> list[Finding]:
    stripe, printify = require(shop.environ, "STRIPE_WEBHOOK_SECRET", "PRINTIFY_WEBHOOK_SECRET")
    now = int(time.time())
    stripe_event = json.dumps(
        {"id": _EVENT_ID, "type": "teesmith.check", "created": now, "data": {"object": {"id": "check"}}}
    ).encode()
    printify_event = json.dumps({"id": _EVENT_ID, "type": "shop:check", "resource": {"id": "check"}}).encode()
    signed = _hmac(stripe, f"{now}.".encode() + stripe_event)
    return [
        _signed(shop, "stripe", stripe_event, {"Stripe-Signature": f"t={now},v1={signed}"}),
        _signed(
            shop, "printify", printify_event, {"X-Pfy-Signature": f"sha256={_hmac(printify, printify_event)}"}
        ),
    ]


def _stripe(shop: Shop) -> Finding:
    events, address = webhook_events("stripe"), stripe_address(shop.environ)
    registered = stripe_endpoints(services.stripe(shop.environ), address)
    problems = [] if registered else [f"{address} is not registered"]
    for endpoint in registered[:1]:
        if endpoint["status"] != "enabled":
            problems.append("it is disabled")
        if "*" not in endpoint["enabled_events"] and (
            missing := [event for event in events if event not in endpoint["enabled_events"]]
        ):
            problems.append(f"it does not get {', '.join(missing)}")
    mend = "python -m deploy webhooks --only stripe"
    return finding("stripe webhook", problems, f"{len(events)} events to {address}", mend)


def _printify(shop: Shop) -> Finding:
    topics, address = webhook_events("printify"), printify_address(shop.environ)
    (id,) = require(shop.environ, "PRINTIFY_SHOP_ID")
    hooks = printify_webhooks(services.printify(shop.environ), id)
    got = {hook["topic"] for hook in hooks if hook["url"] == address}
    missing = [topic for topic in topics if topic not in got]
    problems = [f"{address} does not get {', '.join(missing)}"] if missing else []
    mend = "python -m deploy webhooks --only printify"
    return finding("printify webhook", problems, f"{len(topics)} topics to {address}", mend)


def _signed(shop: Shop, vendor: str, event: bytes, signature: dict[str, str]) -> Finding:
    path, kind = f"/{vendor}-webhook", {"content-type": "application/json"}
    functions = shop.functions()
    signed = functions.send("POST", path, content=event, headers={**kind, **signature})
    unsigned = functions.send("POST", path, content=event, headers=kind)
    problems = []
    if signed.status_code != 200:
        problems.append(f"an event signed with our secret is answered {signed.status_code}")
    if unsigned.status_code != 400:
        problems.append(f"an unsigned event is answered {unsigned.status_code}, not 400")
    return finding(f"{vendor} signature", problems, "signed events only", _RENEW)


def _hmac(secret: str, content: bytes) -> str:
    return hmac.new(secret.encode(), content, hashlib.sha256).hexdigest()
