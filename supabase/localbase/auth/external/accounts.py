"""A sign-in at a provider finds or makes an account, links to one, or accepts an invitation.

All providers are one linking domain here: there is no single sign-on, and a project cannot name domains of its own.

Upstream: supabase/auth, `internal/api/external.go`, `internal/api/identity.go`, `internal/models/linking.go`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal
from uuid import UUID

from starlette.requests import Request

from localbase.auth import errors
from localbase.auth.channels import EMAIL
from localbase.auth.codes import one_time_tokens
from localbase.auth.codes.intervals import require_pause
from localbase.auth.codes.token_mails import notification
from localbase.auth.context import Context
from localbase.auth.messages.message import Message
from localbase.auth.providers.provider import Address, Person
from localbase.auth.sessions.sessions import lock_user
from localbase.auth.tables import audit, identities, users
from localbase.auth.tables.rows import Identity, User
from localbase.auth.users import registration
from localbase.postgres.service_pool import Cursor

_NONE = Address("", verified=False, primary=True)


@dataclass(frozen=True, slots=True)
class Visit:
    """A person who has come back from a provider. `name` is the provider's, `redirect_to` is for a mail's link."""

    context: Context
    request: Request
    name: str
    person: Person
    redirect_to: str
    email_optional: bool

    @property
    def autoconfirm(self) -> bool:
        """Tell whether addresses count as confirmed without a mail."""
        return not self.context.auth.email.enable_confirmations

    def unverified_email(self, code: str, after: str) -> errors.AuthError:
        """422 for an address that the provider has not verified."""
        return errors.AuthError(422, code, f"Unverified email with {self.name}. {after}")

    @property
    def mail_sent(self) -> str:
        """The note about a mail that was sent."""
        return f"A confirmation email has been sent to your {self.name} email"


@dataclass(frozen=True, slots=True)
class Arrival:
    """The account, what is to be sent, and why there is no session all the same: its writes are to be committed."""

    user: User
    mails: Sequence[Message] = field(default_factory=list)
    error: errors.AuthError | None = None


@dataclass(frozen=True, slots=True)
class _Decision:
    """The account. `user` is there for `exists` and `link`, `identity` for `exists`; `address` is a new user's."""

    kind: Literal["exists", "link", "create", "multiple"]
    address: Address
    user: User | None = None
    identity: Identity | None = None


async def sign_in(visit: Visit, cursor: Cursor) -> Arrival:
    """The account of the person: known, linked by a verified address, or new. Raises 403 for a banned one."""
    decision = await _decide(cursor, visit.name, visit.person, autoconfirm=visit.autoconfirm)
    if decision.user is not None:
        await lock_user(cursor, decision.user.id)
        # Read again under the lock: the user may have unlinked the identity meanwhile.
        decision = await _decide(cursor, visit.name, visit.person, autoconfirm=visit.autoconfirm)
    user, identity = await _carry_out(visit, cursor, decision)
    if user.is_banned(visit.context.clock()):
        raise errors.user_banned(403)
    address = decision.address
    without_address = visit.email_optional and not address.email
    if without_address or user.email_confirmed_at is not None:
        await audit.record(cursor, visit.request, user, "login", {"provider": visit.name})
        return Arrival(user)
    user = await identities.remove_unconfirmed(cursor, user, identity)
    if address.verified or visit.autoconfirm:
        await audit.record(cursor, visit.request, user, "user_signedup", {"provider": visit.name})
        return Arrival(await users.mark_confirmed(cursor, user))
    code = "provider_email_needs_verification"
    if not user.email:
        return Arrival(
            user, [], visit.unverified_email(code, f"Verify the email with {visit.name} in order to sign in")
        )
    user, mails = await _confirmation(visit, cursor, user)
    return Arrival(user, mails, visit.unverified_email(code, visit.mail_sent))


async def _decide(cursor: Cursor, provider: str, person: Person, *, autoconfirm: bool) -> _Decision:
    """The account of `person`. With `autoconfirm` every address counts as verified, as it does at a sign-up."""
    primary = next((each for each in reversed(person.addresses) if each.primary), _NONE)
    candidate = Address(primary.email.lower(), primary.verified, primary=True)
    identity = await identities.find(cursor, provider, person.subject)
    user = await users.by_id(cursor, str(identity.user_id)) if identity else None
    if identity is not None and user is not None:
        # The account's own address: the provider may tell none.
        candidate = Address(user.email or "", candidate.verified, primary=True)
        return _Decision("exists", candidate, user, identity)
    verified = [each.email.lower() for each in person.addresses if each.verified or autoconfirm]
    if not verified:
        if candidate.email and await identities.owner_of_email(cursor, candidate.email) is not None:
            candidate = _NONE
        return _Decision("create", candidate)
    owners = await _owners(cursor, verified)
    if not owners:
        return _Decision("create", candidate)
    if len(owners) > 1:
        return _Decision("multiple", candidate)
    return _Decision("link", candidate, await users.by_id(cursor, str(owners[0])))


