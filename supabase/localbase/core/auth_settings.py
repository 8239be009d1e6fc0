"""`[auth]` of a project's `config.toml`: every key of the official CLI's template, with its defaults.

What localbase cannot do is read too. Switched on it is named at start (real SMS, wallets, third parties' tokens: the
service refuses them, or does less), or rejected where a guard would be missing (captchas).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
from typing import Any, Literal, NewType

from localbase.core.tokens import jwt

Seconds = NewType("Seconds", float)
"""Written as Go's duration: `1s`, `1h30m`."""

# The keys that the official CLI gives every local project: public knowledge, worthless outside the own machine.
LOCAL_JWT_SECRET = "super-secret-jwt-token-with-at-least-32-characters-long"  # noqa: S105
LOCAL_PUBLISHABLE_KEY = "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH"
LOCAL_SECRET_KEY = "sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz"  # noqa: S105
# Of the two keys that are tokens. Signed with the published secret they are the published keys.
_KEY_ISSUER, _KEY_EXPIRY = "supabase-demo", 1_983_812_996
_SHORTEST_SECRET = 16


@dataclass(frozen=True, slots=True)
class SmtpSettings:
    """`[auth.email.smtp]`: a real mail server; without it mails go to the mailbox."""

    enabled: bool = False
    host: str = ""
    port: int = 587
    user: str = ""
    password: str = field(default="", metadata={"toml": "pass"})
    admin_email: str = "admin@email.com"
    sender_name: str = ""


@dataclass(frozen=True, slots=True)
class MailTemplate:
    """`[auth.email.template.<kind>]`: a mail's subject and body (a Go template, as in GoTrue)."""

    subject: str = ""
    content: str = ""
    content_path: str = ""


@dataclass(frozen=True, slots=True)
class Notification:
    """`[auth.email.notification.<kind>]`: a mail that tells users what has changed in their account."""

    enabled: bool = False
    subject: str = ""
    content: str = ""
    content_path: str = ""


@dataclass(frozen=True, slots=True)
class EmailSettings:
    """`[auth.email]`. `otp_expiry` is in seconds. The official CLI has no name for `require_current_password`."""

    enabled: bool = field(default=True, metadata={"former": "enable_signup"})
    double_confirm_changes: bool = True
    enable_confirmations: bool = False
    secure_password_change: bool = False
    require_current_password: bool = False
    max_frequency: Seconds = Seconds(1)
    otp_length: int = 6
    otp_expiry: int = 3600
    smtp: SmtpSettings = field(default_factory=SmtpSettings)
    template: dict[str, MailTemplate] = field(default_factory=dict)
    notification: dict[str, Notification] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SmsProvider:
    """`[auth.sms.<provider>]`: read so that it can be named at start. The credentials are the official CLI's."""

    enabled: bool = False
    account_sid: str = ""
    message_service_sid: str = ""
    auth_token: str = ""
    originator: str = ""
    access_key: str = ""
    sender: str = ""
    api_key: str = ""
    api_secret: str = ""
    from_: str = field(default="", metadata={"toml": "from"})


@dataclass(frozen=True, slots=True)
class SmsSettings:
    """`[auth.sms]`. SMS go to the mailbox; numbers in `test_otp` get none, their code is the one given there."""

    enabled: bool = field(default=False, metadata={"former": "enable_signup"})
    enable_confirmations: bool = False
    template: str = "Your code is {{ .Code }}"
    max_frequency: Seconds = Seconds(5)
    test_otp: dict[str, str] = field(default_factory=dict)
    twilio: SmsProvider = field(default_factory=SmsProvider)
    twilio_verify: SmsProvider = field(default_factory=SmsProvider)
    messagebird: SmsProvider = field(default_factory=SmsProvider)
    textlocal: SmsProvider = field(default_factory=SmsProvider)
    vonage: SmsProvider = field(default_factory=SmsProvider)


@dataclass(frozen=True, slots=True)
class ProviderSettings:
    """`[auth.external.<provider>]`. `url` is the issuer; empty means the provider's own."""

    enabled: bool = False
    client_id: str = ""
    secret: str = ""
    redirect_uri: str = ""
    url: str = ""
    skip_nonce_check: bool = False
    email_optional: bool = False


@dataclass(frozen=True, slots=True)
class RateLimits:
    """`[auth.rate_limit]`: e-mails, SMS and anonymous users an hour, all others in 5 minutes."""

    email_sent: int = 2
    sms_sent: int = 30
    anonymous_users: int = 30
    token_refresh: int = 150
    sign_in_sign_ups: int = 30
    token_verifications: int = 30
    web3: int = 30


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """`[auth.sessions]`: 0 is without end."""

    timebox: Seconds = Seconds(0)
    inactivity_timeout: Seconds = Seconds(0)


