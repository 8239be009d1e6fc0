"""`python -m deploy signing jwt-secret | signing-key`: what a project that you run yourself signs users' tokens with.

Hosted Supabase does both in its dashboard. Here the settings get the new one with the old one beside it: tokens in
browsers stay valid until `--finish`, an hour later. A step that finds another state than the one before it left changes
nothing and says so.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import hmac
import json
import os
import secrets
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from joserfc.jwk import ECKey

from deploy.environment import ROOT, read_environ
from deploy.errors import CommandError
from deploy.secret_file import store_secret

_SECRET = "SUPABASE_AUTH_JWT_SECRET"  # noqa: S105 - the variable's name
_KEYS = {"SUPABASE_AUTH_ANON_KEY": "anon", "SUPABASE_AUTH_SERVICE_ROLE_KEY": "service_role"}
_OTHERS = "JWT_JWKS"
_BEFORE = "jwks-before.json"
_KEYS_PATH = "SUPABASE_AUTH_SIGNING_KEYS_PATH"
_READ_ANEW = "a shell that has read the file before reads it anew first: set -a; . ./.env; set +a"
_TEN_YEARS = 315_360_000
_OWNER_ONLY = 0o600


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=("jwt-secret", "signing-key"))
    parser.add_argument(
        "--finish", action="store_true", help="end what was there before, an hour after the new one"
    )
    parser.add_argument("--env-file", type=Path, default=ROOT / ".env", help="where secrets are written")
    parser.add_argument(
        "--keys-file",
        type=Path,
        default=ROOT / "supabase" / "signing_keys.json",
        help="[auth] signing_keys_path",
    )


def run(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:
    if arguments.what == "jwt-secret":
        lines = (
            _finish_secret(arguments.env_file)
            if arguments.finish
            else _renew_secret(arguments.env_file, environ)
        )
    elif arguments.finish:
        lines = _finish_key(arguments.keys_file, arguments.env_file)
    else:
        lines = _renew_key(arguments.keys_file, arguments.env_file)
    for line in lines:
        sys.stdout.write(f"{arguments.what}: {line}\n")
    return 0


def _renew_secret(env_file: Path, environ: Mapping[str, str]) -> list[str]:
    before = env_file.with_name(_BEFORE)
    present = _present_secret(env_file, before, environ)
    fresh = secrets.token_urlsafe(48)
    # the old one first: after a kill in between, tokens stay valid
    key = {"kty": "oct", "alg": "HS256", "k": _encoded(present.encode())}
    _write_keys(before, [key, *(older for older in _read_keys(before) if older != key)])
    store_secret(env_file, _OTHERS, str(before.resolve()))
    for name, role in _KEYS.items():
        store_secret(env_file, name, _sign({"iss": "supabase", "role": role}, fresh))
    store_secret(env_file, _SECRET, fresh)
    return [
        f"{env_file} has a new {_SECRET} and the keys that it signs, {', '.join(_KEYS)}",
        f"the secret of before verifies tokens until `--finish`; start the services anew ({_READ_ANEW})",
    ]


def _present_secret(env_file: Path, before: Path, environ: Mapping[str, str]) -> str:
    """Return what signs now, where it is certain that it is that one, and that no other keys get lost."""
    present, in_file = environ.get(_SECRET, ""), read_environ({}, env_file)
    if not present:
        raise CommandError(
            f"Set {_SECRET} in {env_file} to the secret that signs now (JWT_SECRET of `supabase status -o env`)."
        )
    if in_file.get(_SECRET, present) != present:
        raise CommandError(f"{_SECRET} is another one here than in {env_file}: {_READ_ANEW}.")
    if in_file.get(_OTHERS, "") not in ("", str(before.resolve())):
        raise CommandError(
            f"{_OTHERS} in {env_file} names keys of others, which would be lost: move it first."
        )
    return present


def _finish_secret(env_file: Path) -> list[str]:
    before = env_file.with_name(_BEFORE)
    ended = [key["k"] for key in _read_keys(before)]
    if not ended:
        raise CommandError(
            f"There is nothing to finish: {before} has no secret of before. No new one was made."
        )
    present = read_environ({}, env_file).get(_SECRET, "")
    if not present or _encoded(present.encode()) in ended:
        raise CommandError(
            f"{env_file} has no new {_SECRET}: the step before has stopped midway. Run it again, without --finish."
        )
    store_secret(env_file, _OTHERS, "")
    before.unlink()
    return [f"tokens of the secret of before are refused once the services are started anew ({_READ_ANEW})"]


def _renew_key(keys_file: Path, env_file: Path) -> list[str]:
    _require_used(keys_file, env_file)
    key_id = secrets.token_hex(8)
    key = ECKey.generate_key(
        "P-256", {"kid": key_id, "use": "sig", "alg": "ES256", "key_ops": ["sign", "verify"]}
    )
    _write_keys(keys_file, [key.as_dict(private=True), *_read_keys(keys_file)])
    store_secret(env_file, _KEYS_PATH, str(keys_file.resolve()))
    return [f"{key_id} signs once the services are started anew; the keys of before verify until `--finish`"]


def _finish_key(keys_file: Path, env_file: Path) -> list[str]:
    _require_used(keys_file, env_file)
    keys = _read_keys(keys_file)
    if len(keys) < 2:
        raise CommandError(
            f"There is nothing to finish: {keys_file} has no key of before. No new one was made."
        )
    _write_keys(keys_file, keys[:1])
    return [f"{len(keys) - 1} keys of before are revoked once the services are started anew"]


def _require_used(keys_file: Path, env_file: Path) -> None:
    used = read_environ({}, env_file).get(_KEYS_PATH, "")
    if used and Path(used).resolve() != keys_file.resolve():
        raise CommandError(
            f"The services read {used} ({_KEYS_PATH} in {env_file}), not {keys_file}: name it by --keys-file."
        )


def _read_keys(file: Path) -> list[dict[str, Any]]:
    if not file.exists():
        return []
    keys: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
    return keys


def _write_keys(file: Path, keys: list[dict[str, Any]]) -> None:
    fresh = file.with_name(f"{file.name}.new")
    fresh.unlink(missing_ok=True)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
    with os.fdopen(descriptor, "w", encoding="utf-8") as out:
        json.dump(keys, out)
    fresh.replace(file)


def _sign(claims: dict[str, Any], secret: str) -> str:
    now = int(time.time())
    parts = ({"alg": "HS256", "typ": "JWT"}, {**claims, "iat": now, "exp": now + _TEN_YEARS})
    signed = ".".join(_encoded(json.dumps(part, separators=(",", ":")).encode()) for part in parts)
    return f"{signed}.{_encoded(hmac.new(secret.encode(), signed.encode(), hashlib.sha256).digest())}"


def _encoded(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()
