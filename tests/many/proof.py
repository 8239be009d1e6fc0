"""After the faults: everything that was acknowledged is there, and all sides have the same money."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from localbase.mail.store import MailStore

from emulators.core.environment import vendor_variables
from tests.chaos.invariants import Figures, Invariants
from tests.chaos.shoppers import Shop, Visit
from tests.many.many import Many
from tests.many.people import Drawing, Studio
from tests.many.probes import Probes
from tests.support.stacks import ROOT

Json = dict[str, Any]


class Records(Invariants):
    """The same records, with the mails of this shop's own server."""

    def __init__(self, many: Many) -> None:
        super().__init__(many.stack)
        self._mails = many.mails.folder / "disk" / "mails.db"

    def mails(self) -> list[Json]:
        store = MailStore(self._mails)
        mails: list[Json] = []
        while page := store.page(len(mails), 100)[0]:
            mails += [
                {
                    "MessageID": mail.message()["message-id"],
                    "Subject": mail.subject,
                    "To": [{"Address": to} for to in mail.recipients],
                }
                for mail in page
            ]
        store.close()
        return mails


@dataclass
class Proof:
    """What was compared; `violations` is empty where nothing was lost."""

    figures: Figures
    pictures: int
    rows: int
    files: int
    mails: int
    compare_payments: str
    violations: list[str] = field(default_factory=list)


def prove(
    many: Many, shop: Shop, visits: list[Visit], drawing: Drawing, probes: Probes, *, seconds: float
) -> Proof:
    """Waits until nothing is open any more, at most for `seconds`, and compares."""
    records = Records(many)
    records.wait_until_calm(seconds)
    figures = records.compare(visits, lambda visit: shop.email(visit.checkout))
    studio = Studio(many.stack, drawing)
    lost = [kept.name for kept in drawing.kept if not studio.is_there(kept)]
    violations = [
        *figures.violations,
        *(f"picture {name} is lost" for name in lost),
        *(f"row {name} is lost" for name in probes.lost_rows()),
        *(f"file {name} is lost" for name in probes.lost_files()),
    ]
    if (figures.lost, figures.doubled) != (0, 0):
        violations.append(f"{figures.lost} orders lost, {figures.doubled} doubled")
    if figures.charged_cents != figures.owed_cents:
        violations.append(f"charged {figures.charged_cents}, owed {figures.owed_cents}")
    compared = deploy(many, "compare-payments")
    if compared.returncode:
        violations.append(f"compare-payments: {compared.stdout}{compared.stderr}")
    return Proof(
        figures,
        pictures=len(drawing.kept),
        rows=len(probes.rows),
        files=len(probes.files),
        mails=len(records.mails()),
        compare_payments=compared.stdout.strip(),
        violations=violations,
    )


def deploy(
    many: Many, *words: str, environ: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """`python -m deploy WORDS` as the owner; the database is asked through the pooler where there is one."""
    outside = {"EMULATORS_URL": many.stack.emulators_url}
    settings = {
        "PATH": f"{sys.prefix}/bin:/usr/bin:/bin",
        **vendor_variables(outside, {}),
        "SUPABASE_URL": many.stack.api_url,
        "SUPABASE_SECRET_KEY": many.stack.secret_key,
        "SUPABASE_PUBLISHABLE_KEY": many.stack.publishable_key,
        "SUPABASE_DB_URL": many.pooler_url if many.pooler else many.database.url,
        "SITE_URL": many.stack.site_url,
        **(environ or {}),
    }
    return subprocess.run(
        [sys.executable, "-m", "deploy", *words],
        cwd=ROOT,
        env=settings,
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )
