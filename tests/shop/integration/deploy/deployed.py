"""The shop as its owner checks it, for tests of `production-check`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psycopg

from tests.shop.integration.deploy.owner import Owner
from tests.support.stacks import ROOT, Stack

Sql = psycopg.Connection[dict[str, Any]]


@dataclass(frozen=True)
class Deployed:
    """The shop as its owner checks it. The demonstration's people count as customers: `no_people` is an empty seed."""

    stack: Stack
    owner: Owner
    sql: Sql
    no_people: Path
    settings: Path
    secrets: Path

    def check(
        self, *only: str, url: str = "", environ: dict[str, str] | None = None, demo: bool = False
    ) -> list[Any]:
        """The findings of the named checks."""
        options = () if demo else ("--demo-people", str(self.no_people))
        named = [word for name in only for word in ("--only", name)]
        response = self.owner.run(
            "production-check",
            url or self.stack.site_url,
            "--output",
            "json",
            *named,
            *options,
            "--settings",
            str(self.settings),
            environ=environ,
        )
        assert response.err == ""
        findings = json.loads(response.out)
        assert response.code == int(any(finding["status"] == "failed" for finding in findings))
        return list(findings)

    def failure(self, *only: str, **sent: Any) -> tuple[str, str, str]:
        """Check, detail and mend of the one failure."""
        (failed,) = (finding for finding in self.check(*only, **sent) if finding["status"] == "failed")
        return failed["check"], failed["detail"], failed["mend"]

    def mend(self, verb: str, *arguments: str) -> None:
        response = self.owner.run(verb, *arguments)
        assert response.code == 0, response.err


def deployed_shop(stack: Stack, owner: Owner, sql: Sql, tmp_path: Path) -> Deployed:
    no_people = tmp_path / "no-people.sql"
    no_people.write_text("-- none\n", encoding="utf-8")
    smtp = {"SMTP_HOST": "127.0.0.1", "SMTP_PORT": stack.environ["SUPABASE_LOCAL_SMTP_SMTP_PORT"]}
    owner.environ.update({**smtp, "SUPABASE_DB_URL": stack.db_url})
    settings = tmp_path / "shop.toml"
    came = (ROOT / "shop.toml").read_text(encoding="utf-8")
    settings.write_text(came.replace("support@teesmith.example", "help@shop.example"), encoding="utf-8")
    for left_by_other_tests in (
        "update order_flags set resolved_at = now() where resolved_at is null",
        "update order_jobs set done_at = now() where gave_up_at is not null and done_at is null",
        "update order_messages set sent_at = now() where gave_up_at is not null and sent_at is null",
        "update private.money_checks set mailed_at = null, due_at = 'infinity', agreed_at = now()",
    ):
        sql.execute(left_by_other_tests)
    sweep = f"{stack.api_url}/functions/v1/sweep"
    key = {"apikey": stack.secret_key, "authorization": f"Bearer {stack.secret_key}"}
    assert httpx.post(sweep, headers=key, json={}, timeout=60).status_code == 200
    return Deployed(stack, owner, sql, no_people, settings, tmp_path / ".env")
