"""Realtime in each process of the gateway: the first holds the hub, the others are linked to it."""

from __future__ import annotations

import os
from contextlib import AsyncExitStack

from localbase.core.authenticator import Authenticator
from localbase.core.project import Project
from localbase.gateway.workers import inherited_socket
from localbase.postgres.cluster import Cluster
from localbase.postgres.pool import Database
from localbase.postgres.service_pool import ServicePool
from localbase.realtime.changes.feed import ChangeFeed
from localbase.realtime.hub import LocalHub
from localbase.realtime.hub_server import HubServer
from localbase.realtime.link import password
from localbase.realtime.partitions import Partitions
from localbase.realtime.remote_hub import RemoteHub, new_prefix
from localbase.realtime.service import RealtimeService

_OWNER, _REPLICATION = "supabase_realtime_admin", "supabase_replication_admin"
_CONNECTIONS = 4


async def open_realtime(
    stack: AsyncExitStack,
    project: Project,
    cluster: Cluster,
    authenticator: Authenticator,
    index: int,
    workers: int,
) -> RealtimeService:
    """The service of process `index` of so many `workers`. `stack` ends what it has opened."""
    settings = project.settings
    pool = ServicePool(cluster.url(_OWNER), size=max(2, _CONNECTIONS // workers))
    await pool.open()
    stack.push_async_callback(pool.close)
    secret = password(settings.auth.jwt_secret)
    if index:
        prefix = new_prefix(index)
        remote = RemoteHub(settings.realtime, int(os.environ["LOCALBASE_HUB_PORT"]), secret, prefix)
        service = RealtimeService(settings.realtime, authenticator, pool, remote, prefix)
        remote.on_lost = service.services.restart_sockets
        remote.start()
        stack.push_async_callback(remote.close)
        return service
    database = Database(cluster.near_url(_OWNER), size=_CONNECTIONS)
    stack.push_async_callback(database.close)
    replication_url = cluster.near_url(_REPLICATION)
    hub = LocalHub(settings.realtime, ChangeFeed(replication_url, database), replication_url)
    stack.push_async_callback(hub.close)
    partitions = Partitions(pool)
    await partitions.start()
    stack.push_async_callback(partitions.close)
    if workers > 1:
        server = HubServer(hub, secret)
        await server.start(inherited_socket(os.environ, "LOCALBASE_HUB_FD"))
        stack.push_async_callback(server.close)
    return RealtimeService(settings.realtime, authenticator, pool, hub)
