"""A project's settings: `supabase/config.toml` in the official CLI's format, read once into frozen values.

Every value can be overridden by the environment, under the official CLI's rule for names: `api.port` is
`SUPABASE_API_PORT`. `env(NAME)` inside the file takes the environment's value. Sections that localbase does not
know are left to the official CLI, which reads the same file.
"""

from __future__ import annotations

import ipaddress
import itertools
import re
from dataclasses import dataclass, field
from typing import Literal, NewType

from localbase.core.auth_settings import LOCAL_JWT_SECRET, AuthSettings, Seconds
from localbase.core.database_address import PROJECT_ROLE, shown, url_of

LOCAL_S3_KEYS = (
    "625729a08b95bf1b7ff351a663f3a23c",
    "850181e4652dd023b7a98c58ae0d2d34bd487ee0cc3254aed6eda37307425907",
)

# Written as in Go's units (`50MiB`).
Bytes = NewType("Bytes", int)
# Of TCP, 1 to 65535.
Port = NewType("Port", int)

# Of a function's process. The shop's largest print file takes 450 MB; the wall-clock limit is the hosted platform's.
_MEMORY_LIMIT, _CPU_LIMIT, _WALL_CLOCK_LIMIT = Bytes(1 << 30), Seconds(60), Seconds(400)
_TWO_HOURS, _ONE_DAY = Seconds(2 * 3600), Seconds(24 * 3600)


def _fault(network: str) -> str:
    try:
        prefix = ipaddress.ip_network(network, strict=False).prefixlen
    except ValueError:
        return f"must be addresses or networks such as 10.0.0.0/8, not {network!r}"
    return (
        "" if prefix else f"may not be everybody ({network}): each client could name any address as its own"
    )


@dataclass(frozen=True, slots=True)
class ApiSettings:
    """`[api]`: the Data API and the gateway's port."""

    port: Port = Port(54321)
    schemas: tuple[str, ...] = ("public", "graphql_public")
    extra_search_path: tuple[str, ...] = ("public", "extensions")
    max_rows: int = 1000
    # Without it the roles of the Data API reach what a migration grants them.
    auto_expose_new_tables: bool = True
    # localbase's own: networks of proxies whose X-Forwarded-For, -Proto and -Host count (`gateway/forwarding.py`).
    trusted_proxies: tuple[str, ...] = ()

    def faults(self) -> list[str]:
        """Return what is no network, or everybody's, in words for whom the settings belong to."""
        return [f"api.trusted_proxies {fault}" for text in self.trusted_proxies if (fault := _fault(text))]


@dataclass(frozen=True, slots=True)
class SeedSettings:
    """`[db.seed]`: SQL files, as patterns relative to `supabase/`."""

    enabled: bool = True
    sql_paths: tuple[str, ...] = ("./seed.sql",)


@dataclass(frozen=True, slots=True)
class MigrationSettings:
    """`[db.migrations]`: whether `supabase/migrations` is applied, and where the schema is declared."""

    enabled: bool = True
    # SQL files that say how the schema is to be, as patterns relative to `supabase/`, for `db diff`.
    schema_paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DbSettings:
    """`[db]`: the database's port, migrations and seed, and secrets of its vault by their names.

    `external_url`, localbase's own, is the address of a Postgres that the owner runs: then no other is started. It may
    hold a password, and only the file switches it, no variable of the environment.
    """

    port: Port = Port(54322)
    external_url: str = field(default="", repr=False, metadata={"file_alone": True})
    pool_size: int = 20
    migrations: MigrationSettings = field(default_factory=MigrationSettings)
    seed: SeedSettings = field(default_factory=SeedSettings)
    vault: dict[str, str] = field(default_factory=dict, repr=False)

    def faults(self) -> list[str]:
        """Return what cannot be, in words for whom the settings belong to; nothing of an address is shown."""
        if not self.external_url or re.match(r"postgres(ql)?://", self.external_url):
            return []
        return ["db.external_url must be an address, such as postgresql://postgres@host:5432/shop"]


