"""`gen bearer-jwt`: a token for calling the Data API as any role and user."""

from __future__ import annotations

import argparse
import json
import time
from datetime import UTC, datetime
from typing import Any

from localbase.cli.call import Call
from localbase.core.configuration import parse_duration
from localbase.core.errors import UserError


def arguments(parser: argparse.ArgumentParser) -> None:
    """Whose it is, and how long it is valid."""
    parser.add_argument("--role", default="", help="Postgres's role (authenticated)")
    parser.add_argument("--sub", default="", help="a user's id")
    parser.add_argument(
        "--exp", default="", metavar="TIME", help="valid until this time in UTC, or Unix seconds"
    )
    parser.add_argument("--valid-for", default="30m", metavar="DURATION", help="valid so long (30m)")
    parser.add_argument("--payload", default="{}", metavar="JSON", help="more claims")


def run(call: Call) -> int:
    """Prints the token, signed as users' tokens are."""
    claims = claims_of(call.options, int(time.time()))
    token = call.project.signing.sign(claims)
    call.output.show({"token": token, "claims": claims}, token)
    return 0


def claims_of(options: argparse.Namespace, now: int) -> dict[str, Any]:
    """The claims. Raises `UserError` for what is none."""
    try:
        more = json.loads(options.payload)
    except ValueError as error:
        raise UserError(
            f"--payload is no JSON: {error}.", """Write --payload '{"name": "value"}'."""
        ) from error
    if not isinstance(more, dict):
        raise UserError("--payload is no JSON object.", """Write --payload '{"name": "value"}'.""")
    subject = {"sub": options.sub} if options.sub else {}
    role = options.role or str(more.get("role", "authenticated"))
    return {**more, **subject, "role": role, "iat": now, "exp": _expiry(options, more, now)}


def _expiry(options: argparse.Namespace, more: dict[str, Any], now: int) -> int:
    try:
        if options.exp:
            if options.exp.isdecimal():
                return int(options.exp)
            moment = datetime.fromisoformat(options.exp)
            return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())
        if isinstance(more.get("exp"), int):
            return int(more["exp"])
        return now + int(parse_duration(options.valid_for))
    except ValueError as error:
        raise UserError(
            f"{options.exp or options.valid_for!r} is no time.",
            "Write --valid-for 1h, or --exp 2030-01-31T12:00:00Z.",
        ) from error
