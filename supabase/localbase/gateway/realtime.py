"""Realtime in the first process of the gateway, which has all its sockets: other processes hand theirs over."""

from __future__ import annotations

from contextlib import AsyncExitStack

from localbase.core.authenticator import Authenticator
from localbase.core.project import Project
from localbase.postgres.cluster import Cluster
from localbase.postgres.pool import Database
from localbase.postgres.service_pool import ServicePool
from localbase.realtime.changes.feed import ChangeFeed
from localbase.realtime.hub.hub import Hub
from localbase.realtime.hub.partitions import Partitions
from localbase.realtime.service import RealtimeService

_OWNER, _REPLICATION = "supabase_realtime_admin", "supabase_replication_admin"
_CONNECTIONS = 4


async def open_realtime(
    stack: AsyncExitStack, project: Project, cluster: Cluster, authenticator: Authenticator
) -> RealtimeService:
    """The service. `stack` ends what it has opened."""
    settings = project.settings.realtime
    pool = ServicePool(cluster.near_url(_OWNER), size=_CONNECTIONS)
    await pool.open()
    stack.push_async_callback(pool.close)
    database = Database(cluster.near_url(_OWNER), size=_CONNECTIONS)
    stack.push_async_callback(database.close)
    replication_url = cluster.near_url(_REPLICATION)
    feed = ChangeFeed(replication_url, database, most_filters=settings.max_filters_per_channel)
    hub = Hub(settings, feed, replication_url)
    stack.push_async_callback(hub.close)
    partitions = Partitions(pool)
    await partitions.start()
    stack.push_async_callback(partitions.close)
    return RealtimeService(settings, authenticator, pool, hub)
