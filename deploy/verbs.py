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


VERBS = (
    Verb("buckets", "deploy.commands.buckets", "make Storage's buckets and upload what belongs into them"),
    Verb("catalog", "deploy.commands.catalog", "fill the catalog from the printer"),
    Verb("secrets", "deploy.commands.secrets", "put the functions' secrets into Secret Manager"),
    Verb("functions", "deploy.commands.functions", "deploy functions to Google Cloud, alone or all in one"),
    Verb("static", "deploy.commands.static", "write the shop's pages for a static host"),
    Verb("admin", "deploy.commands.admin", "open the admin page to an account, or invite one"),
    Verb("remove-demo-accounts", "deploy.commands.remove_demo_accounts", "delete the seed's people"),
    Verb("webhooks", "deploy.commands.webhooks", "register the webhooks of Stripe and Printify"),
    Verb(
        "compare-payments",
        "deploy.commands.compare_payments",
        "compare what Stripe has captured, refunded and disputed with the books",
    ),
    Verb("signing", "deploy.commands.signing", "replace what a project of your own signs tokens with"),
    Verb("move-pictures", "deploy.commands.move_pictures", "move pictures that rows hold into Storage"),
    Verb("backup", "deploy.commands.backup", "copy rows, objects and a local shop's vendors into a folder"),
    Verb("restore", "deploy.commands.restore", "bring a backup into an empty shop, or in place of this one"),
    Verb("schedule", "deploy.commands.schedule", "let a scheduler call the sweep every minute"),
    Verb("production-check", "deploy.production_check.verb", "ask a deployed shop what must hold"),
)
