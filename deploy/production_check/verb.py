"""`python -m deploy production-check URL`: one line a check, ok or failed, and what mends a failure."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path

from deploy.demo_people import DEMO_PEOPLE
from deploy.errors import CommandError
from deploy.production_check import content, database, operations, owner_settings, pages, webhooks
from deploy.production_check.finding import Finding, Shop
from deploy.shop_settings import SHOP_SETTINGS

Check = Callable[[Shop], list[Finding]]
_MARKS = {"ok": "ok    ", "failed": "failed", "note": "note  "}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("url", metavar="URL", help="the shop's page, like https://shop.example")
    parser.add_argument("--output", choices=("text", "json"), default="text")
    parser.add_argument("--only", action="append", choices=CHECKS, help="this check; may be repeated")
    parser.add_argument("--send-mail-to", default="", metavar="EMAIL", help="also send a mail")
    parser.add_argument(
        "--demo-people", type=Path, default=DEMO_PEOPLE, help="the seed that must not be there"
    )
    parser.add_argument(
        "--settings", type=Path, default=SHOP_SETTINGS, help="the owner's settings (shop.toml)"
    )


def run(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int:
    shop = Shop(arguments.url.rstrip("/"), environ, arguments.demo_people, arguments.settings)
    findings = []
    for name, check in checks(arguments.send_mail_to):
        for finding in _run(name, check, shop) if name in (arguments.only or CHECKS) else ():
            findings.append(finding)
            if arguments.output == "text":
                _show(finding)
    failed = sum(finding.status == "failed" for finding in findings)
    if arguments.output == "json":
        sys.stdout.write(json.dumps([asdict(finding) for finding in findings], indent=2) + "\n")
    else:
        sys.stdout.write(f"\n{failed} failed\n" if failed else "\nall is well\n")
    return 1 if failed else 0


def checks(send_mail_to: str) -> tuple[tuple[str, Check], ...]:
    return (
        ("tables", database.check_database),
        ("prices", content.check_prices),
        ("catalog", content.check_catalog),
        ("buckets", content.check_buckets),
        ("admin", content.check_admin),
        ("demo accounts", content.check_demo_people),
        ("functions", pages.check_functions),
        ("webhooks", webhooks.check_registrations),
        ("signatures", webhooks.check_signatures),
        ("sweep", operations.check_sweep),
        ("jobs", operations.check_jobs),
        ("books", operations.check_books),
        ("accounts", operations.check_accounts),
        ("mail", partial(operations.check_mail, send_to=send_mail_to)),
        ("headers", pages.check_headers),
        ("fallback page", pages.check_fallback),
        ("robots", pages.check_robots),
        ("page settings", pages.check_page_settings),
        ("CORS", pages.check_cors),
        ("settings", owner_settings.check_settings),
    )


CHECKS = tuple(name for name, _ in checks(""))


def _run(name: str, check: Check, shop: Shop) -> list[Finding]:
    """A service that does not answer fails its own check and no other."""
    try:
        return check(shop)
    except CommandError as error:
        return [
            Finding(
                name, "failed", str(error), "set what is missing in .env, or see the service's own status"
            )
        ]


def _show(finding: Finding) -> None:
    mend = f"\n          → {finding.mend}" if finding.mend else ""
    sys.stdout.write(f"  {_MARKS[finding.status]}  {finding.check}: {finding.detail}{mend}\n")
    sys.stdout.flush()
