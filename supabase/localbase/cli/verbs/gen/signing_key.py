"""`gen signing-key`: a private key that the project's tokens can be signed with."""

from __future__ import annotations

import argparse
import json
import os
import uuid
from pathlib import Path
from typing import Any

from joserfc.jwk import ECKey, RSAKey

from localbase.cli.call import Call
from localbase.cli.terminal import confirmed, say
from localbase.core.errors import UserError

_RSA_BITS = 2048


def arguments(parser: argparse.ArgumentParser) -> None:
    """Of which kind, and where to."""
    parser.add_argument(
        "--algorithm", choices=("ES256", "RS256"), default="ES256", help="ES256 or RS256 (ES256)"
    )
    parser.add_argument(
        "--append", action="store_true", help="add it to the file of keys, in place of writing that anew"
    )


def run(call: Call) -> int:
    """Writes the key into the file of `[auth] signing_keys_path`; without that setting it is printed."""
    project, options = call.project, call.options
    key = new_key(options.algorithm)
    setting = project.settings.auth.signing_keys_path
    if not setting:
        call.output.show([key], json.dumps([key], indent=2))
        say(
            'Put this into a file, and its name into config.toml: [auth] signing_keys_path = "./signing_keys.json"'
        )
        return 0
    path = project.supabase / setting
    there = _keys_of(path)
    if there and not options.append and not confirmed(f"Replace the keys in {path}?", yes=options.yes):
        say("Nothing was written.")
        return 1
    keys = [*there, key] if options.append else [key]
    _write(path, keys)
    call.output.show({"kid": key["kid"], "file": str(path)}, "")
    say(f"Wrote the key {key['kid']} to {path}; the first of {len(keys)} signs, from the next start on.")
    return 0


def new_key(algorithm: str) -> dict[str, Any]:
    """A private JSON Web Key."""
    if algorithm == "RS256":
        made = RSAKey.generate_key(_RSA_BITS, private=True).as_dict(private=True)
    else:
        made = ECKey.generate_key("P-256", private=True).as_dict(private=True)
    about = {
        "kid": str(uuid.uuid4()),
        "use": "sig",
        "key_ops": ["sign", "verify"],
        "alg": algorithm,
        "ext": True,
    }
    return {"kty": made["kty"], **about, **made, "kid": about["kid"]}


def _keys_of(path: Path) -> list[Any]:
    if not path.exists():
        return []
    try:
        keys = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise UserError(f"{path} is no JSON: {error}.", "Mend it, or remove it.") from error
    if not isinstance(keys, list):
        raise UserError(f"{path} holds no list of keys.", "Mend it, or remove it.")
    return keys


def _write(path: Path, keys: list[Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.partial")
    # Private keys: only for this user's eyes.
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(json.dumps(keys, indent=2) + "\n")
    partial.replace(path)
