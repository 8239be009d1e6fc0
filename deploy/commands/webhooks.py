"""`python -m deploy webhooks`: registers the shop's webhooks at Stripe and Printify.

Stripe makes a signing secret and shows it once; Printify takes one of ours. Both are written into the owner's `.env`
(`--env-file`), under the names that the functions read, and are never printed.
"""

from __future__ import annotations

import argparse
import secrets
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from deploy import services
from deploy.environment import ROOT, require
from deploy.errors import CommandError
from deploy.http import Api
from deploy.secret_file import store_secret
from deploy.webhook_events import webhook_events

_STRIPE_SECRET = "STRIPE_WEBHOOK_SECRET"  # noqa: S105 - the variable's name
_PRINTIFY_SECRET = "PRINTIFY_WEBHOOK_SECRET"  # noqa: S105
_SECRETS = {"stripe": _STRIPE_SECRET, "printify": _PRINTIFY_SECRET}
# of before, while the functions take both
_PREVIOUS = "_PREVIOUS"
_NEXT = "deploy the functions, which take both secrets then, and run `python -m deploy webhooks --finish`"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", choices=("stripe", "printify"), help="one vendor instead of both")
    parser.add_argument("--renew", action="store_true", help="register anew, with new signing secrets")
    parser.add_argument(
        "--overlap", action="store_true", help="with --renew: leave the present secrets valid until --finish"
    )
    parser.add_argument(
        "--finish", action="store_true", help="end the present secrets that --renew --overlap has left valid"
    )
    parser.add_argument(
        "--replace", action="store_true", help="take over a Printify topic that is sent to another address"
    )
    parser.add_argument("--env-file", type=Path, default=ROOT / ".env", help="where secrets are written")


