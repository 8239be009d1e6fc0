"""Runs a job's command and throws its rows away one by one: a job may select more than this process has memory for."""

from __future__ import annotations

import asyncio

import psycopg
from psycopg.generators import fetch, send
from psycopg.pq import ExecStatus

# Rows between two looks at what else this process has to do.
_ROWS_AT_ONCE = 500
_FAILED = (ExecStatus.FATAL_ERROR, ExecStatus.BAD_RESPONSE)
_ROW = ExecStatus.SINGLE_TUPLE
_COPY = (ExecStatus.COPY_IN, ExecStatus.COPY_OUT, ExecStatus.COPY_BOTH)


async def run_command(
    connection: psycopg.AsyncConnection[tuple[object, ...]], command: str, most_rows: int
) -> tuple[str, str]:
    """The status and the message of `cron.job_run_details`, in pg_cron's words.

    Several statements are one transaction, as the simple protocol has it. More than `most_rows` rows cancel them.
    """
    pgconn = connection.pgconn
    pgconn.send_query(command.encode())
    pgconn.set_single_row_mode()
    await connection.wait(send(pgconn))
    status, message, rows = "succeeded", "", 0
    while (result := await connection.wait(fetch(pgconn))) is not None:
        if result.status == _ROW:
            rows += 1
            if rows % _ROWS_AT_ONCE == 0:
                await asyncio.sleep(0)
            if rows == most_rows:
                await connection.cancel_safe()
                status, message = "failed", f"ERROR:  more than {most_rows} rows"
            continue
        if status == "failed":
            continue
        if result.status in _FAILED:
            text = result.error_field(psycopg.pq.DiagnosticField.MESSAGE_PRIMARY) or result.error_message
            status, message = "failed", f"ERROR:  {text.decode(errors='replace').strip()}"
        elif result.status in _COPY:
            return "failed", "ERROR:  COPY from and to the client is not possible in a job"
        elif result.status == ExecStatus.TUPLES_OK:
            message, rows = f"{rows} row{'' if rows == 1 else 's'}", 0
        else:
            message = (result.command_status or b"").decode()
    return status, message
