"""The queries of `inspect db …`, from Postgres's own statistics (its documentation, "Monitoring Database Activity").

They name tables of the project and of the platform, and none of Postgres's own.
"""

from __future__ import annotations

from dataclasses import dataclass

from localbase.cli.table import OLDER_FIGURES

_STATEMENTS = "pg_stat_statements"
_SYSTEM_SCHEMAS = "('pg_catalog', 'information_schema', 'pg_toast')"


@dataclass(frozen=True, slots=True)
class Figure:
    """A query, and the extension that it reads."""

    sql: str
    extension: str = ""


_STATEMENT_COLUMNS = """
select query, round(total_exec_time::numeric, 1) as total_ms,
  round((100 * total_exec_time / nullif(sum(total_exec_time) over (), 0))::numeric, 1) as percent_of_time,
  calls, round((shared_blk_read_time + shared_blk_write_time)::numeric, 1) as io_ms
from {extension} where dbid = (select oid from pg_database where datname = current_database())
order by {order} desc limit 10
"""
# Before Postgres 17 these two had other names.
_OLDER_NAMES = {"shared_blk_read_time": "blk_read_time", "shared_blk_write_time": "blk_write_time"}

QUERIES = {
    "db-stats": Figure(
        """
select current_database() as name, pg_size_pretty(pg_database_size(current_database())) as database_size,
  (select pg_size_pretty(coalesce(sum(pg_indexes_size(relid)), 0)) from pg_stat_user_tables) as index_size,
  (select pg_size_pretty(coalesce(sum(pg_relation_size(relid)), 0)) from pg_stat_user_tables) as table_size,
  (select pg_size_pretty(coalesce(sum(pg_relation_size(reltoastrelid)), 0)) from pg_class where reltoastrelid <> 0)
    as toast_size,
  date_trunc('second', now() - stats_reset)::text as since_reset,
  (select round(100.0 * sum(idx_blks_hit) / nullif(sum(idx_blks_hit + idx_blks_read), 0), 2)
    from pg_statio_user_indexes) as index_hit_percent,
  (select round(100.0 * sum(heap_blks_hit) / nullif(sum(heap_blks_hit + heap_blks_read), 0), 2)
    from pg_statio_user_tables) as table_hit_percent,
  (select pg_size_pretty(coalesce(sum(size), 0)) from pg_ls_waldir()) as wal_size
from pg_stat_database where datname = current_database()
"""
    ),
    "replication-slots": Figure(
        """
select s.slot_name as name, s.active, r.state, r.client_addr::text as client,
  pg_size_pretty(pg_wal_lsn_diff(pg_current_wal_lsn(), s.restart_lsn)) as lag
from pg_replication_slots s left join pg_stat_replication r on r.pid = s.active_pid order by s.slot_name
"""
    ),
    "locks": Figure(
        """
select l.pid, c.relname as relation, l.transactionid::text as transaction_id, l.granted, a.query as statement,
  date_trunc('second', now() - a.query_start)::text as age
from pg_locks l join pg_stat_activity a on a.pid = l.pid left join pg_class c on c.oid = l.relation
where l.mode = 'ExclusiveLock' and l.pid <> pg_backend_pid() and a.query <> '' order by a.query_start
"""
    ),
    "blocking": Figure(
        """
select waiting.pid as blocked_pid, waiting.query as blocked_statement,
  date_trunc('second', now() - waiting.query_start)::text as blocked_for,
  holder.pid as blocking_pid, holder.query as blocking_statement,
  date_trunc('second', now() - holder.query_start)::text as blocking_for
from pg_stat_activity waiting
cross join lateral unnest(pg_blocking_pids(waiting.pid)) as blocker (pid)
join pg_stat_activity holder on holder.pid = blocker.pid order by waiting.query_start
"""
    ),
    "outliers": Figure(
        _STATEMENT_COLUMNS.format(extension=_STATEMENTS, order="total_exec_time"), _STATEMENTS
    ),
    "calls": Figure(_STATEMENT_COLUMNS.format(extension=_STATEMENTS, order="calls"), _STATEMENTS),
    "index-stats": Figure(
        """
select s.schemaname || '.' || s.indexrelname as name, s.schemaname || '.' || s.relname as table,
  (select string_agg(a.attname, ', ' order by a.attnum) from pg_attribute a where a.attrelid = s.indexrelid) as columns,
  pg_size_pretty(pg_relation_size(s.indexrelid)) as size,
  round(100.0 * t.idx_scan / nullif(t.idx_scan + t.seq_scan, 0), 1) as percent_used,
  s.idx_scan as index_scans, t.seq_scan as seq_scans,
  s.idx_scan = 0 and not i.indisunique as unused
from pg_stat_user_indexes s join pg_index i on i.indexrelid = s.indexrelid
join pg_stat_user_tables t on t.relid = s.relid order by pg_relation_size(s.indexrelid) desc, 1
"""
    ),
    "collation-drift": Figure(
        """
select distinct n.nspname || '.' || c.relname as index, l.collname as collation,
  l.collversion as recorded, pg_collation_actual_version(l.oid) as actual
from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
cross join lateral unnest(i.indcollation) as used (oid) join pg_collation l on l.oid = used.oid
where l.collversion is distinct from pg_collation_actual_version(l.oid) and n.nspname not in SYSTEM_SCHEMAS order by 1
"""
    ),
    "long-running-queries": Figure(
        """
select pid, date_trunc('second', now() - query_start)::text as duration, query
from pg_stat_activity
where state <> 'idle' and query <> '' and now() - query_start > interval '5 minutes' and backend_type = 'client backend'
order by query_start
"""
    ),
    # What the rows' average widths would take, against what the pages take.
    "bloat": Figure(
        """
with estimate as (
  select n.nspname || '.' || c.relname as name, pg_relation_size(c.oid) as bytes,
    (c.reltuples * (28 + coalesce(sum(s.avg_width * (1 - s.null_frac)), 0)))::numeric as needed
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  left join pg_stats s on s.schemaname = n.nspname and s.tablename = c.relname
  where c.relkind in ('r', 'm') and c.reltuples > 0 and n.nspname not in SYSTEM_SCHEMAS
  group by c.oid, n.nspname, c.relname, c.reltuples
)
select 'table' as type, name, round(bytes / nullif(needed, 0), 1) as bloat,
  pg_size_pretty(greatest(bytes - needed, 0)::bigint) as waste
from estimate order by bytes - needed desc, name
"""
    ),
    "role-stats": Figure(
        """
select r.rolname as name, (select count(*) from pg_stat_activity a where a.usesysid = r.oid) as active_connections,
  case when r.rolconnlimit < 0 then current_setting('max_connections')::int else r.rolconnlimit end as connection_limit,
  array_to_string(r.rolconfig, ', ') as settings
from pg_roles r where r.rolname !~ '^pg_' order by 2 desc, 1
"""
    ),
    "vacuum-stats": Figure(
        """
select s.schemaname || '.' || s.relname as table,
  s.last_vacuum::timestamp(0)::text as last_vacuum, s.last_autovacuum::timestamp(0)::text as last_autovacuum,
  s.last_analyze::timestamp(0)::text as last_analyze, s.last_autoanalyze::timestamp(0)::text as last_autoanalyze,
  greatest(c.reltuples, 0)::bigint as rows, s.n_dead_tup as dead_rows,
  s.n_dead_tup > current_setting('autovacuum_vacuum_threshold')::bigint
    + current_setting('autovacuum_vacuum_scale_factor')::float * greatest(c.reltuples, 0) as expects_autovacuum,
  s.n_mod_since_analyze > current_setting('autovacuum_analyze_threshold')::bigint
    + current_setting('autovacuum_analyze_scale_factor')::float * greatest(c.reltuples, 0) as expects_autoanalyze
from pg_stat_user_tables s join pg_class c on c.oid = s.relid order by s.n_dead_tup desc, 1
"""
    ),
    "table-stats": Figure(
        """
select s.schemaname || '.' || s.relname as name, pg_size_pretty(pg_table_size(s.relid)) as table_size,
  pg_size_pretty(pg_indexes_size(s.relid)) as index_size,
  pg_size_pretty(pg_total_relation_size(s.relid)) as total_size,
  s.n_live_tup as estimated_rows, s.seq_scan as seq_scans
from pg_stat_user_tables s order by pg_total_relation_size(s.relid) desc, 1
"""
    ),
    "traffic-profile": Figure(
        """
select s.schemaname as schema, s.relname as table, coalesce(io.heap_blks_read, 0) as blocks_read,
  s.n_tup_ins + s.n_tup_upd + s.n_tup_del as rows_written, coalesce(s.seq_tup_read, 0) + coalesce(s.idx_tup_fetch, 0)
    as rows_read,
  round((coalesce(s.seq_tup_read, 0) + coalesce(s.idx_tup_fetch, 0))::numeric
    / nullif(s.n_tup_ins + s.n_tup_upd + s.n_tup_del, 0), 1) as reads_a_write
from pg_stat_user_tables s join pg_statio_user_tables io on io.relid = s.relid
where s.n_tup_ins + s.n_tup_upd + s.n_tup_del + coalesce(s.seq_tup_read, 0) + coalesce(s.idx_tup_fetch, 0) > 0
order by 4 desc, 1, 2
"""
    ),
    "toast-sizes": Figure(
        """
select n.nspname || '.' || c.relname as table, pg_size_pretty(pg_total_relation_size(c.oid)) as total_size,
  pg_size_pretty(pg_relation_size(c.oid)) as heap_size, pg_size_pretty(pg_relation_size(c.reltoastrelid)) as toast_size,
  s.n_live_tup as live_chunks, s.n_dead_tup as dead_chunks,
  s.last_autovacuum::timestamp(0)::text as last_autovacuum, s.last_vacuum::timestamp(0)::text as last_vacuum
from pg_class c join pg_namespace n on n.oid = c.relnamespace
join pg_stat_all_tables s on s.relid = c.reltoastrelid
where n.nspname not in SYSTEM_SCHEMAS order by pg_relation_size(c.reltoastrelid) desc, 1
"""
    ),
    "xid-age": Figure(
        """
select n.nspname || '.' || c.relname as table, age(c.relfrozenxid) as xid_age,
  2147483647 - age(c.relfrozenxid) as transactions_left
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'm') and n.nspname not in SYSTEM_SCHEMAS order by 2 desc, 1
"""
    ),
}


def query_of(name: str, server_version: int) -> Figure:
    """The query of a figure, by one of its names, for a server (`170002` is 17.2)."""
    figure = QUERIES[OLDER_FIGURES.get(name, name)]
    sql = figure.sql.replace("SYSTEM_SCHEMAS", _SYSTEM_SCHEMAS)
    if server_version < 170000:
        for newer, older in _OLDER_NAMES.items():
            sql = sql.replace(newer, older)
    return Figure(sql, figure.extension)
