"""`python -m deploy signing jwt-secret | signing-key`: what a project that you run yourself signs users' tokens with.

Hosted Supabase does both in its dashboard. Here the settings get the new one with the old one beside it: tokens in
browsers stay valid until `--finish`, an hour later.
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

from deploy.environment import ROOT, require
from deploy.errors import CommandError
from deploy.secret_file import store_secret

_SECRET = "SUPABASE_AUTH_JWT_SECRET"  # noqa: S105 - the variable's name
_KEYS = {"SUPABASE_AUTH_ANON_KEY": "anon", "SUPABASE_AUTH_SERVICE_ROLE_KEY": "service_role"}
_OTHERS = "JWT_JWKS"
_BEFORE = "jwks-before.json"
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
        lines = _finish_key(arguments.keys_file)
    else:
        lines = _renew_key(arguments.keys_file, arguments.env_file)
    for line in lines:
        sys.stdout.write(f"{arguments.what}: {line}\n")
    return 0


def _renew_secret(env_file: Path, environ: Mapping[str, str]) -> list[str]:
    (present,) = require(environ, _SECRET)
    fresh = secrets.token_urlsafe(48)
    # the old one first: after a kill in between, tokens stay valid
    before = env_file.with_name(_BEFORE)
    _write_keys(before, [{"kty": "oct", "alg": "HS256", "k": _encoded(present.encode())}])
    store_secret(env_file, _OTHERS, str(before.resolve()))
    for name, role in _KEYS.items():
        store_secret(env_file, name, _sign({"iss": "supabase", "role": role}, fresh))
    store_secret(env_file, _SECRET, fresh)
    return [
        f"{env_file} has a new {_SECRET} and the keys that it signs, {', '.join(_KEYS)}",
        "the secret of before verifies tokens until `--finish`; start the services anew",
    ]


def _finish_secret(env_file: Path) -> list[str]:
    store_secret(env_file, _OTHERS, "")
    env_file.with_name(_BEFORE).unlink(missing_ok=True)
    return ["tokens of the secret of before are refused once the services are started anew"]


def _renew_key(keys_file: Path, env_file: Path) -> list[str]:
    key_id = secrets.token_hex(8)
    key = ECKey.generate_key(
        "P-256", {"kid": key_id, "use": "sig", "alg": "ES256", "key_ops": ["sign", "verify"]}
    )
    _write_keys(keys_file, [key.as_dict(private=True), *_read_keys(keys_file)])
    store_secret(env_file, "SUPABASE_AUTH_SIGNING_KEYS_PATH", str(keys_file.resolve()))
    return [f"{key_id} signs once the services are started anew; the keys of before verify until `--finish`"]


def _finish_key(keys_file: Path) -> list[str]:
    keys = _read_keys(keys_file)
    if not keys:
        raise CommandError(f"{keys_file} holds no keys.")
    _write_keys(keys_file, keys[:1])
    return [f"{len(keys) - 1} keys of before are revoked once the services are started anew"]


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
