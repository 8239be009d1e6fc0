"""The mails' own subjects and bodies, where a project gives none."""

from __future__ import annotations

from localbase.auth.messages.message import NotificationKind, TokenKind

_LINK = '<p><a href="{{{{ .ConfirmationURL }}}}">{label}</a></p>'
_CODE = "<p>Or enter this code: <b>{{ .Token }}</b></p>"
_NOT_YOU = "<p>If that was not you, choose a new password and write to us.</p>"


def _with_link(title: str, text: str, label: str) -> str:
    return f"<h2>{title}</h2><p>{text}</p>{_LINK.format(label=label)}{_CODE}"


def _about_change(title: str, text: str) -> str:
    return f"<h2>{title}</h2><p>{text}</p>{_NOT_YOU}"


TEXTS: dict[TokenKind | NotificationKind, tuple[str, str]] = {
    "confirmation": (
        "Confirm your email address",
        _with_link(
            "Welcome!",
            "Follow this link to confirm your email address and finish signing up:",
            "Confirm email address",
        ),
    ),
    "invite": (
        "You have been invited",
        _with_link(
            "You have been invited",
            "Follow this link to accept, and to make your account at {{ .SiteURL }}:",
            "Accept the invitation",
        ),
    ),
    "recovery": (
        "Reset your password",
        _with_link("Reset your password", "Follow this link to choose a new password:", "Reset password"),
    ),
    "magic_link": ("Your sign-in link", _with_link("Sign in", "Follow this link to sign in:", "Sign in")),
    "email_change": (
        "Confirm your new email address",
        _with_link(
            "A new email address",
            "Follow this link to change your email address from {{ .Email }} to {{ .NewEmail }}:",
            "Change email address",
        ),
    ),
    "reauthentication": (
        "{{ .Token }} is your verification code",
        "<h2>Is it you?</h2><p>Enter this code: <b>{{ .Token }}</b></p>",
    ),
    "password_changed": (
        "Your password was changed",
        _about_change("A new password", "The password of {{ .Email }} was changed."),
    ),
    "email_changed": (
        "Your email address was changed",
        _about_change(
            "A new email address", "Your email address was changed from {{ .OldEmail }} to {{ .Email }}."
        ),
    ),
    "phone_changed": (
        "Your phone number was changed",
        _about_change(
            "A new phone number", "Your phone number was changed from {{ .OldPhone }} to {{ .Phone }}."
        ),
    ),
    "identity_linked": (
        "A new way to sign in",
        _about_change("A new way to sign in", "{{ .Email }} can sign in with {{ .Provider }} from now on."),
    ),
    "identity_unlinked": (
        "A way to sign in was removed",
        _about_change(
            "A way to sign in was removed", "{{ .Email }} can no longer sign in with {{ .Provider }}."
        ),
    ),
    "mfa_factor_enrolled": (
        "A second factor was added",
        _about_change(
            "A second factor was added", "Your account has a new second factor: {{ .FactorType }}."
        ),
    ),
    "mfa_factor_unenrolled": (
        "A second factor was removed",
        _about_change(
            "A second factor was removed", "Your account has lost a second factor: {{ .FactorType }}."
        ),
    ),
}
