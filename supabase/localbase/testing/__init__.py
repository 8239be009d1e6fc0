"""The tests of a project: a fresh one for each test, by pytest's fixture `localbase_project` (`pytest_plugin`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["LocalbaseProject"]


@dataclass(frozen=True, slots=True)
class LocalbaseProject:
    """The addresses and keys of a project; `values` has all that `localbase status` shows, by the same names."""

    api_url: str
    db_url: str
    mailbox_url: str
    publishable_key: str
    secret_key: str
    anon_key: str
    service_role_key: str
    values: Mapping[str, str]
