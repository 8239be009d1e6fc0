"""Work without a visitor: the sweep's schedule and what it finds, and the server that sends the shop's mails."""

from __future__ import annotations

import smtplib
import ssl
from email.message import EmailMessage
from email.utils import parseaddr

from deploy.environment import require
from deploy.production_check.finding import Finding, Shop, finding

_MOST_SECONDS = 120
# as the alert TeesmithJobsOverdue has it
_OVERDUE_SECONDS = 600
# the sweep reads every five minutes; a long list takes it several runs
_UNCOMPARED_SECONDS = 1800
# an account whose deletion stopped midway is the next sweep's
_CLOSING_SECONDS = 600
_PATIENCE = 15.0
_TLS_PORT = 465


def check_sweep(shop: Shop) -> list[Finding]:
    last = shop.project.call("POST", "/rest/v1/rpc/get_last_sweep", json={})
    problems = []
    if last is None:
        problems.append("it has never run")
    elif last["seconds_ago"] > _MOST_SECONDS:
        problems.append(f"its last run was {int(last['seconds_ago'])} seconds ago")
    ok = f"{int(last['seconds_ago'])} seconds ago" if last else ""
    return [finding("sweep", problems, ok, "python -m deploy schedule --by cloud-scheduler (or pg_cron)")]


def check_jobs(shop: Shop) -> list[Finding]:
    """Notes, for no command mends these: a person decides, order by order."""
    figures = shop.project.call("POST", "/rest/v1/rpc/get_job_figures", json={})
    findings = [
        Finding("jobs", "note", f"{queue['gave_up']} given up: {queue['kind']} of {queue['queue']}")
        for queue in figures["queues"]
        if queue["gave_up"]
    ]
    findings += [
        Finding(
            "jobs", "note", f"{queue['kind']} of {queue['queue']} due for {int(queue['oldest_seconds'])} s"
        )
        for queue in figures["queues"]
        if queue["oldest_seconds"] > _OVERDUE_SECONDS
    ]
    findings += [
        Finding("jobs", "note", f"{count} orders need a person: {reason}")
        for reason, count in sorted(figures["open_flags"].items())
    ]
    return findings or [Finding("jobs", "ok", "nothing given up, nothing overdue, no order needs a person")]


def check_books(shop: Shop) -> list[Finding]:
    """Return that the sweep compares Stripe's payments with the books, and what it could not explain."""
    figures = shop.project.call("POST", "/rest/v1/rpc/get_money_figures", json={})
    seconds, unexplained = figures["compared_seconds"], figures["unexplained"]
    if seconds is None or seconds > _UNCOMPARED_SECONDS:
        since = "never" if seconds is None else f"for {int(seconds)} s not"
        problem = f"payments were {since} compared with Stripe's events"
        return [
            finding(
                "books", [problem], "", "let STRIPE_SECRET_KEY read events; the functions' log has the cause"
            )
        ]
    if unexplained:
        detail = f"{unexplained} payments differ from Stripe: python -m deploy compare-payments"
        return [Finding("books", "note", detail)]
    return [Finding("books", "ok", f"compared with Stripe {int(seconds)} seconds ago")]


def check_accounts(shop: Shop) -> list[Finding]:
    """Return whether a deletion that was left midway stays so."""
    arguments = {"most": 100, "waiting_seconds": _CLOSING_SECONDS}
    waiting = shop.project.call("POST", "/rest/v1/rpc/list_closing_accounts", json=arguments)
    if not waiting:
        return [Finding("accounts", "ok", "none is left half deleted")]
    problem = f"{len(waiting)} are left half deleted, {waiting[0]['id']} the longest"
    return [finding("accounts", [problem], "", "the sweep's log has the cause: deleting an account failed")]


def check_mail(shop: Shop, send_to: str = "") -> list[Finding]:
    """Signs in at the mail server; sends a mail only to an address that the caller names."""
    environ = shop.environ
    (host,) = require(environ, "SMTP_HOST")
    port = int(environ.get("SMTP_PORT", "587"))
    problems = []
    try:
        with _connect(host, port) as server:
            if environ.get("SMTP_USER"):
                if port != _TLS_PORT:
                    server.starttls(context=ssl.create_default_context())
                server.login(environ["SMTP_USER"], environ.get("SMTP_PASS", ""))
            code, reply = server.noop()
            if code != 250:
                problems.append(f"{host}:{port} answered NOOP with {code} {reply.decode(errors='replace')}")
            elif send_to:
                server.send_message(_test_mail(environ.get("MAIL_FROM", ""), send_to))
    except (OSError, smtplib.SMTPException) as error:
        problems.append(f"{host}:{port}: {type(error).__name__}: {error}")
    ok = f"{host}:{port} takes mail" + (f"; one was sent to {send_to}" if send_to else "")
    return [
        finding(
            "mail", problems, ok, "set SMTP_HOST, SMTP_PORT, SMTP_USER and SMTP_PASS, then make deploy FN=all"
        )
    ]


def _connect(host: str, port: int) -> smtplib.SMTP:
    """As the functions connect: with TLS from the start on port 465."""
    if port == _TLS_PORT:
        return smtplib.SMTP_SSL(host, port, timeout=_PATIENCE, context=ssl.create_default_context())
    return smtplib.SMTP(host, port, timeout=_PATIENCE)


def _test_mail(sender: str, to: str) -> EmailMessage:
    mail = EmailMessage()
    mail["From"], mail["To"] = sender or to, to
    mail["Subject"] = "Your shop can send mail"
    mail.set_content(f"`make production-check` sent this from {parseaddr(sender)[1] or to}.")
    return mail
