-- The print check pays no vendor, but draws both sides at print size: it is counted and limited as what costs is (…_usage_limits.sql).

alter table private.usage_events drop constraint usage_events_kind_check;
alter table private.usage_events add constraint usage_events_kind_check check (
  kind in ('picture', 'print_product', 'import', 'order', 'export', 'deletion', 'artwork', 'scene', 'print_check')
);
comment on table private.usage_events is
  'One row for each picture, print product, import, order, scene, picture brought along, print check, copy of an account and wrong '
  'password at its deletion of the last day: those that were made, and those that are being made. Not granted to any API role: '
  'reserve_usage, complete_usage and release_usage are the way in.';
