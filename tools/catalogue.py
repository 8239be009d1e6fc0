"""`python -m tools.catalogue`: writes deploy/production_check/catalogue.json anew, after a migration has changed.

The migrations run on Postgres as others ship it, of each major version that Supabase runs.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping

import psycopg
from localbase.postgres.schema.model import Key, SchemaModel, SchemaObject
from localbase.postgres.schema.read import read_model

from deploy.production_check.catalogue import CLASSES, FILE, MAJORS, name_of, shop_part
from tests.support.plain_postgres import plain_postgres
from tests.support.stacks import ROOT


def model_of_migrations(major: int) -> SchemaModel:
    """The shop's part of an empty project's catalog after all migrations."""
    with plain_postgres(major) as cluster, psycopg.connect(cluster.url("postgres"), autocommit=True) as made:
        for file in sorted((ROOT / "sql" / "migrations").glob("*.sql")):
            made.execute(file.read_bytes())
        return shop_part(read_model(made))


def catalogue_text(models: Mapping[int, SchemaModel]) -> str:
    """The file of these catalogs, by major version. An object is a line."""
    newest = models[MAJORS[0]]
    sections = {}
    for major in MAJORS:
        model = models[major]
        if model.objects.keys() != newest.objects.keys():
            raise ValueError(f"Postgres {major} makes other objects of the migrations than {MAJORS[0]}.")
        sections[major] = [
            _line(item, model.depends[key])
            for key, item in sorted(model.objects.items())
            if model is newest or item != newest.objects[key]
        ]
    written = (f'"{major}": [\n' + ",\n".join(lines) + "\n]" for major, lines in sections.items())
    return "{\n" + ",\n".join(written) + "\n}\n"


def _line(item: SchemaObject, depends: frozenset[Key]) -> str:
    name = type(item).__name__
    dumped = CLASSES[name].dump_python(item, mode="json", exclude_defaults=True)
    if access := dumped.get("access"):
        access["privileges"].sort(key=lambda right: json.dumps(right, sort_keys=True))
    needs = sorted(name_of(key) for key in depends - {item.parent})
    return json.dumps({"class": name, **dumped, **({"needs": needs} if needs else {})}, ensure_ascii=False)


def main() -> int:
    """Writes the file."""
    FILE.write_text(catalogue_text({major: model_of_migrations(major) for major in MAJORS}), encoding="utf-8")
    sys.stdout.write(f"{FILE.relative_to(ROOT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
