"""The vendors' memory as one file: `GET /state` gives it, `PUT /state` puts it in place of what is there.

A backup of a local shop needs it, because its orders name payments and print orders that only the emulators know.
Addresses to which webhooks are sent, messages under way and planned faults are this process's own and stay.
"""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from emulators.core.store import Document, Store

_DOCUMENTS = "documents.jsonl"
_OWN_KINDS = ("printify.webhook", "stripe.webhook_endpoint", "printify.delivery", "stripe.delivery", "faults")
# what cannot be drawn again from the documents
_FOLDERS = ("printify/uploads", "replicate/files", "replicate/outputs")


class StateCopyError(Exception):
    """The sent file is no state of these emulators; the message says why."""


def write_state(store: Store, data: Path, base_url: str, target: Path) -> None:
    """A packed archive at `target`: the documents as they are at one moment, and the files that they name."""
    lines = [json.dumps({"base_url": base_url}), *(json.dumps(row) for row in store.export(_OWN_KINDS))]
    with tarfile.open(target, "w:gz", compresslevel=1) as archive:
        _add(archive, _DOCUMENTS, "\n".join(lines).encode())
        for folder in _FOLDERS:
            for path in sorted((data / folder).glob("*")):
                if path.is_file():
                    archive.add(path, f"{folder}/{path.name}")


def read_state(store: Store, data: Path, base_url: str, source: Path) -> None:
    """Puts an archive's state in place of the present one. Raises `StateCopyError`, with nothing changed."""
    try:
        with tarfile.open(source, "r:gz") as archive:
            members = archive.getmembers()
            _check(members)
            documents = archive.extractfile(_DOCUMENTS)
            rows = _rows(documents.read().decode() if documents else "", base_url)
            # files first: a document never names one that is missing
            for member in members:
                content = archive.extractfile(member)
                if content is not None and member.name != _DOCUMENTS:
                    path = data / member.name
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(content.read())
    except (tarfile.TarError, OSError, EOFError, ValueError, KeyError, TypeError) as error:
        raise StateCopyError(f"this is no state of the emulators: {error}") from error
    store.replace_all(rows, _OWN_KINDS)


def routes(store: Store, data: Path, base_url: str) -> list[BaseRoute]:
    def give(_request: Request) -> Response:
        path = data / "state.tar.gz"
        write_state(store, data, base_url, path)
        return FileResponse(path, media_type="application/gzip")

    async def take(request: Request) -> Response:
        path = data / "state.tar.gz"
        with path.open("wb") as out:
            async for piece in request.stream():
                out.write(piece)
        try:
            read_state(store, data, base_url, path)
        except StateCopyError as error:
            return JSONResponse({"error": str(error)}, 400)
        return JSONResponse({"documents": len(store.export(_OWN_KINDS))})

    return [Route("/state", give, methods=["GET"]), Route("/state", take, methods=["PUT"])]


def _add(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    info = tarfile.TarInfo(name)
    info.size = len(content)
    archive.addfile(info, io.BytesIO(content))


def _check(members: list[tarfile.TarInfo]) -> None:
    for member in members:
        folder, _, name = member.name.rpartition("/")
        if not member.isfile() or not (member.name == _DOCUMENTS or (folder in _FOLDERS and name)):
            raise StateCopyError(f"the archive holds {member.name!r}")


def _rows(text: str, base_url: str) -> list[tuple[str, Document]]:
    """Kind and document, with the addresses of these emulators in place of those that made the archive."""
    first, *lines = text.split("\n")
    other = json.loads(first)["base_url"]
    return [
        (kind, document) for kind, document in (json.loads(line.replace(other, base_url)) for line in lines)
    ]
