"""Lists, newest first: https://docs.stripe.com/api/pagination, and `created` as an equal or as bounds."""

from __future__ import annotations

from collections.abc import Callable
from operator import ge, gt, le, lt

from emulators.core.store import Document
from emulators.stripe import forms
from emulators.stripe.account import Account, now
from emulators.stripe.errors import StripeError

_BOUNDS: dict[str, Callable[[int, int], bool]] = {"gt": gt, "gte": ge, "lt": lt, "lte": le}
_MOST_TYPES = 20
_DAYS_OF_EVENTS = 30 * 86_400


def list_objects(account: Account, object: str, params: forms.Params, filters: tuple[str, ...]) -> Document:
    """A page of the objects whose `filters` are as `params` say."""
    forms.only(params, *filters, "created", "limit", "starting_after", "ending_before", "expand")
    criteria = {name: params[name] for name in filters if name in params}
    wanted = _created_within(params)
    items = [
        item
        for item in account.store.each(f"stripe.{object}")
        if wanted(item["created"]) and all(item.get(name) == value for name, value in criteria.items())
    ]
    return _page(account, object, items, params)


def list_events(account: Account, params: forms.Params) -> Document:
    """Those of the last thirty days: https://docs.stripe.com/api/events/list."""
    own = ("type", "types", "delivery_success")
    forms.only(params, *own, "created", "limit", "starting_after", "ending_before", "expand")
    types = forms.strings(params, "types")
    if types and "type" in params:
        raise StripeError.invalid("You may only specify one of these parameters: type, types.")
    if len(types) > _MOST_TYPES:
        raise StripeError.invalid(f"Invalid array: must have at most {_MOST_TYPES} items.", param="types")
    types = types or [value for value in [forms.text(params, "type")] if value]
    wanted, oldest, is_delivered = (
        _created_within(params),
        now() - _DAYS_OF_EVENTS,
        _delivered(account, params),
    )
    items = [
        event
        for event in account.store.each("stripe.event")
        if event["created"] >= oldest
        and wanted(event["created"])
        and (not types or event["type"] in types)
        and is_delivered(event["id"])
    ]
    return _page(account, "event", items, params)


def _delivered(account: Account, params: forms.Params) -> Callable[[str], bool]:
    if "delivery_success" not in params:
        return lambda _: True
    wanted = forms.boolean(params, "delivery_success")
    undelivered = {str(one["about"]) for one in account.webhooks.undelivered()}
    return lambda id: (id not in undelivered) is wanted


def _created_within(params: forms.Params) -> Callable[[int], bool]:
    created = params.get("created")
    if not isinstance(created, dict):
        moment = forms.integer(params, "created")
        return lambda made: moment is None or made == moment
    bounds = [(_BOUNDS[name], forms.integer(created, name) or 0) for name in created if name in _BOUNDS]
    if len(bounds) < len(created):
        raise StripeError.invalid("Invalid created: use gt, gte, lt or lte.", param="created")
    return lambda made: all(holds(made, bound) for holds, bound in bounds)


def _page(account: Account, object: str, items: list[Document], params: forms.Params) -> Document:
    limit = forms.integer(params, "limit")
    limit = 10 if limit is None else limit
    if not 1 <= limit <= 100:
        raise StripeError.invalid("Invalid limit: must be between 1 and 100.", param="limit")
    after, before = (_place(object, items, params, name) for name in ("starting_after", "ending_before"))
    if after is not None and before is not None:
        raise StripeError.invalid(
            "You may only specify one of these parameters: starting_after, ending_before."
        )
    left = items[:before] if after is None else items[after + 1 :]
    page = left[-limit:] if before is not None else left[:limit]
    data = [account.expand(item, []) for item in page]
    return {"object": "list", "data": data, "has_more": len(left) > limit, "url": f"/v1/{object}s"}


def _place(object: str, items: list[Document], params: forms.Params, name: str) -> int | None:
    id = forms.text(params, name)
    if id is None:
        return None
    place = next((place for place, item in enumerate(items) if item["id"] == id), None)
    if place is None:
        raise StripeError.invalid(f"No such {object}: '{id}'", code="resource_missing", param=name)
    return place
