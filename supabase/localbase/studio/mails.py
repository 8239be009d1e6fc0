"""The project's mails, read from its mailbox."""

from __future__ import annotations

import re
from typing import Any

import httpx

from localbase.studio.session import StudioError

MOST_MAILS = 100
_SECONDS = 10.0
_ID = re.compile(r"[\w-]+", re.ASCII)


async def newest(mailbox: str, search: str = "") -> dict[str, Any]:
    """The newest mails, or those with a text in them: sender, recipients, subject, time."""
    page = await _get(mailbox, "/api/v1/search", {"query": search, "limit": str(MOST_MAILS)})
    mails = [
        {
            "id": each["ID"],
            "from": each["From"]["Address"],
            "to": [to["Address"] for to in each["To"]],
            "subject": each["Subject"],
            "time": each["Created"],
        }
        for each in page["messages"]
    ]
    return {"mails": mails, "total": page["messages_count"]}


async def mail(mailbox: str, identity: str) -> dict[str, Any]:
    """One mail's text and HTML. Raises `StudioError` where it has gone."""
    if not _ID.fullmatch(identity):
        raise StudioError("There is no such mail.")
    message = await _get(mailbox, f"/api/v1/message/{identity}", {})
    return {"subject": message["Subject"], "text": message["Text"], "html": message["HTML"]}


async def _get(mailbox: str, path: str, params: dict[str, str]) -> dict[str, Any]:
    try:
        async with httpx.AsyncClient(timeout=_SECONDS) as client:
            response = await client.get(f"{mailbox}{path}", params=params)
    except httpx.InvalidURL as error:
        raise StudioError("The mailbox takes no address of that length.") from error
    except httpx.HTTPError as error:
        raise StudioError("The mailbox does not answer.", hint="Does the stack run with it?") from error
    if response.status_code != 200:
        raise StudioError("There is no such mail.")
    body: dict[str, Any] = response.json()
    return body
