"""The owner at a terminal: runs `python -m deploy` with the settings of a running shop."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass

from emulators.core.environment import vendor_variables
from tests.support.command_host import prepared_command
from tests.support.stacks import ROOT, Stack


@dataclass(frozen=True)
class CommandOutput:
    """The command's output, and its exit code."""

    code: int
    out: str
    err: str


def deploy(*arguments: str) -> list[str]:
    """`python -m deploy ARGUMENTS`, prepared: it imports nothing (`command_host`)."""
    return [*prepared_command("deploy", "deploy"), *arguments]


class Owner:
    """`environ` is what stands in the owner's environment."""

    def __init__(self, stack: Stack) -> None:
        self.environ = {
            **stack.environ,
            **vendor_variables(stack.environ, {}),
            "SUPABASE_URL": stack.api_url,
            "SUPABASE_SECRET_KEY": stack.secret_key,
            "SUPABASE_PUBLISHABLE_KEY": stack.publishable_key,
            "SITE_URL": stack.site_url,
        }

    def run(self, *arguments: str, environ: Mapping[str, str] | None = None) -> CommandOutput:
        """`python -m deploy ARGUMENTS`; `environ` adds to the environment, an empty value takes away."""
        done = subprocess.run(
            deploy(*arguments),
            cwd=ROOT,
            env={**self.environ, **(environ or {})},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        return CommandOutput(done.returncode, done.stdout, done.stderr)


def owner_of(stack: Stack) -> Owner:
    """The same with the database's address."""
    owner = Owner(stack)
    owner.environ.update({"SUPABASE_DB_URL": stack.db_url})
    return owner