@dataclass(frozen=True, slots=True)
class MailSettings:
    """`[local_smtp]` (older: `[inbucket]`): the mailbox for every mail that the project sends."""

    enabled: bool = True
    port: Port = Port(54324)
    smtp_port: Port = Port(54325)
    admin_email: str = "admin@email.com"
    sender_name: str = ""


@dataclass(frozen=True, slots=True)
class StudioSettings:
    """`[studio]`: the developer's pages."""

    enabled: bool = True
    port: Port = Port(54323)


@dataclass(frozen=True, slots=True)
class BucketSettings:
    """`[storage.buckets.<name>]`: a bucket made at start, filled from `objects_path` while it is empty."""

    public: bool = False
    file_size_limit: str = ""
    allowed_mime_types: tuple[str, ...] = ()
    objects_path: str = ""


@dataclass(frozen=True, slots=True)
class ImageTransformationSettings:
    """`[storage.image_transformation]`: whether `/render/image` draws."""

    enabled: bool = True


@dataclass(frozen=True, slots=True)
class S3ProtocolSettings:
    """`[storage.s3_protocol]`. The official CLI has `enabled` only; the others are what it starts its own stack with.

    Requests that are signed with the two keys act as the service role.
    """

    enabled: bool = True
    access_key_id: str = ""
    secret_access_key: str = ""
    region: str = "local"


@dataclass(frozen=True, slots=True)
class ByteStoreSettings:
    """`[storage.bytes]`, localbase's own: where the bytes of objects lie, on this disk or on a service that speaks S3.

    Only one project may use the bucket below its `prefix`: what no object of it names is swept.
    """

    backend: Literal["disk", "s3"] = "disk"
    endpoint: str = ""
    bucket: str = ""
    region: str = ""
    access_key_id: str = ""
    secret_access_key: str = field(default="", repr=False)
    prefix: str = ""

    def faults(self) -> list[str]:
        """Return what is missing or cannot be, in words for whom the settings belong to."""
        if self.backend == "disk":
            return []
        needed = ("endpoint", "bucket", "region", "access_key_id", "secret_access_key")
        faults = [
            f'storage.bytes.{name} is missing: backend = "s3" needs it'
            for name in needed
            if not getattr(self, name)
        ]
        if self.endpoint and not re.fullmatch(r"https?://[^/?#@\s]+(/[^?#\s]*)?", self.endpoint):
            faults.append(f"storage.bytes.endpoint must be an http or https address, not {self.endpoint!r}")
        return faults


@dataclass(frozen=True, slots=True)
class StorageSettings:
    """`[storage]`. Sizes are written as in Go's units (`50MiB`).

    Signed uploads are good for `signed_upload_expiry`, resumable ones for `upload_expiry` from their begin: localbase's
    own settings in place of upstream's environment (`src/config.ts`).
    """

    enabled: bool = True
    file_size_limit: str = "50MiB"
    signed_upload_expiry: Seconds = _TWO_HOURS
    upload_expiry: Seconds = _ONE_DAY
    image_transformation: ImageTransformationSettings = field(default_factory=ImageTransformationSettings)
    buckets: dict[str, BucketSettings] = field(default_factory=dict)
    s3_protocol: S3ProtocolSettings = field(default_factory=S3ProtocolSettings)
    byte_store: ByteStoreSettings = field(default_factory=ByteStoreSettings, metadata={"toml": "bytes"})


@dataclass(frozen=True, slots=True)
class RealtimeSettings:
    """`[realtime]`. Only `enabled` is the official CLI's; the others have the hosted service's names."""

    enabled: bool = True
    # WebSockets at once, of all clients together.
    max_concurrent_users: int = 200
    max_channels_per_client: int = 100
    # Upstream has no limits for these two.
    max_postgres_changes_per_channel: int = 100
    max_filters_per_channel: int = 200
    max_joins_per_second: int = 100
    # Broadcasts sent and delivered.
    max_events_per_second: int = 100
    max_presence_events_per_second: int = 1000
    # Of one broadcast or presence; a whole frame may have 3 MiB (`max_frame_size`).
    max_payload_size_in_kb: int = 3000
    max_frame_size: str = "3MiB"
    max_client_presence_events_per_window: int = 5
    client_presence_window_ms: int = 30_000
    # Only private channels may be joined.
    private_only: bool = False