@dataclass(frozen=True, slots=True)
class FactorSettings:
    """`[auth.mfa.totp]`, `[auth.mfa.web_authn]`."""

    enroll_enabled: bool = False
    verify_enabled: bool = False


@dataclass(frozen=True, slots=True)
class PhoneFactorSettings:
    """`[auth.mfa.phone]`."""

    enroll_enabled: bool = False
    verify_enabled: bool = False
    otp_length: int = 6
    template: str = "Your code is {{ .Code }}"
    max_frequency: Seconds = Seconds(5)


@dataclass(frozen=True, slots=True)
class MfaSettings:
    """`[auth.mfa]`."""

    max_enrolled_factors: int = 10
    totp: FactorSettings = field(default_factory=FactorSettings)
    phone: PhoneFactorSettings = field(default_factory=PhoneFactorSettings)
    web_authn: FactorSettings = field(default_factory=FactorSettings)


@dataclass(frozen=True, slots=True)
class Switch:
    """A section with no more than `enabled`."""

    enabled: bool = False


@dataclass(frozen=True, slots=True)
class WebAuthnSettings:
    """`[auth.webauthn]`: the relying party of passkeys; empty values follow from `site_url`."""

    rp_display_name: str = ""
    rp_id: str = ""
    rp_origins: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Captcha:
    """`[auth.captcha]`: read so that it can be rejected by name."""

    enabled: bool = False
    provider: Literal["", "hcaptcha", "turnstile"] = ""
    secret: str = ""


_HOOK_URI = re.compile(r"pg-functions://[^/]*/([A-Za-z_][A-Za-z0-9_$]*)/([A-Za-z_][A-Za-z0-9_$-]*)/?")

_HOOK_SECRET = re.compile(r"v1,whsec_(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")


@dataclass(frozen=True, slots=True)
class HookSettings:
    """`[auth.hook.<name>]`: `uri` is `pg-functions://postgres/<schema>/<function>`, or an address with `secrets`."""

    enabled: bool = False
    uri: str = ""
    secrets: str = ""

    @property
    def function(self) -> tuple[str, str] | None:
        """The schema and the name of the function; None for a URI that names none."""
        match = _HOOK_URI.fullmatch(self.uri)
        return (match[1], match[2]) if match else None

    @property
    def is_http(self) -> bool:
        """Tell whether the hook is called over HTTP."""
        return self.uri.startswith(("http://", "https://"))

    def fault(self) -> str:
        """Return what is wrong with it, in words that follow the hook's name. Empty if nothing is."""
        if self.is_http and not all(_HOOK_SECRET.fullmatch(each) for each in self.secrets.split("|")):
            return "secrets must be v1,whsec_<base64>, several of them with | between"
        if not self.is_http and self.function is None:
            return f"uri must be pg-functions://postgres/<schema>/<function> or an address, not {self.uri!r}"
        return ""


@dataclass(frozen=True, slots=True)
class HooksSettings:
    """`[auth.hook]`."""

    before_user_created: HookSettings = field(default_factory=HookSettings)
    after_user_created: HookSettings = field(default_factory=HookSettings)
    custom_access_token: HookSettings = field(default_factory=HookSettings)
    mfa_verification_attempt: HookSettings = field(default_factory=HookSettings)
    password_verification_attempt: HookSettings = field(default_factory=HookSettings)
    send_email: HookSettings = field(default_factory=HookSettings)
    send_sms: HookSettings = field(default_factory=HookSettings)


@dataclass(frozen=True, slots=True)
class Web3Settings:
    """`[auth.web3]`: read so that it can be named at start."""

    solana: Switch = field(default_factory=Switch)
    ethereum: Switch = field(default_factory=Switch)


@dataclass(frozen=True, slots=True)
class ThirdParty:
    """`[auth.third_party.<provider>]`: read so that it can be named at start."""

    enabled: bool = False
    project_id: str = ""
    tenant: str = ""
    tenant_region: str = ""
    user_pool_id: str = ""
    user_pool_region: str = ""
    domain: str = ""
    issuer_url: str = ""


@dataclass(frozen=True, slots=True)
class OAuthServerSettings:
    """`[auth.oauth_server]`: the service as a provider for other applications."""

    enabled: bool = False
    authorization_url_path: str = "/oauth/consent"
    allow_dynamic_registration: bool = False


