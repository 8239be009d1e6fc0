"""The official command line on this project: it reads config.toml without a warning and works on its database."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from tests.support.official_cli import run_official_cli
from tests.support.random_cases import few
from tests.support.stacks import ROOT, Stack

# The report makes all of these but the first.
INSPECTIONS = (
    "collation-drift", "db-stats", "replication-slots", "locks", "blocking", "outliers", "calls", "index-stats",
    "long-running-queries", "bloat", "role-stats", "vacuum-stats", "table-stats", "traffic-profile", "toast-sizes",
    "xid-age",
)  # fmt: skip


@dataclass(frozen=True)
class OfficialCli:
    """The program on the shop's database."""

    home: Path
    db_url: str

    def run(self, *arguments: str, project: Path = ROOT) -> str:
        """Its output; it must succeed, and warn of nothing."""
        google = {
            "GOOGLE_CLIENT_ID": "id",
            "GOOGLE_CLIENT_SECRET": "secret",
            "GOOGLE_ISSUER": "https://accounts.google.com",
        }
        named = [*arguments, f"--remote={self.db_url}", "--workdir", str(project)]
        done = run_official_cli(named, self.home, self.home, google)
        assert done.returncode == 0, done.stdout + done.stderr
        assert re.findall(r"(?im)^.*\b(?:warn|warning|error|deprecated)\b.*$", done.stderr) == []
        return done.stdout + done.stderr


@pytest.fixture
def official(stack: Stack, tmp_path: Path) -> OfficialCli:
    return OfficialCli(tmp_path, stack.db_url)


def migrations() -> list[str]:
    return sorted(path.name for path in (ROOT / "sql" / "migrations").glob("*.sql"))


def test_official_migration_list_has_each_migration_here_and_there(official: OfficialCli) -> None:
    shown = official.run("migration", "list")
    rows = re.findall(r"`(\d{14})` \| `(\d{14})`", shown)
    versions = [name.partition("_")[0] for name in migrations()]
    assert rows == [(version, version) for version in versions]


def test_official_push_has_nothing_to_do_on_a_started_stack(official: OfficialCli) -> None:
    assert "up to date" in official.run("db", "push", "--dry-run")


def test_official_push_names_the_migration_that_is_missing(official: OfficialCli, tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "supabase").mkdir(parents=True)
    shutil.copy(ROOT / "supabase-config.toml", project / "supabase" / "config.toml")
    shutil.copytree(ROOT / "supabase" / "templates", project / "supabase" / "templates")
    shutil.copytree(ROOT / "sql" / "migrations", project / "supabase" / "migrations")
    (project / "supabase" / "migrations" / "29991231235959_later.sql").write_text(
        "select 1;", encoding="utf-8"
    )
    shown = official.run("db", "push", "--dry-run", project=project)
    assert "29991231235959_later.sql" in shown
    assert migrations()[0] not in shown
    with psycopg.connect(official.db_url) as connection:
        applied = (
            "select count(*) from supabase_migrations.schema_migrations where version = '29991231235959'"
        )
        assert connection.execute(applied).fetchone() == (0,)


@pytest.mark.parametrize("example", ["todo", "tenants", "files"])
def test_official_command_takes_an_example_as_it_is(official: OfficialCli, example: str) -> None:
    (migration,) = (ROOT / "examples" / example / "supabase" / "migrations").glob("*.sql")
    shown = official.run("migration", "list", project=ROOT / "examples" / example)
    assert migration.name.partition("_")[0] in shown


@pytest.mark.parametrize("inspection", few(INSPECTIONS, 1))
def test_official_inspection_works(official: OfficialCli, inspection: str) -> None:
    official.run("inspect", "db", inspection)


def test_official_report_makes_every_inspection_and_shows_the_shops_tables(
    official: OfficialCli, tmp_path: Path
) -> None:
    official.run("inspect", "report", "--output-dir", str(tmp_path / "report"))
    made = {path.stem: path.read_text() for path in (tmp_path / "report").glob("*/*.csv")}
    assert {each.replace("-", "_") for each in INSPECTIONS[1:]} <= made.keys()
    assert "public.product_variants" in made["table_stats"]


def test_official_types_name_every_table_and_function(official: OfficialCli) -> None:
    types = official.run("gen", "types", "typescript")
    for name in ("designs", "orders", "product_variants", "profiles", "get_pricing", "place_order"):
        assert re.search(rf'(?m)^[\s}},]*"{name}":', types), name
    assert re.search(r'"product_variants": \{\s*Row: \{[^}]*"is_available": boolean', types)
