"""The import map that a TypeScript function runs with."""

from __future__ import annotations

from pathlib import Path

import pytest
from localbase.core.errors import UserError
from localbase.functions.deno.import_map import config_of, map_of, merged_map, parse_jsonc


def write(root: Path, name: str, text: str = "{}") -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_comments_and_trailing_commas_are_no_part_of_the_settings() -> None:
    text = '{ // one\n "a": "http://x//y, }", /* two */ "b": [1, 2,], "c": {"d": "\\",}",},}'
    assert parse_jsonc(text) == {"a": "http://x//y, }", "b": [1, 2], "c": {"d": '",}'}}
    with pytest.raises(ValueError, match="Expecting"):
        parse_jsonc("{ a: 1 }")


def test_settings_of_the_function_come_before_those_of_all(tmp_path: Path) -> None:
    entrypoint = write(tmp_path, "one/index.ts", "")
    assert config_of(entrypoint, tmp_path) is map_of(entrypoint, tmp_path, None) is None
    common = write(tmp_path, "deno.jsonc")
    write(tmp_path, "import_map.json")
    assert config_of(entrypoint, tmp_path) == map_of(entrypoint, tmp_path, None) == common
    older = write(tmp_path, "one/import_map.json")
    assert map_of(entrypoint, tmp_path, None) == older
    own = write(tmp_path, "one/deno.json")
    assert config_of(entrypoint, tmp_path) == map_of(entrypoint, tmp_path, None) == own
    named = write(tmp_path, "maps/named.json")
    assert map_of(entrypoint, tmp_path, named) == named


def test_addresses_are_absolute_and_packages_reach_their_subpaths(tmp_path: Path) -> None:
    entrypoint = write(tmp_path, "one/index.ts", "")
    text = '{"importMap": "../maps/common.json"}'
    write(tmp_path, "one/deno.json", text)
    write(
        tmp_path,
        "maps/common.json",
        '{"imports": {"x/": "./x/", "zod": "npm:zod@3", "far": "https://far.example/mod.ts"},'
        ' "scopes": {"./x/": {"zod": "../zod.ts"}}}',
    )
    base = (tmp_path / "maps").resolve().as_uri()
    assert merged_map(entrypoint, tmp_path, None) == {
        "imports": {
            "x/": f"{base}/x/",
            "zod": "npm:zod@3",
            "zod/": "npm:/zod@3/",
            "far": "https://far.example/mod.ts",
        },
        "scopes": {f"{base}/x/": {"zod": f"{tmp_path.resolve().as_uri()}/zod.ts"}},
    }


@pytest.mark.parametrize(
    "specifier",
    [
        "jsr:@supabase/functions-js/edge-runtime.d.ts",
        "jsr:@supabase/functions-js@2.4.1/edge-runtime.d.ts",
        "https://esm.sh/@supabase/functions-js@2/src/edge-runtime.d.ts",
        "@supabase/functions-js/edge-runtime.d.ts",
        "npm:@supabase/functions-js@2/edge-runtime",
        "https://deno.land/std@0.168.0/http/server.ts",
        "https://deno.land/std/http/server.ts",
    ],
)
def test_modules_of_the_template_need_no_network(tmp_path: Path, specifier: str) -> None:
    entrypoint = write(tmp_path, "one/index.ts", f'import "{specifier}"\nimport "npm:stripe@14"')
    imports = merged_map(entrypoint, tmp_path, None)["imports"]
    assert list(imports) == [specifier]
    assert imports[specifier].startswith("file:///")


def test_settings_that_cannot_be_read_are_reported_by_their_file(tmp_path: Path) -> None:
    entrypoint = write(tmp_path, "one/index.ts", "")
    path = write(tmp_path, "one/deno.json", "{")
    with pytest.raises(UserError, match=str(path)):
        merged_map(entrypoint, tmp_path, None)
