"""Root in folders of the account that Postgres runs as: no link leads it out of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from localbase.cli.data.exchange import DataSwap
from localbase.core.errors import UserError
from localbase.postgres.binaries import find_binaries
from localbase.postgres.cluster import Account, Cluster

_NOBODY = 65534


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    """A file that is not the database's."""
    path = tmp_path / "victim"
    path.write_text("secret")
    path.chmod(0o600)
    return path


@pytest.fixture
def cluster(tmp_path: Path) -> Cluster:
    account = Account(_NOBODY, _NOBODY) if os.geteuid() == 0 else None
    made = Cluster(find_binaries({}), tmp_path / "postgres", 5432, account)
    made.data.mkdir()
    return made


def require_untouched(victim: Path) -> None:
    status = victim.stat()
    assert (victim.read_text(), status.st_uid, status.st_mode & 0o777) == ("secret", os.geteuid(), 0o600)


def test_extensions_and_key_belong_to_the_account(cluster: Cluster) -> None:
    cluster.install_extensions()
    own = cluster.data / "localbase"
    key = (own / "vault.key").read_bytes()
    files = [own, *own.rglob("*")]
    assert {path.stat().st_uid for path in files} == {_NOBODY if cluster.account else os.geteuid()}
    assert (own / "extension" / "pgjwt.control").read_bytes()
    assert (own / "vault.key").stat().st_mode & 0o777 == 0o600
    (own / "extension" / "pgjwt.control").write_text("of an older version")
    cluster.install_extensions()
    assert "older" not in (own / "extension" / "pgjwt.control").read_text()
    assert (own / "vault.key").read_bytes() == key
    assert list(own.rglob("*.partial")) == []


@pytest.mark.parametrize(
    "name",
    ["extension/x.sql", "extension/pgjwt.control", "extension/pgjwt.control.partial", "vault.key.partial"],
)
def test_link_to_a_file_is_not_followed(cluster: Cluster, victim: Path, name: str) -> None:
    link = cluster.data / "localbase" / name
    link.parent.mkdir(parents=True)
    link.symlink_to(victim)
    cluster.install_extensions()
    require_untouched(victim)
    assert (cluster.data / "localbase" / "extension" / "pgjwt.control").is_file()
    assert not (cluster.data / "localbase" / "extension" / "pgjwt.control").is_symlink()


@pytest.mark.parametrize("name", ["localbase", "localbase/extension"])
def test_link_to_a_folder_is_an_error(cluster: Cluster, tmp_path: Path, name: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    link = cluster.data / name
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(elsewhere)
    with pytest.raises(UserError):
        cluster.install_extensions()
    assert list(elsewhere.iterdir()) == []
    assert elsewhere.stat().st_uid == os.geteuid()


def test_name_of_staged_files_is_written_through_no_link(tmp_path: Path, victim: Path) -> None:
    swap = DataSwap(tmp_path / "state", tmp_path / "state" / "postgres")
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    (fresh / "localbase-staged").symlink_to(victim)
    folder = swap.stage(fresh, 7)
    require_untouched(victim)
    assert (fresh / "localbase-staged").read_text() == folder.name
    assert not (fresh / "localbase-staged").is_symlink()
