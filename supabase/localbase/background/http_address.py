"""The address that the database's `http()` calls: a port of this machine and a key, in a file beside its data."""

from __future__ import annotations

import secrets
import socket

from localbase.postgres.cluster import Cluster

# As `http--1.6.sql` reads it.
_FILE = "http.address"


def listening_socket() -> socket.socket:
    """A port of this machine that its own processes reach."""
    return socket.create_server(("127.0.0.1", 0))


def publish(cluster: Cluster, listening: socket.socket) -> str:
    """Tells the cluster's database where to call; returns the key that calls bring."""
    key = secrets.token_urlsafe(24)
    address = (
        f"host=127.0.0.1 port={listening.getsockname()[1]} user=localbase dbname=http password={key}"
        " sslmode=disable gssencmode=disable connect_timeout=5"
    )
    cluster.write_own(_FILE, address.encode())
    return key
