"""E-mail addresses: tests/data/email_addresses.json, which the form's test reads too, and what mail servers get.

The table's columns: as written, as an order holds it (`null`: refused), and in ASCII.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from _shared.clients.smtp import Email, Smtp
from _shared.core.email_addresses import ascii_email
from _shared.core.errors import ShopError
from _shared.shipping.addresses import Address, ShippingAddress
from localbase.mail.store import Mail
from pydantic import ValidationError

from tests.shop.unit.functions.samples import ADDRESS
from tests.support.mail_exchange import mails_after
from tests.support.stacks import ROOT

ROWS: list[tuple[str, str | None, str | None]] = json.loads(
    (ROOT / "tests" / "data" / "email_addresses.json").read_text()
)


def of_order(written: str) -> str | None:
    try:
        return ShippingAddress.model_validate(ADDRESS | {"email": written}).email
    except ValidationError as refused:
        assert [error["loc"] for error in refused.errors()] == [("email",)]
        return None


def sent(folder: Path, email: Email, sender: str = "Shop <orders@shop.example>") -> Mail:
    """The one mail that arrives at a server without SMTPUTF8."""
    (mail,) = mails_after(folder, lambda port: Smtp("127.0.0.1", port, "", "", sender).send(email, "key"))
    return mail


def test_every_address_of_the_table_is_stored_as_expected() -> None:
    assert [(row[0], of_order(row[0])) for row in ROWS] == [(row[0], row[1]) for row in ROWS]


def test_printer_gets_the_domain_in_ascii() -> None:
    for _, stored, on_the_wire in ROWS:
        if stored:
            order = Address.model_validate(ADDRESS | {"email": stored})
            assert (order.email, order.to_printify()["email"]) == (stored, on_the_wire)


@pytest.mark.parametrize(
    "address", ["ann", "", "a@b", "ann@\u2764.example", "ann@\u00fc..example", "j\u00f6rg@b.de"]
)
def test_address_that_has_no_ascii_form_stays_as_it_is(address: str) -> None:
    assert ascii_email(address) == address


def test_mail_to_an_internationalised_domain_arrives(tmp_path: Path) -> None:
    mail = sent(tmp_path, Email("ada@b\u00fccher.example", "Gr\u00fc\u00dfe", "Text \u65e5", "<p>\u65e5</p>"))
    assert mail.recipients == ["ada@xn--bcher-kva.example"]
    assert (mail.message()["To"], mail.subject) == ("ada@xn--bcher-kva.example", "Gr\u00fc\u00dfe")
    assert "Text \u65e5" in mail.text()


def test_mail_from_an_internationalised_domain_arrives(tmp_path: Path) -> None:
    email = Email("ann@example.com", "Hello", "Text", "<p>Text</p>", "help@b\u00fccher.example")
    message = sent(tmp_path, email, "B\u00fccher <shop@b\u00fccher.example>").message()
    assert message["From"] == "B\u00fccher <shop@xn--bcher-kva.example>"
    assert message["Reply-To"] == "help@xn--bcher-kva.example"
    assert message["Message-ID"] == "<key@xn--bcher-kva.example>"


def test_mail_without_an_address_for_answers_has_no_such_header(tmp_path: Path) -> None:
    assert (
        sent(tmp_path, Email("ann@example.com", "Hello", "Text", "<p>Text</p>")).message()["Reply-To"] is None
    )


def test_name_before_the_at_sign_that_no_server_takes_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ShopError, match="could not be sent"):
        sent(tmp_path, Email("j\u00f6rg@b.de", "Hello", "Text", "<p>Text</p>"))
