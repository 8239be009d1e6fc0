"""The mailbox page, and the parts of Mailpit's JSON API that tests and tools use (`/api/v1/…`)."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime
from email.utils import getaddresses
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from localbase.core.json_text import read_json
from localbase.mail.store import Mail, MailStore

_PAGE = Path(__file__).with_name("page.html")
_MAX_PAGE = 500
_LARGEST_BODY = 1 << 20


def mailbox_app(store: MailStore) -> Starlette:
    """The application over `store`."""
    handlers = _Handlers(store)
    return Starlette(
        routes=[
            Route("/", handlers.page),
            Route("/view/{identity}.html", handlers.view_html),
            Route("/view/{identity}", handlers.page),
            Route("/health", handlers.health),
            Route("/livez", handlers.health),
            Route("/api/v1/info", handlers.info),
            Route("/api/v1/messages", handlers.messages),
            Route("/api/v1/messages", handlers.delete, methods=["DELETE"]),
            Route("/api/v1/search", handlers.messages),
            Route("/api/v1/message/{identity}", handlers.message),
            Route("/api/v1/message/{identity}/raw", handlers.raw),
        ],
        exception_handlers={ClientDisconnect: _hung_up},
    )


async def _hung_up(_: Request, __: Exception) -> Response:
    """The client disconnected while it was sending: this response is not read."""
    return Response(status_code=499)


class _Handlers:
    def __init__(self, store: MailStore) -> None:
        self._store = store

    async def page(self, request: Request) -> Response:  # noqa: ARG002
        return HTMLResponse(_PAGE.read_text(encoding="utf-8"))

    async def health(self, request: Request) -> Response:  # noqa: ARG002
        return PlainTextResponse("ok")

    async def info(self, request: Request) -> Response:  # noqa: ARG002
        _, total = self._store.page(0, 1)
        return JSONResponse({"Messages": total, "Unread": self._store.unread()})

    async def messages(self, request: Request) -> Response:
        start = _number(request, "start", 0)
        limit = min(_number(request, "limit", 50), _MAX_PAGE)
        mails, total = self._store.page(start, limit, request.query_params.get("query", ""))
        return JSONResponse(
            {
                "total": total,
                "unread": self._store.unread(),
                "count": len(mails),
                "messages_count": total,
                "start": start,
                "tags": [],
                "messages": [_summary(mail) for mail in mails],
            }
        )

    async def message(self, request: Request) -> Response:
        mail = self._store.get(request.path_params["identity"])
        if mail is None:
            return PlainTextResponse("Message not found", 404)
        return JSONResponse(_summary(mail) | {"Text": mail.text(), "HTML": mail.html(), "Date": _time(mail)})

    async def raw(self, request: Request) -> Response:
        mail = self._store.get(request.path_params["identity"])
        return PlainTextResponse(mail.raw if mail else b"Message not found", 200 if mail else 404)

    async def view_html(self, request: Request) -> Response:
        mail = self._store.get(request.path_params["identity"])
        if mail is None:
            return PlainTextResponse("Message not found", 404)
        shown = mail.html() or _text_as_html(mail.text())
        # Without scripts and without this page's origin, and with links that open outside, as a mail program has it.
        policy = "sandbox allow-popups allow-popups-to-escape-sandbox; script-src 'none'"
        return HTMLResponse(f'<base target="_blank">{shown}', headers={"content-security-policy": policy})

    async def delete(self, request: Request) -> Response:
        raw = b""
        async for chunk in request.stream():
            raw += chunk
            if len(raw) > _LARGEST_BODY:
                return PlainTextResponse("The body is too large", 413)
        try:
            body = read_json(raw or b"{}")
        except ValueError:
            return PlainTextResponse("The body is not JSON", 400)
        identities = body.get("IDs") if isinstance(body, dict) else None
        self._store.delete([str(one) for one in identities] if identities else None)
        return PlainTextResponse("ok")


def _summary(mail: Mail) -> dict[str, Any]:
    return {
        "ID": mail.id,
        "MessageID": str(mail.message()["message-id"] or "").strip("<>"),
        "Read": mail.read,
        "From": _addresses([mail.sender])[0],
        "To": _addresses(mail.recipients),
        "Cc": [],
        "Bcc": [],
        "Subject": mail.subject,
        "Created": _time(mail),
        "Size": len(mail.raw),
        "Attachments": 0,
        "Snippet": mail.snippet,
        "Tags": [],
    }


def _addresses(texts: list[str]) -> list[dict[str, str]]:
    return [{"Name": name, "Address": address} for name, address in getaddresses(texts)] or [
        {"Name": "", "Address": ""}
    ]


def _time(mail: Mail) -> str:
    return datetime.fromtimestamp(mail.received_at, UTC).isoformat().replace("+00:00", "Z")


def _number(request: Request, name: str, default: int) -> int:
    value = request.query_params.get(name, "")
    return int(value) if value.isascii() and value.isdecimal() and len(value) < 10 else default


def _text_as_html(text: str) -> str:
    linked = re.sub(r"(https?://[^\s<>&]+(?:&amp;[^\s<>&]+)*)", r'<a href="\1">\1</a>', html.escape(text))
    # else the mail is a white sheet in a dark mailbox
    scheme = '<meta name="color-scheme" content="light dark">'
    return f"{scheme}<pre style='font:15px/1.5 system-ui;white-space:pre-wrap'>{linked}</pre>"
