"""Webhook endpoints: https://docs.stripe.com/api/webhook_endpoints.

Every endpoint is signed with the account's one secret (STRIPE_WEBHOOK_SECRET), as `stripe listen` does:
the receiver can be configured before the endpoint is registered.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from emulators.core.inputs import is_web_address
from emulators.core.store import Document
from emulators.stripe import forms
from emulators.stripe.account import API_VERSION, Account, new_id, now
from emulators.stripe.errors import StripeError

_PARAMS = ("url", "enabled_events", "description", "metadata", "api_version", "connect", "expand")
_UPDATE_PARAMS = ("url", "enabled_events", "description", "metadata", "disabled", "expand")


def create(account: Account, params: forms.Params) -> Document:
    forms.only(params, *_PARAMS)
    url = _web_address(forms.required(params, "url"))
    events = forms.strings(params, "enabled_events")
    if not events:
        raise StripeError.invalid(
            "Missing required param: enabled_events.", code="parameter_missing", param="enabled_events"
        )
    endpoint = account.save(
        {
            "id": new_id("we"),
            "object": "webhook_endpoint",
            "api_version": forms.text(params, "api_version") or API_VERSION,
            "application": None,
            "created": now(),
            "description": forms.text(params, "description"),
            "enabled_events": events,
            "livemode": False,
            "metadata": forms.merge_metadata({}, params),
            "status": "enabled",
            "url": url,
        }
    )
    return {**endpoint, "secret": account.webhook_secret}


def update(account: Account, id: str, params: forms.Params) -> Document:
    """Changes what is named; the secret is never shown again."""
    forms.only(params, *_UPDATE_PARAMS)
    endpoint = dict(account.get("webhook_endpoint", id, "webhook_endpoint"))
    if "url" in params:
        endpoint["url"] = _web_address(forms.required(params, "url"))
    if "enabled_events" in params:
        endpoint["enabled_events"] = forms.strings(params, "enabled_events")
    if "description" in params:
        endpoint["description"] = forms.text(params, "description")
    if "disabled" in params:
        endpoint["status"] = "disabled" if forms.boolean(params, "disabled") else "enabled"
    endpoint["metadata"] = forms.merge_metadata(endpoint["metadata"], params)
    return account.save(endpoint)


def _web_address(url: str) -> str:
    if not is_web_address(url):
        raise StripeError.invalid(f"Invalid URL: {url}", code="url_invalid", param="url")
    return url


def subscribe(account: Account, url: str, events: tuple[str, ...]) -> None:
    """Registers the shop's own receiver, once however often it is called."""
    path = urlsplit(url).path
    for endpoint in account.store.list("stripe.webhook_endpoint"):
        if urlsplit(endpoint["url"]).path == path:
            account.save({**endpoint, "url": url, "enabled_events": list(events)})
            return
    create(account, {"url": url, "enabled_events": list(events)})


def delete(account: Account, id: str) -> Document:
    account.get("webhook_endpoint", id, "webhook_endpoint")
    account.store.delete("stripe.webhook_endpoint", id)
    return {"id": id, "object": "webhook_endpoint", "deleted": True}
