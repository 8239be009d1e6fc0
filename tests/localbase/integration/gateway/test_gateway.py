"""The gateway and the mailbox: keys, health, metrics, logs, mails."""

from __future__ import annotations

import smtplib
import time
import uuid
from email.message import EmailMessage
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest

from tests.localbase.integration.small_project import until
from tests.support.logs import log_lines, records
from tests.support.mailbox import find_mails
from tests.support.stacks import Stack


def test_data_api_requires_a_known_key(services: Stack) -> None:
    address = f"{services.api_url}/rest/v1/sign_ups"
    assert httpx.get(address).json() == {"message": "No API key found in request"}
    assert httpx.get(address, headers={"apikey": "guessed"}).json() == {
        "message": "Invalid authentication credentials"
    }
    for key in (services.anon_key, services.publishable_key, services.service_role_key, services.secret_key):
        response = httpx.get(address, headers={"apikey": key})
        assert (response.status_code, isinstance(response.json(), list)) == (200, True)
    assert httpx.get(address, params={"apikey": services.anon_key}).status_code in (200, 400)


def test_invalid_token_is_rejected_with_postgrests_error(services: Stack) -> None:
    headers = {"apikey": services.publishable_key, "authorization": "Bearer a.b.c"}
    response = httpx.get(f"{services.api_url}/rest/v1/sign_ups", headers=headers)
    assert response.status_code == 401
    assert response.json()["code"] == "PGRST301"
    assert response.headers["www-authenticate"].startswith('Bearer error="invalid_token"')


def test_unknown_paths_are_not_found(services: Stack) -> None:
    response = httpx.get(f"{services.api_url}/nowhere")
    assert (response.status_code, response.json()) == (404, {"message": "no Route matched with those values"})


def test_health_and_metrics_respond(services: Stack) -> None:
    assert httpx.get(f"{services.api_url}/health").json() == {"status": "ok"}
    for headers in (
        {"authorization": f"Bearer {services.secret_key}"},
        {"authorization": f"Bearer {services.service_role_key}"},
        {"apikey": services.secret_key},
    ):
        metrics = httpx.get(f"{services.api_url}/metrics", headers=headers).text
        assert 'localbase_requests_total{service="rest",status="200"}' in metrics


def test_metrics_want_the_service_key(services: Stack) -> None:
    for key in ("guessed", services.publishable_key, services.anon_key):
        for headers in ({"authorization": f"Bearer {key}"}, {"apikey": key}, {}):
            response = httpx.get(f"{services.api_url}/metrics", headers=headers)
            assert (response.status_code, response.headers["www-authenticate"]) == (401, "Bearer")
            assert response.json() == {"message": "Metrics are for the secret key, as a bearer token"}


def test_rejected_request_leaves_one_line_in_the_log(services: Stack) -> None:
    mark = uuid.uuid4().hex
    httpx.post(
        f"{services.api_url}/rest/v1/sign_ups",
        content=b"{nope",
        headers={
            "apikey": services.publishable_key,
            "content-type": "application/json",
            "x-request-id": mark,
        },
    )
    # it is written behind the response
    assert until(lambda: any(mark in line for line in log_lines(services.state, "gateway")), 5)
    (line,) = [record for record in records(services.state, "gateway") if record.get("request_id") == mark]
    assert (line["severity"], line["service"], line["method"], line["path"], line["status"]) == (
        *("INFO", "gateway"),
        *("POST", "/rest/v1/sign_ups"),
        400,
    )
    assert (line["bytes_in"], line["bytes_out"] > 0) == (5, True)


def test_data_api_sees_a_new_table_without_a_restart(services: Stack) -> None:
    name = f"fresh_{uuid.uuid4().hex[:8]}"
    address = f"{services.api_url}/rest/v1/{name}"
    headers = {"apikey": services.secret_key}
    assert httpx.get(address, headers=headers).status_code == 404
    with psycopg.connect(services.db_url, autocommit=True) as connection:
        connection.execute(f"create table {name} (id int)")
        deadline = time.monotonic() + 10
        while (
            response := httpx.get(address, headers=headers)
        ).status_code == 404 and time.monotonic() < deadline:
            continue
        connection.execute(f"drop table {name}")
    assert (response.status_code, response.json()) == (200, [])