@dataclass(frozen=True, slots=True)
class FunctionSettings:
    """`[functions.<slug>]`. `entrypoint` and `import_map` (of Deno) are relative to `supabase/`."""

    enabled: bool = True
    verify_jwt: bool = True
    entrypoint: str = ""
    import_map: str = ""


@dataclass(frozen=True, slots=True)
class EdgeRuntimeSettings:
    """`[edge_runtime]`: the functions' processes. The limits are those of each function's process."""

    enabled: bool = True
    memory_limit: Bytes = _MEMORY_LIMIT
    cpu_limit: Seconds = _CPU_LIMIT
    wall_clock_limit: Seconds = _WALL_CLOCK_LIMIT
    concurrency: int = 32
    secrets: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Settings:
    """The whole of a project's `config.toml`."""

    project_id: str = "localbase"
    api: ApiSettings = field(default_factory=ApiSettings)
    db: DbSettings = field(default_factory=DbSettings)
    local_smtp: MailSettings = field(default_factory=MailSettings)
    studio: StudioSettings = field(default_factory=StudioSettings)
    auth: AuthSettings = field(default_factory=AuthSettings)
    storage: StorageSettings = field(default_factory=StorageSettings)
    realtime: RealtimeSettings = field(default_factory=RealtimeSettings)
    edge_runtime: EdgeRuntimeSettings = field(default_factory=EdgeRuntimeSettings)
    functions: dict[str, FunctionSettings] = field(default_factory=dict)

    @property
    def keys(self) -> Keys:
        """The project's API keys."""
        auth = self.auth
        return Keys(
            auth.jwt_secret, auth.anon_key, auth.service_role_key, auth.publishable_key, auth.secret_key
        )

    @property
    def s3_keys(self) -> tuple[str, str] | None:
        """The access key and the secret of the S3 protocol.

        Without any of its own a project has those that the official CLI publishes, as long as its JWT secret is the
        published one, too: they would be a back door to a project with a secret.
        """
        s3_protocol = self.storage.s3_protocol
        if s3_protocol.access_key_id and s3_protocol.secret_access_key:
            return s3_protocol.access_key_id, s3_protocol.secret_access_key
        return LOCAL_S3_KEYS if self.auth.jwt_secret == LOCAL_JWT_SECRET else None

    def shared_ports(self) -> list[str]:
        """Return what is wrong where two services have one port."""
        ports = {"api.port": self.api.port}
        if not self.db.external_url:
            ports["db.port"] = self.db.port
        if self.studio.enabled:
            ports["studio.port"] = self.studio.port
        if (mail := self.local_smtp).enabled:
            ports |= {"local_smtp.port": mail.port, "local_smtp.smtp_port": mail.smtp_port}
        pairs = itertools.combinations(ports.items(), 2)
        return [f"{one} and {other} are both {port}" for (one, port), (other, same) in pairs if port == same]

    @property
    def api_url(self) -> str:
        """The gateway's address."""
        return f"http://127.0.0.1:{self.api.port}"

    @property
    def studio_url(self) -> str:
        """The address of the developer's pages."""
        return f"http://127.0.0.1:{self.studio.port}"

    @property
    def mailbox_url(self) -> str:
        """The mailbox page's address."""
        return f"http://127.0.0.1:{self.local_smtp.port}"

    @property
    def db_url(self) -> str:
        """The database as the project's own (not superuser) role. One of the owner's own may have a password in it."""
        if self.db.external_url:
            return url_of(self.db.external_url, PROJECT_ROLE)
        return f"postgresql://postgres:postgres@127.0.0.1:{self.db.port}/postgres"

    @property
    def shown_db_url(self) -> str:
        """The same for screens and logs: of a database of the owner's own without its password."""
        return shown(self.db.external_url) if self.db.external_url else self.db_url


@dataclass(frozen=True, slots=True)
class Keys:
    """The two legacy JWT keys, the two opaque keys that stand for them, and the secret that signs tokens."""

    jwt_secret: str
    anon: str
    service_role: str
    publishable: str
    secret: str
