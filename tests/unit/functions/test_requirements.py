"""Each function's requirements.txt: exact pins, the project's versions, nothing missing that it imports."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SLUGS = sorted(path.parent.name for path in (ROOT / "functions").glob("*/main.py"))
IMPORTED_AS = {"pillow": "PIL", "stripe": "stripe", "postgrest": "postgrest"}


def pins(path: Path) -> dict[str, str]:
    return dict(re.findall(r"(?m)^([a-z0-9-]+)==([^\s;\\]+)", path.read_text()))


def test_specifications_ten_functions_and_those_that_money_and_admins_need_are_there() -> None:
    assert SLUGS == [
        "cancel-order",
        "check-admin-access",
        "create-payment-intent",
        "create-printify-order",
        "create-printify-product",
        "edit-design-image",
        "generate-design-image",
        "import-design",
        "lookup-zip-code",
        "printify-webhook",
        "refund-order",
        "send-order-webhook",
        "send-tracking-webhook",
        "stripe-webhook",
        "sweep",
        "test-webhook",
        "update-order-status",
    ]


@pytest.mark.parametrize("slug", SLUGS)
def test_pins_are_exact_and_the_projects_own(slug: str) -> None:
    path = ROOT / "functions" / slug / "requirements.txt"
    found = pins(path)
    assert len(found) == len(path.read_text().splitlines())
    project = pins(ROOT / "requirements.txt")
    assert found == {name: project[name] for name in found}
    assert {"functions-framework", "flask", "pydantic", "httpx"} <= set(found)


# What a function touches of the shop, so that everything it needs is really imported.
TOUCHES = {
    "lookup-zip-code": "zip_codes",
    "generate-design-image": "callers image_generator usage",
    "edit-design-image": "callers image_generator usage",
    "create-printify-product": "callers designs print_products usage",
    "create-payment-intent": "callers orders payments",
    "update-order-status": "callers orders payments",
    "create-printify-order": "callers orders fulfilment",
    "cancel-order": "callers orders cancellation",
    "refund-order": "callers orders refunds",
    "stripe-webhook": "stripe_events",
    "printify-webhook": "printify_events",
    "sweep": "callers sweep",
    "test-webhook": "callers safe_http",
    "send-order-webhook": "callers orders notifications",
    "send-tracking-webhook": "callers orders notifications",
    "import-design": "callers designs",
    "check-admin-access": "callers",
}
PROBE = """
import sys
from dataclasses import fields
sys.path[:0] = [sys.argv[1], sys.argv[2]]
import main
from _shared.core.settings import read_settings
from _shared.shop import Shop
shop = Shop(read_settings({"SUPABASE_URL": "http://127.0.0.1:9", "SMTP_HOST": "127.0.0.1"}, []))
for name in sys.argv[3].split():
    getattr(shop, name)
print(" ".join(m for m in sys.argv[4].split() if m in sys.modules))
"""


def test_function_that_checks_new_addresses_requires_its_library() -> None:
    # imported when an address is checked, so the probe below does not see it
    assert "email-validator" in pins(ROOT / "functions" / "create-payment-intent" / "requirements.txt")


def test_functions_that_send_mail_require_the_template_library() -> None:
    # Flask imports it too, so the probe below finds it everywhere
    requiring = [slug for slug in SLUGS if "jinja2" in pins(ROOT / "functions" / slug / "requirements.txt")]
    sending = [slug for slug in SLUGS if '"mail"' in (ROOT / "functions" / slug / "main.py").read_text()]
    assert requiring == sending
    assert len(sending) == 5


@pytest.mark.parametrize("slug", SLUGS)
def test_function_imports_only_what_it_requires(slug: str) -> None:
    folder = ROOT / "functions" / slug
    arguments = [str(folder), str(ROOT / "functions"), TOUCHES[slug], " ".join(IMPORTED_AS.values())]
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *arguments], capture_output=True, text=True, timeout=60, check=True
    )
    required = {IMPORTED_AS[name] for name in pins(folder / "requirements.txt") if name in IMPORTED_AS}
    assert set(done.stdout.split()) == required