def run(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:
    chosen = [arguments.only] if arguments.only else ["stripe", "printify"]
    if arguments.finish:
        finish_renewal(environ, arguments.env_file, chosen)
    elif arguments.renew and arguments.overlap:
        begin_renewal(environ, arguments.env_file, chosen)
    else:
        if "stripe" in chosen:
            register_stripe(environ, arguments.env_file, renew=arguments.renew)
        if "printify" in chosen:
            register_printify(environ, arguments.env_file, renew=arguments.renew, replace=arguments.replace)
    return 0


def begin_renewal(environ: Mapping[str, str], env_file: Path, chosen: Sequence[str]) -> None:
    """New secrets into the file, the present ones beside them. Stripe sends with both then, Printify as before."""
    if any(_is_under_way(_SECRETS[vendor], environ) for vendor in chosen):
        raise CommandError(f"A renewal is under way: {_NEXT}.")
    for vendor in chosen:
        name = _SECRETS[vendor]
        (present,) = require(environ, name)
        if vendor == "stripe":
            fresh = _make_endpoint(services.stripe(environ), stripe_address(environ))
        else:
            fresh = secrets.token_hex(32)
        # the present one first: events signed with it go on coming
        store_secret(env_file, name + _PREVIOUS, present)
        store_secret(env_file, name, fresh)
        _say(
            f"{vendor}: a new signing secret is in {env_file} as {name}, the present one as {name}{_PREVIOUS}"
        )
    _say(f"  next: {_NEXT}")


def finish_renewal(environ: Mapping[str, str], env_file: Path, chosen: Sequence[str]) -> None:
    """Only for functions that have the new secrets: from here on the vendors sign with these alone."""
    begun = [vendor for vendor in chosen if _is_under_way(_SECRETS[vendor], environ)]
    if not begun:
        raise CommandError(
            f"There is nothing to finish: {env_file} has no secret of before ({_PREVIOUS}). No new one was made."
        )
    if "stripe" in begun:
        stripe, address = services.stripe(environ), stripe_address(environ)
        for endpoint in stripe_endpoints(stripe, address)[1:]:  # newest first
            stripe.call("DELETE", f"/webhook_endpoints/{endpoint['id']}")
        store_secret(env_file, _STRIPE_SECRET + _PREVIOUS, "")
        _say(f"stripe: {address} is signed with the new secret alone")
    if "printify" in begun:
        require(environ, _PRINTIFY_SECRET)
        register_printify(environ, env_file, renew=False, replace=False, again=True)
        store_secret(env_file, _PRINTIFY_SECRET + _PREVIOUS, "")
    _say("  the functions still take the secrets of before: deploy them once more")


def _is_under_way(name: str, environ: Mapping[str, str]) -> bool:
    """Tell whether there is a new secret beside the present one; the same twice is a step that was stopped midway."""
    previous = environ.get(name + _PREVIOUS)
    return bool(previous) and previous != environ.get(name)


def stripe_address(environ: Mapping[str, str]) -> str:
    return f"{services.functions_url(environ)}/stripe-webhook"


def printify_address(environ: Mapping[str, str]) -> str:
    return f"{services.functions_url(environ)}/printify-webhook"


def stripe_endpoints(stripe: Api, address: str) -> list[dict[str, Any]]:
    """The endpoints with this address; an account may have sixteen in all, so one page holds them."""
    endpoints = stripe.call("GET", "/webhook_endpoints", params={"limit": 100})["data"]
    return [endpoint for endpoint in endpoints if endpoint["url"] == address]


def register_stripe(environ: Mapping[str, str], env_file: Path, *, renew: bool) -> None:
    stripe, address = services.stripe(environ), stripe_address(environ)
    events = webhook_events("stripe")
    registered = stripe_endpoints(stripe, address)
    if registered and not renew:
        _update_stripe(stripe, registered[0], events)
        if not environ.get(_STRIPE_SECRET):
            raise CommandError(
                f"Stripe showed the signing secret of {address} once, and {_STRIPE_SECRET} is not set: "
                "run `python -m deploy webhooks --only stripe --renew`."
            )
        return
    store_secret(env_file, _STRIPE_SECRET, _make_endpoint(stripe, address))
    # only now: until the new endpoint is there, the old one brings the events
    for endpoint in registered:
        stripe.call("DELETE", f"/webhook_endpoints/{endpoint['id']}")
    _say(f"stripe: registered {address} for {len(events)} events")
    _say_stored(_STRIPE_SECRET, env_file)


def _make_endpoint(stripe: Api, address: str) -> str:
    """Its signing secret, which Stripe shows this once."""
    made = stripe.call(
        "POST",
        "/webhook_endpoints",
        data={"url": address, "enabled_events[]": webhook_events("stripe"), "description": "Teesmith"},
    )
    return str(made["secret"])


def _update_stripe(stripe: Api, endpoint: dict[str, Any], events: list[str]) -> None:
    if set(endpoint["enabled_events"]) == set(events) and endpoint["status"] == "enabled":
        _say(f"stripe: {endpoint['url']} is registered, nothing to change")
        return
    changes = {"enabled_events[]": events, "disabled": "false"}
    stripe.call("POST", f"/webhook_endpoints/{endpoint['id']}", data=changes)
    _say(f"stripe: {endpoint['url']} now gets {len(events)} events")


def printify_webhooks(printify: Api, shop: str) -> list[dict[str, Any]]:
    webhooks: list[dict[str, Any]] = printify.call("GET", f"/shops/{shop}/webhooks.json")
    return webhooks


def register_printify(
    environ: Mapping[str, str], env_file: Path, *, renew: bool, replace: bool, again: bool = False
) -> None:
    """`again`: also what is registered, for Printify shows no secret."""
    printify, address = services.printify(environ), printify_address(environ)
    (shop,) = require(environ, "PRINTIFY_SHOP_ID")
    by_topic = {hook["topic"]: hook for hook in printify_webhooks(printify, shop)}
    topics = webhook_events("printify")
    foreign = [
        by_topic[topic] for topic in topics if topic in by_topic and not _is_ours(by_topic[topic], address)
    ]
    if foreign and not replace:
        conflicts = ", ".join(f"{hook['topic']} ({hook['url']})" for hook in foreign)
        raise CommandError(
            f"Printify sends these to another address: {conflicts}. Take them over with --replace."
        )
    secret = environ.get(_PRINTIFY_SECRET, "")
    is_new = renew or not secret
    if is_new:
        secret = secrets.token_hex(32)
        # before it is registered: a secret that only Printify knows would be lost
        store_secret(env_file, _PRINTIFY_SECRET, secret)
    changed = 0
    for topic in topics:
        hook = by_topic.get(topic)
        if hook and hook["url"] == address and not (is_new or again):
            continue
        if hook:
            host = urlsplit(hook["url"]).netloc
            printify.call("DELETE", f"/shops/{shop}/webhooks/{hook['id']}.json", params={"host": host})
        sent = {"topic": topic, "url": address, "secret": secret}
        printify.call("POST", f"/shops/{shop}/webhooks.json", json=sent)
        changed += 1
    if changed:
        _say(f"printify: registered {address} for {changed} topics")
    else:
        _say(f"printify: {address} is registered for {len(topics)} topics, nothing to change")
    if is_new:
        _say_stored(_PRINTIFY_SECRET, env_file)


def _is_ours(hook: Mapping[str, str], address: str) -> bool:
    """Registered by this command, perhaps when the functions had another address."""
    return urlsplit(hook["url"]).path.rpartition("/")[2] == urlsplit(address).path.rpartition("/")[2]


def _say_stored(name: str, env_file: Path) -> None:
    _say(f"  its signing secret is in {env_file} as {name}; give it to the functions: deploy them again")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
