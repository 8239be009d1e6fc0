-- Imports and new orders are counted as pictures are: an import copies up to 10 MB, an order opens a payment at the vendor.

alter table private.usage_events drop constraint usage_events_kind_check;
alter table private.usage_events add constraint usage_events_kind_check
  check (kind in ('picture', 'print_product', 'import', 'order'));
comment on table private.usage_events is
  'One row for each picture, print product, import and order of the last day: those that were made, and those that are being '
  'made. Not granted to any API role: reserve_usage, complete_usage and release_usage are the way in.';
