"""The commands of `python -m deploy`: a table of contents. Each verb's module is imported when the verb is called.

A verb's module has two functions:

    def add_arguments(parser: argparse.ArgumentParser) -> None
    def run(arguments: argparse.Namespace, environ: Mapping[str, str]) -> int

`environ` is the process's environment over the root's `.env`. `run` returns the exit code, and raises `CommandError`
where a person has to do something first.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Verb:
    name: str
    module: str
    summary: str


VERBS = (Verb("catalogue", "deploy.commands.catalogue", "fill the catalogue from the printer"),)
