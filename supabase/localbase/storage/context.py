"""The context of every storage endpoint, and a call with its caller, operation and rights."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from localbase.core.authenticator import Authenticator, Caller
from localbase.core.clock import Clock, system_clock
from localbase.core.configuration import parse_size
from localbase.core.settings import Settings
from localbase.core.tokens.jwt import TokenError
from localbase.postgres.service_pool import Cursor, ServicePool
from localbase.postgres.transaction import Statement
from localbase.storage import errors
from localbase.storage.backend.disk import Files
from localbase.storage.images.renderer import Renderer
from localbase.storage.rows import LOCK_TIMEOUT
from localbase.storage.upload_slots import UploadSlots

TOKEN_MESSAGES = {
    "expired": '"exp" claim timestamp check failed',
    "signature": "signature verification failed",
}
# A token without the scheme is one too (`src/http/plugins/jwt.ts`).
_BEARER = re.compile(r"^bearer\s+", re.IGNORECASE)
# As the Data API's role has it. `set role` does not bring a role's own: a policy or a trigger that sleeps would hold
# one of the few connections for ever.
_STATEMENT_TIMEOUT = "8s"


@dataclass(frozen=True, slots=True)
class Context:
    """The storage service's parts."""

    settings: Settings
    db: ServicePool
    files: Files
    authenticator: Authenticator
    slots: UploadSlots
    renderer: Renderer
    clock: Clock = system_clock

    @property
    def size_limit(self) -> int:
        """The project's limit for one object, in bytes."""
        return parse_size(self.settings.storage.file_size_limit)

    def call(self, request: Request) -> Call:
        """The call of a request that must say who makes it. Raises 403 without a token, and for a bad one."""
        token = _BEARER.sub("", request.headers.get("authorization", ""))
        try:
            return call_of(self, request, self.authenticator.verify(token))
        except TokenError as error:
            raise errors.access_denied(TOKEN_MESSAGES.get(error.kind, "Invalid Compact JWS")) from error

    def call_or_none(self, request: Request) -> Call | None:
        """The call of a request that may be open to all: None without a valid token."""
        try:
            return self.call(request)
        except errors.StorageError:
            return None


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the API. Policies see its operation, method, path and headers as settings, as upstream sets them."""

    context: Context
    caller: Caller
    operation: str
    method: str
    path: str
    headers: dict[str, str]
    peer: str

    @property
    def owner(self) -> str | None:
        """The user who will own what this call makes; none for a token without a user."""
        subject = self.caller.claims.get("sub")
        return subject if isinstance(subject, str) and subject else None

    def upload_slot(self) -> AbstractAsyncContextManager[None]:
        """A place among the uploads at once, of those of the caller."""
        return self.context.slots.slot(self.owner or f"{self.caller.role} {self.peer}")

    def begin(self, *, rollback: bool = False, deletes: bool = False) -> AbstractAsyncContextManager[Cursor]:
        """A transaction under the caller's role and policies; `deletes` lets it delete rows."""
        settings = self._settings(deletes=deletes) | self._of_request()
        return self.context.db.begin(self.caller.role, self.caller.claims_json, settings, rollback=rollback)

    async def document(self, sql: str, params: Sequence[str | None], *, rollback: bool = False) -> Any:
        """The JSON that a single statement returns under the caller's role and policies; None without a row."""
        settings = self._settings() | self._of_request()
        caller = self.caller
        return await self.context.db.document(
            *(sql, params, caller.role, caller.claims_json, settings), rollback=rollback
        )

    async def document_as_service(
        self, sql: str, params: Sequence[str | None], before: Sequence[Statement]
    ) -> Any:
        """The JSON that a statement of the service returns, after those `before` it. No lock is waited for long."""
        settings = self._settings() | {"lock_timeout": LOCK_TIMEOUT}
        return await self.context.db.document(sql, params, settings=settings, before=before)

    def begin_as_service(self, *, deletes: bool = False) -> AbstractAsyncContextManager[Cursor]:
        """A transaction of the service itself, which sees and may do all."""
        return self.context.db.begin(settings=self._settings(deletes=deletes))

    def _settings(self, *, deletes: bool = False) -> dict[str, str]:
        return {
            "storage.operation": self.operation,
            "storage.allow_delete_query": "true" if deletes else "false",
            "statement_timeout": _STATEMENT_TIMEOUT,
        }

    def _of_request(self) -> dict[str, str]:
        return {
            "request.method": self.method,
            "request.path": self.path,
            "request.headers": json.dumps(self.headers),
        }


def call_of(context: Context, request: Request, caller: Caller) -> Call:
    """The call that `caller` makes by `request`. The route's operation is in the request's state."""
    return Call(
        context,
        caller,
        request.state.operation,
        request.method,
        request.url.path,
        dict(request.headers),
        request.client.host if request.client else "",
    )
