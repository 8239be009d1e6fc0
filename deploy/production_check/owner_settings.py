"""Settings that the owner has left as they came: no failure, but worth a decision before the shop opens."""

from __future__ import annotations

import tomllib

from deploy.environment import ROOT
from deploy.production_check.finding import Finding, Shop
from deploy.shop_settings import unchanged_settings

# An address at example domains reaches no one: no shop can be open with it.
_SHARED = ROOT / "functions" / "_shared"
_MUST_CHANGE = "shop.support_email"


def check_settings(shop: Shop) -> list[Finding]:
    unchanged = unchanged_settings(shop.settings)
    variables = [name for name in ("MAIL_FROM", "SITE_URL", "NOTICE_EMAIL") if not shop.environ.get(name)]
    findings = [Finding("settings", "note", f"still as it came in shop.toml: {name}") for name in unchanged]
    findings += [Finding("settings", "note", f"{name} is not set: its default is used") for name in variables]
    if _MUST_CHANGE in unchanged:
        mend = "set shop.support_email in shop.toml, then build the web client again"
        findings.append(
            Finding("support address", "failed", "customers are sent to an example's address", mend)
        )
    profile = tomllib.loads(shop.settings.read_text(encoding="utf-8")).get("print", {}).get("ink_profile", "")
    if profile and not (_SHARED / profile).is_file():
        mend = "copy the printer's ICC profile there, or empty print.ink_profile in shop.toml"
        findings.append(Finding("ink profile", "failed", f"there is no functions/_shared/{profile}", mend))
    return findings or [Finding("settings", "ok", "all decided")]
