"""Outcomes are `Literal`s, so that the type checker proves every branch; here a text from outside becomes one."""

from __future__ import annotations

from typing import TypeVar

from _shared.core.errors import unavailable

Outcome = TypeVar("Outcome", bound=str)


def one_of(outcomes: tuple[Outcome, ...], value: object) -> Outcome:
    """`value` as one of `outcomes` (`get_args` of the Literal); 502 for any other, as from a newer database."""
    for outcome in outcomes:
        if value == outcome:
            return outcome
    raise unavailable(
        "unexpected_outcome", "Something went wrong on our side.", f"{value!r} is none of {outcomes}"
    )
