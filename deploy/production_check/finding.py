"""A check's finding, and the questions of checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from deploy import services
from deploy.environment import require
from deploy.http import Api

Status = Literal["ok", "failed", "note"]


@dataclass(frozen=True)
class Finding:
    """`mend` is the command, or the step, that mends a failure. A note is no failure."""

    check: str
    status: Status
    detail: str
    mend: str = ""


def finding(check: str, problems: list[str], ok: str, mend: str) -> Finding:
    """Ok without problems."""
    if problems:
        return Finding(check, "failed", "; ".join(problems), mend)
    return Finding(check, "ok", ok)


@dataclass(frozen=True)
class Shop:
    """The deployed shop: its page's address and the owner's environment. `demo_people` is the demonstration's seed."""

    url: str
    environ: Mapping[str, str]
    demo_people: Path
    settings: Path

    @cached_property
    def project(self) -> Api:
        """Supabase with the secret key."""
        return services.supabase(self.environ)

    @property
    def supabase_url(self) -> str:
        return (self.environ.get("SUPABASE_PUBLIC_URL") or require(self.environ, "SUPABASE_URL")[0]).rstrip(
            "/"
        )

    @property
    def functions_url(self) -> str:
        return services.functions_url(self.environ)

    def web(self) -> Api:
        """The shop's pages, as a visitor without a session."""
        return Api("The shop's page", self.url, {"Accept-Encoding": "identity"})

    def functions(self) -> Api:
        return Api("The functions", self.functions_url, {})
