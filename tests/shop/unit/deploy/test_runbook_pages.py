"""docs/runbooks: each page has its parts, and every alert leads to one, and the tests of deploy run the commands."""

from __future__ import annotations

import yaml  # type: ignore[import-untyped, unused-ignore]

from tests.shop.integration.deploy.night import PAGES, Page
from tests.support.stacks import ROOT


def test_every_page_is_in_the_list_and_has_its_parts() -> None:
    listed = (PAGES / "README.md").read_text(encoding="utf-8")
    pages = sorted(path.name for path in PAGES.glob("*.md") if path.name != "README.md")
    assert pages == ["leaked-key.md", "restore.md", "rotate-keys.md", "stuck-order.md", "vendor-down.md"]
    for name in pages:
        assert f"({name})" in listed
        text = (PAGES / name).read_text(encoding="utf-8")
        for part in (
            "**When**",
            "**It is over**",
            "**Say to customers**" if name != "stuck-order.md" else "**Say to",
        ):
            assert part in text, (name, part)
    assert [text for kind, text in Page("README").blocks if kind == "sh"] == ["set -a; . ./.env; set +a\n"]


def test_every_alert_leads_to_a_page_that_names_it() -> None:
    groups = yaml.safe_load((ROOT / "deploy" / "alerts" / "teesmith.yml").read_text(encoding="utf-8"))[
        "groups"
    ]
    alerts = {
        rule["alert"]: rule["annotations"]["runbook_url"] for group in groups for rule in group["rules"]
    }
    assert len(alerts) > 10
    pages = {url: (ROOT / url).read_text(encoding="utf-8") for url in set(alerts.values())}
    assert [alert for alert, url in alerts.items() if f"`{alert}`" not in pages[url]] == []
