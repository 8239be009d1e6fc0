"""A project on any Supabase, named by address and keys, in place of the stacks that tests start themselves.

`make compat URL=…` runs tests/compat against it. The environment: COMPAT_URL, COMPAT_PUBLISHABLE_KEY and
COMPAT_SECRET_KEY; the legacy keys as COMPAT_ANON_KEY and COMPAT_SERVICE_ROLE_KEY where a project has them; for tests
that look into the database COMPAT_DB_URL; and COMPAT_PROJECT, what the project was made of: `shop` (sql/migrations, the
default) or the name of a folder of tests/projects.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

import pytest

from tests.support.stacks import ROOT, Stack


def remote_project(name: str, environ: Mapping[str, str] = os.environ) -> Stack | None:
    """The named project, if it was made of `name`; None where none is named.

    Skips the test if it was made of something else. Raises `UsageError` for a project without keys.
    """
    url = environ.get("COMPAT_URL", "").rstrip("/")
    if not url:
        return None
    made_of = environ.get("COMPAT_PROJECT", "shop")
    if made_of != name:
        pytest.skip(f"{url} was made of {made_of}; this needs {name} (COMPAT_PROJECT={name})")
    missing = [key for key in ("COMPAT_PUBLISHABLE_KEY", "COMPAT_SECRET_KEY") if not environ.get(key)]
    if missing:
        raise pytest.UsageError(f"{' and '.join(missing)} must be set: the keys of {url}.")
    publishable, secret = environ["COMPAT_PUBLISHABLE_KEY"], environ["COMPAT_SECRET_KEY"]
    root = ROOT if name == "shop" else ROOT / "tests" / "projects" / name
    return Stack(
        api_url=url,
        db_url=environ.get("COMPAT_DB_URL", ""),
        anon_key=environ.get("COMPAT_ANON_KEY", publishable),
        service_role_key=environ.get("COMPAT_SERVICE_ROLE_KEY", secret),
        publishable_key=publishable,
        secret_key=secret,
        jwt_secret="",
        mailbox_url="",
        site_url="",
        emulators_url="",
        root=root,
        environ=environ,
    )
