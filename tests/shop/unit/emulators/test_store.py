"""The emulators' documents: listed newest first, written together or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from emulators.core.store import Store, public


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path / "state.sqlite")) as opened:
        yield opened


def ids(store: Store, kind: str = "order") -> list[str]:
    return [document["id"] for document in store.list(kind)]


def test_documents_are_listed_newest_first_and_keep_their_place(store: Store) -> None:
    for name in "abc":
        store.put("order", {"id": name})
    store.put("product", {"id": "a"})
    store.put("order", {"id": "a", "status": "paid"})
    assert ids(store) == ["c", "b", "a"]
    assert (store.count("order"), store.count("product")) == (3, 1)
    assert store.get("order", "a") == {"id": "a", "status": "paid"}
    assert [document["id"] for document in store.list("order", limit=1, offset=1)] == ["b"]


def test_missing_document_is_the_vendors_error(store: Store) -> None:
    assert store.get("order", "a") is None
    with pytest.raises(LookupError, match="no order"):
        store.require("order", "a", lambda: LookupError("no order"))
    assert store.delete("order", "a") is False


def test_newest_document_with_a_value_is_found(store: Store) -> None:
    for name, topic in (("a", "x"), ("b", "x"), ("c", "y")):
        store.put("hook", {"id": name, 'the "topic"': topic, "topic": topic})
    found = store.find("hook", "topic", "x")
    assert found is not None
    assert found["id"] == "b"
    assert store.find("hook", "topic", "z") is None
    assert store.find("order", "topic", "x") is None


def test_transaction_that_fails_writes_nothing(store: Store) -> None:
    store.put("order", {"id": "kept"})

    def fails() -> None:
        with store.transaction():
            store.put("order", {"id": "lost"})
            with store.transaction():
                store.put("order", {"id": "lost too"})
            store.delete("order", "kept")
            raise LookupError

    with pytest.raises(LookupError):
        fails()
    assert ids(store) == ["kept"]
    with store.transaction():
        store.put("order", {"id": "next"})
    assert ids(store) == ["next", "kept"]


def test_documents_are_there_again_when_the_file_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "state.sqlite"
    with closing(Store(path)) as store:
        store.put("order", {"id": "a", "name": "é"})
    with closing(Store(path)) as store:
        assert (store.warning, store.list("order")) == ("", [{"id": "a", "name": "é"}])


def test_replacement_leaves_what_is_named_and_tells_of_itself(store: Store, tmp_path: Path) -> None:
    for kind in ("order", "delivery", "product"):
        store.put(kind, {"id": "old"})
    with closing(Store(tmp_path / "other.sqlite")) as other:
        for name in "ab":
            other.put("order", {"id": name})
        other.put("delivery", {"id": "foreign"})
        exported = other.export(without=("delivery",))
    told: list[bool] = []
    store.on_replaced.append(lambda: told.append(True))
    store.replace_all([*exported, ("delivery", {"id": "foreign"})], without=("delivery",))
    assert (ids(store), ids(store, "product"), ids(store, "delivery")) == (["b", "a"], [], ["old"])
    assert told == [True]


def test_callers_see_no_members_of_the_emulator() -> None:
    assert public({"id": "a", "_secret": "b"}) == {"id": "a"}
