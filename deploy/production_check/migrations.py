"""Rights by sql/migrations, read from their statements, so that no second list of it exists."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from deploy.environment import ROOT

_FOLDER = ROOT / "sql" / "migrations"
_COMMENT = re.compile(r"--[^\n]*")
# what a `do` block executes counts; a function's body does not
_DO_BLOCK = re.compile(r"\bdo \$(\w*)\$(.*?)\$\1\$", re.DOTALL)
# a name in double quotes may hold an apostrophe
_TEXT = re.compile(r"""(?P<name>"[^"]*")|\$(?P<tag>\w*)\$.*?\$(?P=tag)\$|'(?:[^']|'')*'""", re.DOTALL)
_RELATION = re.compile(r"create (table|view|materialized view)(?: if not exists)? (public\.\w+)")
_POLICY = re.compile(r'create policy "([^"]+)" on ((?:public|storage)\.\w+)')
_GRANT = re.compile(r"grant (.+?) on (?:table )?(public\..+?) to (.+)", re.DOTALL)
_EXECUTE = re.compile(r"grant execute on function (.+) to (.+)", re.DOTALL)
_PRIVILEGE = re.compile(r"(\w+)\s*(\([^)]*\))?")
_ROLES = ("anon", "authenticated")


@dataclass(frozen=True)
class Access:
    """'role PRIVILEGE(columns)' by relation, policies by relation, and 'role function'."""

    tables: set[str] = field(default_factory=set)
    views: set[str] = field(default_factory=set)
    policies: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    grants: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    functions: set[str] = field(default_factory=set)


def read_access(folder: Path = _FOLDER) -> Access:
    access = Access()
    for file in sorted(folder.glob("*.sql")):
        text = _DO_BLOCK.sub(r"\2", _COMMENT.sub("", file.read_text(encoding="utf-8")))
        text = _TEXT.sub(lambda match: match["name"] or "''", text)
        for statement in text.split(";"):
            _read_statement(access, " ".join(statement.split()))
    return access


def _read_statement(access: Access, statement: str) -> None:
    if relation := _RELATION.match(statement):
        (access.tables if relation[1] == "table" else access.views).add(relation[2])
    elif policy := _POLICY.match(statement):
        access.policies[policy[2]].add(policy[1])
    elif execute := _EXECUTE.match(statement):
        names = re.findall(r"public\.(\w+)\(", execute[1])
        access.functions.update(f"{role} {name}" for role in _roles(execute[2]) for name in names)
    elif grant := _GRANT.match(statement):
        for table in re.findall(r"public\.\w+", grant[2]):
            access.grants[table] |= {
                f"{role} {verb}" for role in _roles(grant[3]) for verb in _verbs(grant[1])
            }


def _roles(text: str) -> list[str]:
    return [role for role in re.findall(r"\w+", text) if role in _ROLES]


def _verbs(text: str) -> list[str]:
    """'select (b, a), delete' → SELECT(a,b), DELETE."""
    verbs = []
    for verb, columns in _PRIVILEGE.findall(text):
        listed = ",".join(sorted(re.findall(r"\w+", columns)))
        verbs.append(f"{verb.upper()}({listed})" if listed else verb.upper())
    return verbs
