"""The search for an object's bytes while it is being replaced."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from uuid import uuid4

import pytest
from localbase.storage.errors import StorageError
from localbase.storage.reading import with_bytes
from localbase.storage.rows import StoredObject


@dataclass(slots=True)
class Replaced:
    """An object that has the next of `versions` at each look, the last one from then on; `stored` have bytes."""

    versions: list[str]
    stored: set[str]
    opened: list[str] = field(default_factory=list)

    async def find(self) -> StoredObject:
        version = self.versions.pop(0) if len(self.versions) > 1 else self.versions[0]
        return StoredObject(uuid4(), "bucket", "a", None, version, {}, None, None, None, None)

    async def open(self, stored_object: StoredObject) -> str:
        self.opened.append(stored_object.version)
        if stored_object.version not in self.stored:
            raise FileNotFoundError(stored_object.version)
        return stored_object.version


def test_object_replaced_any_number_of_times_while_it_is_found_is_read() -> None:
    replaced = Replaced([str(number) for number in range(20)], {"19"})
    assert asyncio.run(with_bytes(replaced.find, replaced.open)) == "19"


def test_object_whose_bytes_are_gone_is_not_found() -> None:
    lost = Replaced(["a", "b"], set())
    with pytest.raises(StorageError) as refused:
        asyncio.run(with_bytes(lost.find, lost.open))
    assert (refused.value.status, lost.opened) == (404, ["a", "b"])
