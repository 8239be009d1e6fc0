"""`test db | new`, `inspect …`, `db lint` and `db advisors` on one running project."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from localbase.cli.table import FIGURES

from tests.localbase.integration.small_project import PORT, SmallProject, until

PASSING = """
begin;
\\set expected 1
select '1..2';
select case when count(*) = :expected then 'ok 1 - one thing' else 'not ok 1' end from shop.things;
insert into shop.things values (2, 'second');
select 'ok 2 - ' || current_user;
rollback;
"""
FAILING = """
begin;
select '1..4';
select 'ok 1 - fine';
select 'not ok 2 - wrong';
select '# Failed test 2: "wrong"';
select 'not ok 3 - later # TODO some day';
rollback;
"""


@pytest.fixture
def tests_folder(project: SmallProject) -> Iterator[Path]:
    folder = project.root / "supabase" / "tests"
    (folder / "deep").mkdir(parents=True)
    yield folder
    for path in folder.rglob("*.sql"):
        path.unlink()
    (folder / "deep").rmdir()
    folder.rmdir()


def test_passing_tests_are_summed_up_as_by_pg_prove(project: SmallProject, tests_folder: Path) -> None:
    (tests_folder / "a_test.sql").write_text(PASSING)
    (tests_folder / "deep" / "b_test.sql").write_text(PASSING)
    done = project.run("test", "db")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "Result: PASS"), done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == f"{tests_folder}/a_test.sql ....... ok"
    assert lines[1] == f"{tests_folder}/deep/b_test.sql .. ok"
    assert lines[2] == "All tests successful."
    assert lines[3].startswith("Files=2, Tests=4, ")
    # each file took its own rows back, and ran as the project's role
    assert project.things().json() == [{"id": 1, "name": "first"}]
    shown = json.loads(project.run("test", "db", "-o", "json", str(tests_folder / "deep")).stdout)
    assert [test["name"] for test in shown[0]["tests"]] == ["one thing", "postgres"]


def test_failing_and_missing_tests_are_named(project: SmallProject, tests_folder: Path) -> None:
    (tests_folder / "a_test.sql").write_text(FAILING)
    (tests_folder / "b_test.sql").write_text("select '1..1';\nselect 1/0;\nselect 'ok 1';")
    done = project.run("test", "db", "--local")
    assert done.returncode == 1
    text = done.stdout
    assert '# Failed test 2: "wrong"\nFailed 2/4 subtests\n' in text
    assert "division by zero" in text
    assert "Dubious, test returned 3" in text
    report = text[text.index("Test Summary Report") :]
    assert f"{tests_folder}/a_test.sql (Wstat: 0 Tests: 3 Failed: 2)\n  Failed tests:  2, 4\n" in report
    assert "  Parse errors: Bad plan. You planned 4 tests but ran 3.\n" in report
    assert "  Non-zero exit status: 3\n" in report
    assert report.rstrip().endswith("Result: FAIL")


def test_new_test_is_a_file_with_a_plan(project: SmallProject, tests_folder: Path) -> None:
    assert project.run("test", "new", "orders").returncode == 0
    assert "select plan(1);" in (tests_folder / "orders_test.sql").read_text()
    again = project.run("test", "new", "orders")
    assert (again.returncode, "exists already" in again.stderr) == (1, True)
    assert "is no name of a file" in project.run("test", "new", "../x").stderr


def test_tests_that_are_not_there_are_an_error(project: SmallProject) -> None:
    done = project.run("test", "db", "nowhere")
    assert (done.returncode, "There are no tests at nowhere." in done.stderr) == (1, True)


def test_every_figure_of_the_database_can_be_read(project: SmallProject, tmp_path: Path) -> None:
    done = project.run("inspect", "report", "--output-dir", str(tmp_path), "-o", "json")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    files = {row["figure"]: Path(row["file"]) for row in json.loads(done.stdout)}
    # the last nine are older names of the others
    assert list(files) == list(FIGURES)[:16]
    with files["table-stats"].open(encoding="utf-8") as file:
        rows = {row["name"]: row for row in csv.DictReader(file)}
    assert rows["shop.things"]["estimated_rows"] == "1"
    assert not [name for name in rows if name.startswith("pg_catalog.")]


@pytest.mark.parametrize("name", ["table-stats", "table-sizes"])
def test_figure_is_shown_by_both_of_its_names(project: SmallProject, name: str) -> None:
    rows = json.loads(project.run("inspect", "db", name, "-o", "json").stdout)
    (things,) = [row for row in rows if row["name"] == "shop.things"]
    assert (things["estimated_rows"], things["table_size"]) == (1, "16 kB")
    address = f"postgresql://postgres:postgres@127.0.0.1:{PORT + 1}/postgres"
    text = project.run("inspect", "db", name, "--db-url", address).stdout
    assert text.splitlines()[0].split("  ")[0] == "NAME"
    assert "shop.things" in text


def test_statement_that_waits_is_shown_with_what_it_waits_for(project: SmallProject) -> None:
    def blocked() -> list[tuple[int, int]]:
        rows = json.loads(project.run("inspect", "db", "blocking", "-o", "json").stdout)
        return [(row["blocked_pid"], row["blocking_pid"]) for row in rows]

    with project.database() as first, project.database() as second, ThreadPoolExecutor(1) as pool:
        first.execute("begin; update shop.things set name = name")
        waiting = pool.submit(second.execute, "update shop.things set name = name")
        try:
            pids = (second.info.backend_pid, first.info.backend_pid)
            assert until(lambda: blocked() == [pids])
        finally:
            first.execute("rollback")
        waiting.result()


def test_figure_of_an_extension_that_is_missing_says_how_to_have_it(project: SmallProject) -> None:
    with project.database("supabase_admin") as connection:
        connection.execute("drop extension pg_stat_statements")
        try:
            done = project.run("inspect", "db", "outliers")
        finally:
            connection.execute("create extension pg_stat_statements with schema extensions")
    assert done.returncode == 1
    assert (
        "outliers reads the extension pg_stat_statements, which this database does not have." in done.stderr
    )
    assert "create extension pg_stat_statements" in done.stderr


def test_lint_and_advisors_print_their_findings_and_fail_for_them(project: SmallProject) -> None:
    clean = project.run("db", "lint", "--fail-on", "warning")
    assert (clean.returncode, clean.stdout) == (0, ""), clean.stderr
    with project.database() as connection:
        connection.execute(
            "create function shop.f() returns void language plpgsql as "
            "$$ begin delete from shop.missing; end $$"
        )
    try:
        line = 'shop.f, line 1: error: relation "shop.missing" does not exist\n'
        shown = project.run("db", "lint")
        assert (shown.returncode, shown.stdout) == (0, line), shown.stderr
        failed = project.run("db", "lint", "--fail-on", "error", "--output", "json")
        assert failed.returncode == 1
        assert json.loads(failed.stdout) == [
            {
                "function": "shop.f",
                "issues": [
                    {
                        "level": "error",
                        "message": 'relation "shop.missing" does not exist',
                        "sqlState": "42P01",
                        "statement": {"lineNumber": "1", "text": "delete from shop.missing"},
                    }
                ],
            }
        ]
    finally:
        with project.database() as connection:
            connection.execute("drop function shop.f()")
    advice = project.run("db", "advisors", "--type", "security", "--level", "error", "--fail-on", "error")
    assert advice.returncode == 1
    assert advice.stdout.startswith("error: shop.things: The Data API serves this table")
    assert project.run("db", "advisors", "--type", "performance", "--fail-on", "error").returncode == 0
