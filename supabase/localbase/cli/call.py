"""One call of a verb: its project, its options, and what it prints."""

from __future__ import annotations

import argparse
import csv
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from localbase.core.errors import UserError
from localbase.core.project import Project, open_project

FORMATS = ("text", "pretty", "table", "json", "yaml", "toml", "env", "csv")


@dataclass(frozen=True)
class Output:
    """The printing of results: `text` is for a person, the other formats are for programs. All goes to stdout."""

    format: str = "text"

    @property
    def is_text(self) -> bool:
        """Tell whether a person reads it."""
        return self.format in {"text", "pretty", "table"}

    @property
    def is_json(self) -> bool:
        """Tell whether a program reads it as JSON."""
        return self.format == "json"

    def show(self, data: Any, text: str) -> None:
        """Prints `text` for a person, and `data` (whatever JSON can hold) for a program.

        `env` and `toml` are for a flat mapping to strings, `csv` is for a list of flat mappings with the same keys.
        Raises `UserError` for a format that the data has not.
        """
        if self.is_text:
            if text:
                print(text)
        elif self.format == "csv" and _is_table(data):
            names = list(data[0]) if data else []
            writer = csv.DictWriter(sys.stdout, names, lineterminator="\n")
            writer.writeheader()
            writer.writerows(data)
        elif self.format in {"env", "toml", "yaml"} and _is_flat(data):
            mark = {"env": "{}={}", "toml": "{} = {}", "yaml": "{}: {}"}[self.format]
            print("\n".join(mark.format(name, json.dumps(value)) for name, value in data.items()))
        elif self.format in {"json", "yaml"}:
            # JSON is YAML too.
            print(json.dumps(data, indent=2, ensure_ascii=False, default=str))
        else:
            raise UserError(
                f"This command prints nothing as {self.format}.", "Choose --output json, or leave it out."
            )


def _is_flat(data: Any) -> bool:
    return isinstance(data, Mapping) and all(isinstance(value, str) for value in data.values())


def _is_table(data: Any) -> bool:
    return isinstance(data, list) and all(isinstance(row, Mapping) for row in data)


@dataclass(frozen=True)
class Call:
    """The arguments of a verb."""

    options: argparse.Namespace
    environ: Mapping[str, str]

    @cached_property
    def output(self) -> Output:
        """The output of results."""
        return Output(self.options.output)

    @cached_property
    def root(self) -> Path:
        """The folder that holds, or is to hold, `supabase/`: `--workdir`, or the nearest one above with a project."""
        workdir = self.options.workdir or self.environ.get("SUPABASE_WORKDIR")
        try:
            here = Path(workdir or "").resolve()
        except FileNotFoundError as error:
            raise UserError(
                "The folder that this command runs in has been removed.", "Change into one that is there."
            ) from error
        if workdir:
            return here
        projects = (each for each in (here, *here.parents) if (each / "supabase" / "config.toml").is_file())
        return next(projects, here)

    @cached_property
    def project(self) -> Project:
        """The project. Raises `UserError` where there is none."""
        return open_project(self.root, self.environ)


def call_of(options: argparse.Namespace) -> Call:
    """A call from the shell."""
    return Call(options, os.environ)