@dataclass(frozen=True, slots=True)
class AuthSettings:
    """`[auth]`: addresses, tokens and sign-up rules. `jwt_expiry` and `refresh_token_reuse_interval` are in seconds."""

    enabled: bool = True
    site_url: str = "http://127.0.0.1:3000"
    external_url: str = ""
    additional_redirect_urls: tuple[str, ...] = ()
    jwt_secret: str = LOCAL_JWT_SECRET
    jwt_issuer: str = ""
    jwt_expiry: int = 3600
    signing_keys_path: str = ""
    anon_key: str = ""
    service_role_key: str = ""
    publishable_key: str = LOCAL_PUBLISHABLE_KEY
    secret_key: str = LOCAL_SECRET_KEY
    enable_refresh_token_rotation: bool = True
    refresh_token_reuse_interval: int = 10
    enable_signup: bool = True
    enable_anonymous_sign_ins: bool = False
    enable_manual_linking: bool = False
    minimum_password_length: int = 6
    password_requirements: Literal[
        "", "letters_digits", "lower_upper_letters_digits", "lower_upper_letters_digits_symbols"
    ] = ""
    email: EmailSettings = field(default_factory=EmailSettings)
    sms: SmsSettings = field(default_factory=SmsSettings)
    external: dict[str, ProviderSettings] = field(default_factory=dict)
    rate_limit: RateLimits = field(default_factory=RateLimits)
    sessions: SessionLimits = field(default_factory=SessionLimits)
    mfa: MfaSettings = field(default_factory=MfaSettings)
    passkey: Switch = field(default_factory=Switch)
    webauthn: WebAuthnSettings = field(default_factory=WebAuthnSettings)
    hook: HooksSettings = field(default_factory=HooksSettings)
    captcha: Captcha = field(default_factory=Captcha)
    web3: Web3Settings = field(default_factory=Web3Settings)
    third_party: dict[str, ThirdParty] = field(default_factory=dict)
    oauth_server: OAuthServerSettings = field(default_factory=OAuthServerSettings)

    def __post_init__(self) -> None:
        """Fills in what is not given, or empty, as the official CLI does (`pkg/config/apikeys.go`)."""
        given = {
            "jwt_secret": self.jwt_secret or LOCAL_JWT_SECRET,
            "publishable_key": self.publishable_key or LOCAL_PUBLISHABLE_KEY,
            "secret_key": self.secret_key or LOCAL_SECRET_KEY,
        }
        for name, role in (("anon_key", "anon"), ("service_role_key", "service_role")):
            claims = {"iss": _KEY_ISSUER, "role": role, "exp": _KEY_EXPIRY}
            given[name] = getattr(self, name) or jwt.sign(claims, given["jwt_secret"])
        for name, value in given.items():
            object.__setattr__(self, name, value)

    def unsupported(self) -> list[str]:
        """Return what is switched on and cannot be left undone: a setting's name and the reason, for each."""
        messages = []
        if self.captcha.enabled:
            # Without the check a sign-in that was guarded would be open.
            messages.append(
                "auth.captcha.enabled cannot be true here: captchas are checked by a service outside"
                " (SUPABASE_AUTH_CAPTCHA_ENABLED=false switches it off for this machine)"
            )
        messages += [
            f"auth.hook.{item.name}.{fault}"
            for item in fields(self.hook)
            if (hook := getattr(self.hook, item.name)).enabled and (fault := hook.fault())
        ]
        if not self.enabled:
            messages.append("auth.enabled cannot be false here: the gateway needs Auth")
        if len(self.jwt_secret.encode()) < _SHORTEST_SECRET:
            messages.append(f"auth.jwt_secret must be at least {_SHORTEST_SECRET} characters")
        return messages

    def differences(self) -> list[str]:
        """Return what is switched on and done in another way, or refused, here: a line for each."""
        switches: dict[str, Any] = {
            **{
                f"sms.{name}": (getattr(self.sms, name), "SMS go to the mailbox")
                for name in ("twilio", "twilio_verify", "messagebird", "textlocal", "vonage")
            },
            "web3.solana": (self.web3.solana, "wallets cannot sign in here"),
            "web3.ethereum": (self.web3.ethereum, "wallets cannot sign in here"),
            **{
                f"third_party.{name}": (each, "its tokens are valid once JWT_JWKS has its keys")
                for name, each in self.third_party.items()
            },
        }
        return [
            f"auth.{name}: {difference}"
            for name, (section, difference) in switches.items()
            if section.enabled
        ]
