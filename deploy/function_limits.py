"""Each function's needs on Google Cloud: memory, calls at once, time, and the groups of settings that it needs.

Its own limits (60 seconds, 256 MB, one call at a time) would cut the picture functions off. A test holds this table
to the functions: their groups, and how long their vendors may take.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Group = Literal["supabase", "stripe", "stripe_events", "printify", "printify_events", "replicate", "mail"]
# between the function's own last response and the platform's end
_MARGIN_SECONDS = 30


@dataclass(frozen=True)
class Limits:
    """`patience` is the longest that the function waits for its vendors, in seconds; `threads` the calls at once."""

    patience: int
    memory: str
    threads: int
    cpu: int = 1

    @property
    def timeout(self) -> int:
        return self.patience + _MARGIN_SECONDS


# a few calls of Stripe (20 s, three attempts), the printer (45 s) or the database (15 s)
PLAIN = Limits(patience=120, memory="512Mi", threads=8)
# the database (15 s), the site (5 s), the printer's picture (10 s) and storage (30 s) for a link's picture
PAGE = Limits(patience=60, memory="1Gi", threads=8)
# two models, each with 100 s and one request of up to 65 s more, and the queue for a place (15 s)
PICTURE = Limits(patience=350, memory="1Gi", threads=8)
# a picture of 25 megapixels decoded and stored as PNG, two at once
ARTWORK = Limits(patience=120, memory="1Gi", threads=4)
# one model, storage (30 s), and four calls of the printer (45 s each); a print file takes 450 MB, two at once
PRINT = Limits(patience=390, memory="2Gi", threads=4)
# both sides drawn at half a print's size and looked at, and one call of the printer (45 s); two at once
CHECK = Limits(patience=120, memory="2Gi", threads=4)
# forty seconds of orders, of which the last may take as long as a plain call, twenty of pictures, of which the last may
# be a print file, and objects; a print file that is made anew is begun within the first hundred
SWEEP = Limits(patience=390, memory="2Gi", threads=2)
# every function: the longest patience, and threads of which one function takes half at most
CONTAINER = Limits(patience=390, memory="2Gi", threads=32, cpu=2)


@dataclass(frozen=True)
class Function:
    limits: Limits
    needs: tuple[Group, ...]


FUNCTIONS: dict[str, Function] = {
    "add-artwork": Function(ARTWORK, ("supabase",)),
    "begin-design": Function(PLAIN, ("supabase",)),
    "cancel-order": Function(PLAIN, ("supabase", "stripe", "printify")),
    "check-admin-access": Function(PLAIN, ("supabase",)),
    "check-print": Function(CHECK, ("supabase", "printify")),
    "create-payment-intent": Function(PLAIN, ("supabase", "stripe")),
    "create-printify-order": Function(PLAIN, ("supabase", "printify")),
    "create-printify-product": Function(PRINT, ("supabase", "printify", "replicate")),
    "delete-account": Function(PLAIN, ("supabase", "stripe")),
    "design-page": Function(PAGE, ("supabase",)),
    "edit-design-image": Function(PICTURE, ("supabase", "replicate")),
    "export-account": Function(PLAIN, ("supabase",)),
    "finish-scene": Function(PRINT, ("supabase", "printify", "replicate")),
    "finish-payment": Function(PLAIN, ("supabase", "stripe")),
    "generate-design-image": Function(PICTURE, ("supabase", "replicate")),
    "get-order-status": Function(PLAIN, ("supabase",)),
    "import-design": Function(PLAIN, ("supabase",)),
    "list-print-files": Function(PLAIN, ("supabase", "printify")),
    "lookup-zip-code": Function(PLAIN, ("supabase",)),
    "mend-picture": Function(PRINT, ("supabase", "printify", "replicate")),
    "printify-webhook": Function(PLAIN, ("supabase", "printify", "printify_events", "stripe", "mail")),
    "refund-order": Function(PLAIN, ("supabase", "stripe", "printify")),
    "report-design": Function(PLAIN, ("supabase",)),
    "send-order-webhook": Function(PLAIN, ("supabase", "mail")),
    "send-tracking-webhook": Function(PLAIN, ("supabase", "mail")),
    "stripe-webhook": Function(PLAIN, ("supabase", "stripe", "stripe_events", "printify", "mail")),
    "sweep": Function(SWEEP, ("supabase", "stripe", "printify", "replicate", "mail")),
    "test-webhook": Function(PLAIN, ("supabase",)),
    "update-order-status": Function(PLAIN, ("supabase", "stripe")),
}

# Never on a command line, in a file or in a log: functions get them from Secret Manager, by these names.
SECRETS: dict[Group, tuple[str, ...]] = {
    "supabase": ("SUPABASE_SERVICE_ROLE_KEY",),
    "stripe": ("STRIPE_SECRET_KEY",),
    "stripe_events": ("STRIPE_WEBHOOK_SECRET",),
    "printify": ("PRINTIFY_API_TOKEN",),
    "printify_events": ("PRINTIFY_WEBHOOK_SECRET",),
    "replicate": ("REPLICATE_API_TOKEN",),
}
# Only where the shop uses them: a name that Secret Manager lacks fails the deployment.
OPTIONAL_SECRETS: dict[Group, tuple[str, ...]] = {
    "supabase": ("SUPABASE_SECRET_KEY", "ORDER_LINK_SECRET", "ORDER_LINK_SECRET_PREVIOUS"),
    "stripe_events": ("STRIPE_WEBHOOK_SECRET_PREVIOUS",),
    "printify_events": ("PRINTIFY_WEBHOOK_SECRET_PREVIOUS",),
    "mail": ("SMTP_PASS", "AUTOMATION_WEBHOOK_SECRET"),
}
# Of the container's server, which has /metrics; optional as well.
METRICS_SECRET = "METRICS_TOKEN"  # noqa: S105 - a name
ALL_SECRETS = frozenset(
    (METRICS_SECRET, *(name for names in (*SECRETS.values(), *OPTIONAL_SECRETS.values()) for name in names))
)
