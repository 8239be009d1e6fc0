"""The two ways to reach a user, and their addresses: e-mail and phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from localbase.auth.context import Context, text_of
from localbase.auth.errors import AuthError, validation_failed
from localbase.auth.tables.rows import User
from localbase.core.auth_settings import EmailSettings, SmsSettings

LONGEST_EMAIL = 255
# What upstream's library (checkmail) takes: a valid e-mail address of the HTML standard, as `<input type="email">` does
# (https://html.spec.whatwg.org/#valid-e-mail-address).
_LABEL = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
_EMAIL = re.compile(rf"[a-zA-Z0-9.!#$%&'*+/=?^_`{{|}}~-]+@{_LABEL}(?:\.{_LABEL})*")
# By upstream's rule: a telephone library refuses numbers that upstream takes.
_E164 = re.compile(r"[1-9][0-9]{1,14}")


def parse_email(text: str) -> str:
    """The address in lower case, by upstream's rule. Raises 400 in upstream's words."""
    if not text:
        raise validation_failed("An email address is required")
    if len(text.encode(errors="surrogatepass")) > LONGEST_EMAIL:
        raise validation_failed("An email address is too long")
    if not _EMAIL.fullmatch(text):
        raise validation_failed("Unable to validate email address: invalid format")
    return text.lower()


def parse_phone(text: str) -> str:
    """The number without `+` and spaces, by upstream's rule. Raises 400 in upstream's words."""
    number = plain_number(text)
    if not _E164.fullmatch(number):
        raise validation_failed("Invalid phone number format (E.164 required)")
    return number


def plain_number(text: str) -> str:
    """The number without `+` and spaces."""
    return text.removeprefix("+").replace(" ", "")


@dataclass(frozen=True, slots=True)
class Channel:
    """E-mail or phone. `name` is its identities' provider, and the column of `auth.users` with the address."""

    name: Literal["email", "phone"]
    parse: Callable[[str], str]

    def settings(self, context: Context) -> EmailSettings | SmsSettings:
        """The project's section for it."""
        return context.auth.email if self.name == "email" else context.auth.sms

    def require_enabled(self, context: Context, uses: str, status: int = 400) -> None:
        """Raises where the project does not use the channel. `uses` is upstream's word: signups, logins."""
        if not self.settings(context).enabled:
            text = f"{self.name.capitalize()} {uses} are disabled"
            raise AuthError(status, f"{self.name}_provider_disabled", text)

    def address_of(self, user: User) -> str:
        """The user's address, or an empty text."""
        return (user.email if self.name == "email" else user.phone) or ""

    def change_of(self, user: User) -> str:
        """The address that the user wants instead, or an empty text."""
        return (user.email_change if self.name == "email" else user.phone_change) or ""

    def is_confirmed(self, user: User) -> bool:
        """Tell whether the address is known to be the user's own."""
        confirmed_at = user.email_confirmed_at if self.name == "email" else user.phone_confirmed_at
        return confirmed_at is not None

    def not_confirmed(self, status: int = 400) -> AuthError:
        """The refusal of a sign-in before the confirmation."""
        return AuthError(status, f"{self.name}_not_confirmed", f"{self.name.capitalize()} not confirmed")


EMAIL = Channel("email", parse_email)
PHONE = Channel("phone", parse_phone)


def channel_in(body: dict[str, Any], refusal: str) -> tuple[Channel, str] | None:
    """The channel whose address `body` has, and the address as it is written. Raises `refusal` for both."""
    email, phone = text_of(body, "email"), text_of(body, "phone")
    if email and phone:
        raise validation_failed(refusal)
    return (EMAIL, email) if email else (PHONE, phone) if phone else None