async def _owners(cursor: Cursor, emails: list[str]) -> list[UUID]:
    """The users with an identity of one of the addresses; if there is none, those with the address itself."""
    await cursor.execute(
        "select distinct user_id as id from auth.identities where email = any(%s) and provider not like 'sso:%%'",
        [emails],
    )
    user_ids = [row["id"] for row in await cursor.fetchall()]
    if not user_ids:
        await cursor.execute("select id from auth.users where email = any(%s) and not is_sso_user", [emails])
        user_ids = [row["id"] for row in await cursor.fetchall()]
    return user_ids


async def _carry_out(visit: Visit, cursor: Cursor, decision: _Decision) -> tuple[User, Identity]:
    data = visit.person.identity_data
    if decision.kind == "multiple":
        raise errors.AuthError(
            500,
            "unexpected_failure",
            "Multiple accounts with the same email address in the same linking domain detected: default",
        )
    user = decision.user
    if user is None:
        if not visit.context.auth.enable_signup:
            raise errors.signup_disabled()
        new = users.NewUser(email=decision.address.email, metadata=data, providers=(visit.name,))
        user = await registration.create(visit.context, cursor, visit.request, new)
        return user, await identities.add(cursor, user.id, visit.name, data)
    if decision.identity is not None:
        identity = await identities.replace_data(cursor, decision.identity, data)
    else:
        identity = await identities.add(cursor, user.id, visit.name, data)
        await _record_link(visit, cursor, user, identity)
    user = await users.merge_metadata(cursor, user, user_updates=data, app_updates=None)
    return await identities.sync_providers(cursor, user.id), identity


async def link(visit: Visit, cursor: Cursor, target_id: UUID) -> Arrival:
    """The person's identity is the signed-in user's too. Raises 422 for one that is linked already."""
    user = await lock_user(cursor, target_id)
    if user is None:
        raise errors.AuthError(422, "user_not_found", "Linking target user not found")
    if user.is_banned(visit.context.clock()):
        raise errors.user_banned(403)
    linked_identity = await identities.find(cursor, visit.name, visit.person.subject)
    if linked_identity is not None:
        whose = "" if linked_identity.user_id == user.id else " to another user"
        raise errors.AuthError(422, "identity_already_exists", f"Identity is already linked{whose}")
    identity = await identities.add(cursor, user.id, visit.name, visit.person.identity_data)
    await _record_link(visit, cursor, user, identity)
    if not user.email:
        promoted = await identities.promote_email(cursor, user, autoconfirm=visit.autoconfirm)
        if promoted is None:
            raise errors.AuthError(400, "email_exists", errors.email_exists().message)
        if not identity.identity_data["email_verified"]:
            user, mails = await _confirmation(visit, cursor, promoted)
            return Arrival(user, mails, visit.unverified_email("email_not_confirmed", visit.mail_sent))
        user = await users.mark_confirmed(cursor, promoted)
        await cursor.execute("update auth.users set is_anonymous = false where id = %s", [user.id])
    user = await identities.sync_providers(cursor, user.id)
    return Arrival(user, notification(visit.context, user, "identity_linked", Provider=visit.name))


async def accept_invitation(visit: Visit, cursor: Cursor, token_hash: str) -> Arrival:
    """The invited user signs in at a provider instead of following the mail. The provider must know the address."""
    try:
        redeemed = await one_time_tokens.redeem_link(
            visit.context, cursor, token_hash, ("confirmation_token",)
        )
    except errors.AuthError as error:
        if error.code != "otp_expired":
            raise
        raise errors.AuthError(404, "invite_not_found", "Invite not found") from error
    user = redeemed.user
    if user.email not in [address.email.lower() for address in visit.person.addresses]:
        raise errors.validation_failed("Invited email does not match emails from external provider")
    identity = await identities.add(cursor, user.id, visit.name, visit.person.identity_data)
    await audit.record(cursor, visit.request, user, "invite_accepted", {"provider": visit.name})
    user = await identities.remove_unconfirmed(cursor, user, identity)
    return Arrival(await users.mark_confirmed(cursor, user))


async def _confirmation(visit: Visit, cursor: Cursor, user: User) -> tuple[User, list[Message]]:
    await require_pause(visit.context, cursor, EMAIL, user.email or "", "confirmation")
    return await registration.confirmation(visit.context, cursor, EMAIL, user, None, visit.redirect_to)


async def _record_link(visit: Visit, cursor: Cursor, user: User, identity: Identity) -> None:
    traits = {
        "identity_id": str(identity.id),
        "provider": identity.provider,
        "provider_id": identity.provider_id,
    }
    await audit.record(cursor, visit.request, user, "identity_linked", traits)
