"""Google's Cloud Scheduler, by the gcloud command.

https://docs.cloud.google.com/sdk/gcloud/reference/scheduler/jobs/create/http; headers come from a file by gcloud's
`--flags-file`, because every user of a machine may read its processes' command lines.
"""

from __future__ import annotations

import base64
import json
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from typing import Any

from deploy.errors import CommandError
from deploy.sweep_call import SweepCall

_MISSING = "NOT_FOUND"


class CloudScheduler:
    """The job of one region; `environ` is gcloud's environment."""

    def __init__(self, region: str, project: str | None, environ: Mapping[str, str]) -> None:
        self._place = [f"--location={region}", *([f"--project={project}"] if project else [])]
        self._environ = environ

    def set(self, call: SweepCall) -> str:
        """Makes the job, or brings it up to date; a sentence on what was done."""
        described = self._describe(call)
        if described is not None and _matches(described, call):
            return f"schedule: Cloud Scheduler calls {call.url} every minute, nothing to change"
        verb, headers = ("create", "--headers") if described is None else ("update", "--update-headers")
        # a temporary file is its owner's alone
        with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as flags:
            json.dump({headers: call.headers()}, flags)
            flags.flush()
            self._run([*self._command(verb, call), f"--flags-file={flags.name}"])
        if described is not None and described.get("state") == "PAUSED":
            self._run(["gcloud", "scheduler", "jobs", "resume", call.name, *self._place, "--quiet"])
        return f"schedule: Cloud Scheduler calls {call.url} every minute ({verb}d)"

    def show(self, call: SweepCall) -> str:
        """The command for a job that does not exist yet, for a shell that has the key in its environment."""
        headers = json.dumps({"--headers": call.headers(f"${{{call.key_name}}}")})
        command = shlex.join([*self._command("create", call), "--flags-file=/dev/stdin"])
        return f"{command} <<FLAGS\n{headers}\nFLAGS"

    def _command(self, verb: str, call: SweepCall) -> list[str]:
        return [
            "gcloud", "scheduler", "jobs", verb, "http", call.name, *self._place,
            f"--schedule={call.schedule}", "--time-zone=Etc/UTC", f"--uri={call.url}", "--http-method=POST",
            f"--message-body={call.body}", f"--attempt-deadline={call.deadline_seconds}s", "--quiet",
        ]  # fmt: skip

    def _describe(self, call: SweepCall) -> dict[str, Any] | None:
        command = [
            "gcloud",
            "scheduler",
            "jobs",
            "describe",
            call.name,
            *self._place,
            "--format=json",
            "--quiet",
        ]
        done = self._start(command)
        if done.returncode:
            if _MISSING in done.stderr:
                return None
            raise CommandError(f"gcloud could not read the schedule: {done.stderr.strip()}")
        described: dict[str, Any] = json.loads(done.stdout)
        return described

    def _run(self, command: list[str]) -> None:
        done = self._start(command)
        if done.returncode:
            raise CommandError(f"{shlex.join(command)} failed: {done.stderr.strip()}")

    def _start(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        program = shutil.which(command[0], path=self._environ.get("PATH"))
        if program is None:
            raise CommandError("gcloud is not installed: https://cloud.google.com/sdk/docs/install")
        return subprocess.run(
            [program, *command[1:]], env=dict(self._environ), capture_output=True, text=True, check=False
        )


def _matches(job: Mapping[str, Any], call: SweepCall) -> bool:
    target = job.get("httpTarget") or {}
    headers = target.get("headers") or {}
    return (
        job.get("schedule") == call.schedule
        and job.get("state", "ENABLED") == "ENABLED"
        and job.get("attemptDeadline") == f"{call.deadline_seconds}s"
        and target.get("uri") == call.url
        and target.get("httpMethod") == "POST"
        and base64.b64decode(target.get("body") or "").decode() == call.body
        and all(headers.get(name) == value for name, value in call.headers().items())
    )