@pytest.fixture
def sent(services: Stack) -> tuple[Stack, str]:
    to = f"{uuid.uuid4().hex[:12]}@example.com"
    message = EmailMessage()
    message["From"] = "Shop <shop@example.com>"
    message["To"] = to
    message["Subject"] = "Größe XL ist da"
    message.set_content("Plain text with a link: http://example.com/x\n")
    message.add_alternative("<p>Rich <script>alert(1)</script></p>", subtype="html")
    port = urlsplit(services.mailbox_url).port
    assert port is not None
    with smtplib.SMTP("127.0.0.1", port + 1) as smtp:
        smtp.send_message(message)
    return services, to


def test_mail_of_too_many_parts_is_refused(services: Stack) -> None:
    port = urlsplit(services.mailbox_url).port
    assert port is not None
    to = f"{uuid.uuid4()}@example.com"
    raw = "content-type: multipart/mixed; boundary=x\r\n\r\n" + "--x\r\n\r\na\r\n" * 1001
    with smtplib.SMTP("127.0.0.1", port + 1) as smtp, pytest.raises(smtplib.SMTPDataError) as error:
        smtp.sendmail("shop@example.com", [to], raw)
    assert error.value.args == (554, b"5.6.0 A mail has at most 1000 parts")
    assert find_mails(services, to) == []


def test_mail_is_stored_and_found(sent: tuple[Stack, str]) -> None:
    stack, to = sent
    (mail,) = find_mails(stack, to, "größe xl")
    assert mail["From"] == {"Name": "Shop", "Address": "shop@example.com"}
    assert mail["To"] == [{"Name": "", "Address": to}]
    assert mail["Text"].strip() == "Plain text with a link: http://example.com/x"
    assert "<p>Rich" in mail["HTML"]
    assert httpx.get(f"{stack.mailbox_url}/api/v1/message/{mail['ID']}/raw").text.startswith("From: Shop")


def test_mail_is_shown_without_its_scripts(sent: tuple[Stack, str]) -> None:
    stack, to = sent
    (mail,) = find_mails(stack, to)
    shown = httpx.get(f"{stack.mailbox_url}/view/{mail['ID']}.html")
    assert "script-src 'none'" in shown.headers["content-security-policy"]
    assert shown.headers["content-security-policy"].startswith("sandbox")


def test_mails_are_deleted(sent: tuple[Stack, str]) -> None:
    stack, to = sent
    (mail,) = find_mails(stack, to)
    httpx.request("DELETE", f"{stack.mailbox_url}/api/v1/messages", json={"IDs": [mail["ID"]]})
    assert find_mails(stack, to) == []
    assert httpx.get(f"{stack.mailbox_url}/api/v1/message/{mail['ID']}").status_code == 404


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "localhost.evil.example:54324"},
        {"host": "127.0.0.1.evil.example"},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
    ],
    ids=str,
)
def test_mailbox_answers_no_other_site(services: Stack, headers: dict[str, str]) -> None:
    for method, path in (("GET", "/api/v1/messages"), ("DELETE", "/api/v1/messages"), ("GET", "/")):
        response = httpx.request(method, services.mailbox_url + path, headers=headers)
        assert (response.status_code, set(response.json())) == (403, {"message"})


def test_mailbox_answers_by_every_name_of_this_machine(services: Stack) -> None:
    port = urlsplit(services.mailbox_url).port
    for host in (f"localhost:{port}", "LOCALHOST", f"mail.localhost:{port}", f"[::1]:{port}", "192.168.1.5"):
        assert httpx.get(f"{services.mailbox_url}/api/v1/info", headers={"host": host}).status_code == 200
    own = {"origin": services.mailbox_url}
    assert httpx.get(f"{services.mailbox_url}/api/v1/info", headers=own).status_code == 200
