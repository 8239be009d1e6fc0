"""A browser's response about a WebAuthn key, read and not yet verified."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID


class VerificationFailed(Exception):
    """The browser's response does not prove the key. `malformed`: it is no such response at all."""

    def __init__(self, *, malformed: bool) -> None:
        super().__init__()
        self.malformed = malformed


@dataclass(frozen=True, slots=True)
class Credential:
    """A key as its authenticator has shown it. `public_key` is in COSE's form."""

    id: bytes
    public_key: bytes
    sign_count: int
    aaguid: UUID
    attestation_type: str
    transports: tuple[str, ...]
    user_verified: bool
    backup_eligible: bool
    backed_up: bool


@dataclass(frozen=True, slots=True)
class Assertion:
    """The key and the user that a response names; not verified yet."""

    credential_id: bytes
    user_handle: bytes | None
