"""The emulators' state as one file."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from emulators.core.store import Store
from emulators.state_copy import StateCopyError, read_state, write_state


def open_store(folder: Path) -> Store:
    return Store(folder / "state.sqlite")


def test_state_comes_back_in_its_order_with_files_and_this_process_s_addresses(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    source, target = open_store(first), open_store(second)
    for id in ("b", "a"):
        source.put("printify.upload", {"id": id, "preview_url": f"http://127.0.0.1:1/printify/uploads/{id}"})
    source.put("stripe.webhook_endpoint", {"id": "we_1", "url": "http://127.0.0.1:1/hook"})
    (first / "printify" / "uploads").mkdir(parents=True)
    (first / "printify" / "uploads" / "a").write_bytes(b"picture")
    target.put("stripe.webhook_endpoint", {"id": "we_2", "url": "http://127.0.0.1:2/hook"})
    target.put("stripe.charge", {"id": "ch_1"})
    called: list[str] = []
    target.on_replaced.append(lambda: called.append("replaced"))

    write_state(source, first, "http://127.0.0.1:1", tmp_path / "state.tar.gz")
    read_state(target, second, "http://127.0.0.1:2", tmp_path / "state.tar.gz")
    assert target.list("printify.upload") == [
        {"id": id, "preview_url": f"http://127.0.0.1:2/printify/uploads/{id}"} for id in ("a", "b")
    ]
    assert target.list("stripe.charge") == []
    assert target.list("stripe.webhook_endpoint") == [{"id": "we_2", "url": "http://127.0.0.1:2/hook"}]
    assert (second / "printify" / "uploads" / "a").read_bytes() == b"picture"
    assert called == ["replaced"]


@pytest.mark.parametrize("name", ["../escape", "printify/uploads/../../x/y", "other/file", ""])
def test_other_archives_are_refused_and_change_nothing(tmp_path: Path, name: str) -> None:
    store, archive = open_store(tmp_path / "data"), tmp_path / "state.tar.gz"
    store.put("stripe.charge", {"id": "ch_1"})
    if name:
        with tarfile.open(archive, "w:gz") as tar:
            info = tarfile.TarInfo(name)
            info.size = 1
            tar.addfile(info, io.BytesIO(b"x"))
    else:
        archive.write_bytes(b"no archive")
    with pytest.raises(StateCopyError):
        read_state(store, tmp_path / "data", "http://127.0.0.1:2", archive)
    assert store.list("stripe.charge") == [{"id": "ch_1"}]
    assert not (tmp_path / "escape").exists()
