"""Stripe's form encoding: `shipping[address][city]=Ely&expand[]=latest_charge` → nested values."""

from __future__ import annotations

import re
from typing import Any, TypeVar
from urllib.parse import parse_qsl

from emulators.stripe.errors import StripeError

Word = TypeVar("Word", bound=str)
Params = dict[str, Any]

_PART = re.compile(r"\[([^\[\]]*)\]")
_INTEGER = re.compile(r"-?[0-9]{1,18}\Z")
# Stripe's own parameters are four deep at most
_DEEPEST = 16
_INDEX = re.compile(r"[0-9]{1,9}\Z")


def parse_form(text: str) -> Params:
    """Nested dictionaries; `name[]` and `name[0]` become lists."""
    root: Params = {}
    for name, value in parse_qsl(text, keep_blank_values=True):
        head, bracket, _ = name.partition("[")
        keys = [head, *_PART.findall(name[len(head) :])] if bracket else [head]
        if len(keys) > _DEEPEST:
            raise StripeError.invalid(f"Invalid object at {head}", param=head)
        _assign(root, keys, value)
    return {key: _lists(value) for key, value in root.items()}


def _assign(node: Params, keys: list[str], value: str) -> None:
    for key, following in zip(keys, [*keys[1:], None], strict=True):
        if key == "":
            key = str(len(node))
        if following is None:
            node[key] = value
            return
        child = node.setdefault(key, {})
        if not isinstance(child, dict):
            raise StripeError.invalid(f"Invalid object at {keys[0]}", param=keys[0])
        node = child


def _lists(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    if value and all(_INDEX.match(key) for key in value):
        return [_lists(value[key]) for key in sorted(value, key=int)]
    return {key: _lists(child) for key, child in value.items()}


def only(params: Params, *names: str) -> Params:
    """Refuses parameters that the endpoint does not know, as Stripe does."""
    for name in params:
        if name not in names:
            raise StripeError.invalid(
                f"Received unknown parameter: {name}", code="parameter_unknown", param=name
            )
    return params


def text(params: Params, name: str) -> str | None:
    """A string parameter; the empty string unsets it."""
    value = params.get(name)
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise StripeError.invalid(f"Invalid string: {value}", param=name)
    return value


def required(params: Params, name: str) -> str:
    value = text(params, name)
    if value is None:
        raise StripeError.invalid(f"Missing required param: {name}.", code="parameter_missing", param=name)
    return value


def integer(params: Params, name: str) -> int | None:
    value = text(params, name)
    if value is None:
        return None
    if not _INTEGER.match(value):
        raise StripeError.invalid(f"Invalid integer: {value}", code="parameter_invalid_integer", param=name)
    return int(value)


def boolean(params: Params, name: str) -> bool:
    value = text(params, name)
    if value not in (None, "true", "false"):
        raise StripeError.invalid(f"Invalid boolean: {value}", param=name)
    return value == "true"


def choice(params: Params, name: str, allowed: tuple[Word, ...]) -> Word | None:
    return None if text(params, name) is None else required_choice(params, name, allowed)


def required_choice(params: Params, name: str, allowed: tuple[Word, ...]) -> Word:
    value = required(params, name)
    for word in allowed:
        if word == value:
            return word
    listed = ", ".join(allowed[:-1]) + f", or {allowed[-1]}"
    raise StripeError.invalid(f"Invalid {name}: must be one of {listed}", param=name)


def mapping(params: Params, name: str) -> Params | None:
    value = params.get(name)
    if value is None or value == "":
        return None
    if not isinstance(value, dict):
        raise StripeError.invalid("Invalid object", param=name)
    return value


def strings(params: Params, name: str) -> list[str]:
    value = params.get(name)
    if value in (None, ""):
        return []
    if not isinstance(value, list):
        raise StripeError.invalid("Invalid array", param=name)
    return [str(item) for item in value]


def merge_metadata(current: dict[str, str], params: Params) -> dict[str, str]:
    """Stripe's rule: named keys are set, keys given an empty string go, `metadata=` clears all."""
    if params.get("metadata") == "":
        return {}
    merged = {**current, **{key: str(value) for key, value in (mapping(params, "metadata") or {}).items()}}
    return {key: value for key, value in merged.items() if value != ""}
