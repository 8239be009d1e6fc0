"""GRANT and REVOKE: what lies between the rights that an object has, or gets when it is made, and those it is to have.

An object that is made gets what pg_default_acl gives to objects of the role that makes it. To grant that again says
nothing; and what it gives too much must be revoked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from localbase.postgres.schema.model import Access, Privilege

# Migrations run as this role, here and on hosted projects.
MIGRATION_ROLE = "postgres"
_ALL = {
    "r": {"select", "insert", "update", "delete", "truncate", "references", "trigger"},
    "s": {"select", "update", "usage"},
    "f": {"execute"},
    "n": {"usage", "create"},
    "T": {"usage"},
}
_PLURAL = {"r": "tables", "s": "sequences", "f": "functions", "T": "types", "n": "schemas"}
# What Postgres itself gives to PUBLIC.
_BUILT_IN = {"f": frozenset({Privilege("", "execute")}), "T": frozenset({Privilege("", "usage")})}

DefaultAccess = Mapping[tuple[str, str, str], frozenset[Privilege]]


def initial_privileges(defaults: DefaultAccess, letter: str, schema: str) -> frozenset[Privilege]:
    """The rights on an object that the migrations' role has just made."""
    everywhere = _everywhere(defaults, MIGRATION_ROLE, letter)
    return everywhere | defaults.get((MIGRATION_ROLE, schema, letter), frozenset())


def access_statements(before: frozenset[Privilege], after: Access) -> Iterator[str]:
    """Yield what brings an object from the rights `before` to those of `after`."""
    revoked = {right for right in before - after.privileges if not right.column}
    regranted = {(right.grantee, right.name) for right in revoked}
    # REVOKE on a table takes the right on its columns too.
    remaining = {
        right for right in before if not right.column or (right.grantee, right.name) not in regranted
    }
    yield from _statements("revoke", revoked, after.target, after.type)
    yield from _statements("revoke", {r for r in remaining - after.privileges if r.column}, after.target, "")
    yield from _statements("grant", after.privileges - remaining, after.target, after.type)


def default_statements(before: DefaultAccess, after: DefaultAccess, schemas: Iterable[str]) -> Iterator[str]:
    """ALTER DEFAULT PRIVILEGES for what differs in `schemas`, those of the database after the change."""
    present = {"", *schemas}
    for role, schema, letter in sorted({*before, *after}):
        if schema not in present:
            continue
        if schema:
            old, new = (each.get((role, schema, letter), frozenset()) for each in (before, after))
        else:
            old, new = (_everywhere(each, role, letter) for each in (before, after))
        prefix = f"alter default privileges for role {role}" + (f" in schema {schema}" if schema else "")
        target = _PLURAL.get(letter, letter)
        for verb, rights in (("revoke", old - new), ("grant", new - old)):
            yield from (f"{prefix} {words}" for words in _statements(verb, rights, target, letter))


def _everywhere(defaults: DefaultAccess, role: str, letter: str) -> frozenset[Privilege]:
    return defaults.get((role, "", letter), _BUILT_IN.get(letter, frozenset()))


def _statements(verb: str, rights: Iterable[Privilege], target: str, letter: str) -> Iterator[str]:
    """One statement for all roles with the same rights."""
    names: dict[tuple[str, bool], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for right in rights:
        names[right.grantee, right.grantable][right.name].add(right.column)
    roles: dict[tuple[str, bool], list[str]] = defaultdict(list)
    for (role, grantable), columns in sorted(names.items()):
        roles[_words(columns, letter), grantable].append(role or "public")
    for (words, grantable), grantees in sorted(roles.items(), key=lambda item: item[1]):
        to = "to" if verb == "grant" else "from"
        option = " with grant option" if grantable and verb == "grant" else ""
        yield f"{verb} {words} on {target} {to} {', '.join(grantees)}{option}"


def _words(columns: Mapping[str, set[str]], letter: str) -> str:
    whole = {name for name, places in columns.items() if "" in places}
    if letter in _ALL and len(_ALL[letter]) > 1 and whole == _ALL[letter] and len(columns) == len(whole):
        return "all"
    words = sorted(whole)
    for name in sorted(columns):
        if listed := sorted(columns[name] - {""}):
            words.append(f"{name} ({', '.join(listed)})")
    return ", ".join(words)
