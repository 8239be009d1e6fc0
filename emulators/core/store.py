"""The emulators' state: one SQLite file of JSON documents.

Documents are addressed by (kind, id) and listed newest first. Each write commits by itself, or with the others of
its `transaction`, so a killed process loses nothing it has answered for and leaves nothing half done.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from localbase.core.state_file import open_state_file

Document = dict[str, Any]

_SCHEMA = """
create table if not exists documents (
    kind text not null,
    id text not null,
    sequence integer primary key autoincrement,
    body text not null,
    unique (kind, id)
);
create index if not exists documents_by_kind on documents (kind, sequence);
"""


def public(document: Document) -> Document:
    """Return what callers see: without the emulator's own members, which start with an underscore."""
    return {key: value for key, value in document.items() if not key.startswith("_")}


class Store:
    """A document store. Calls take well under a millisecond, so they run on the event loop.

    `warning` says that a damaged file was put aside; it is empty otherwise. `on_replaced` are called after all
    documents were replaced. Raises `StateFileError`.
    """

    def __init__(self, path: Path) -> None:
        self._lock = threading.RLock()
        self._depth = 0
        self.on_replaced: list[Callable[[], None]] = []
        self._connection, self.warning = open_state_file(path, _SCHEMA)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All writes inside, or none. Only for code that does not await: the store waits for it."""
        with self._lock:
            if self._depth == 0:
                self._connection.execute("begin immediate")
            self._depth += 1
            try:
                yield
            except BaseException:
                self._depth -= 1
                if self._depth == 0:
                    self._connection.execute("rollback")
                raise
            self._depth -= 1
            if self._depth == 0:
                self._connection.execute("commit")

    def put(self, kind: str, document: Document) -> Document:
        """Inserts or replaces the document by its `id`; its place in the listing stays."""
        with self._lock:
            self._connection.execute(
                "insert into documents (kind, id, body) values (?, ?, ?) "
                "on conflict (kind, id) do update set body = excluded.body",
                (kind, str(document["id"]), json.dumps(document)),
            )
        return document

    def get(self, kind: str, id: str) -> Document | None:
        with self._lock:
            row = self._connection.execute(
                "select body from documents where kind = ? and id = ?", (kind, id)
            ).fetchone()
        return None if row is None else json.loads(row[0])

    def require(self, kind: str, id: str, missing: Callable[[], Exception]) -> Document:
        """The document. Raises `missing()`, the vendor's error, where there is none."""
        document = self.get(kind, id)
        if document is None:
            raise missing()
        return document

    def find(self, kind: str, key: str, value: object) -> Document | None:
        """The newest document with this value of the top-level `key`."""
        with self._lock:
            row = self._connection.execute(
                "select body from documents where kind = ? and json_extract(body, ?) = ? "
                "order by sequence desc limit 1",
                (kind, f'$."{key}"', value),
            ).fetchone()
        return None if row is None else json.loads(row[0])

    def list(self, kind: str, *, limit: int = -1, offset: int = 0) -> list[Document]:
        with self._lock:
            rows = self._connection.execute(
                "select body from documents where kind = ? order by sequence desc limit ? offset ?",
                (kind, limit, offset),
            ).fetchall()
        return [json.loads(row[0]) for row in rows]

    def count(self, kind: str) -> int:
        with self._lock:
            row = self._connection.execute(
                "select count(*) from documents where kind = ?", (kind,)
            ).fetchone()
        return int(row[0])

    def delete(self, kind: str, id: str) -> bool:
        with self._lock:
            cursor = self._connection.execute("delete from documents where kind = ? and id = ?", (kind, id))
        return cursor.rowcount > 0

    def export(self, without: tuple[str, ...]) -> Sequence[tuple[str, Document]]:
        """Every kind and document but those of the kinds `without`, oldest first."""
        with self._lock:
            rows = self._connection.execute("select kind, body from documents order by sequence").fetchall()
        return [(kind, json.loads(body)) for kind, body in rows if kind not in without]

    def replace_all(self, documents: Iterable[tuple[str, Document]], without: tuple[str, ...]) -> None:
        """These in place of all others; documents of the kinds `without` stay, and come in with none."""
        with self.transaction():
            kinds = {row[0] for row in self._connection.execute("select distinct kind from documents")}
            for kind in kinds.difference(without):
                self._connection.execute("delete from documents where kind = ?", (kind,))
            for kind, document in documents:
                if kind not in without:
                    self.put(kind, document)
        for call in self.on_replaced:
            call()

    def each(self, kind: str) -> Iterator[Document]:
        yield from self.list(kind)

    def close(self) -> None:
        self._connection.close()
