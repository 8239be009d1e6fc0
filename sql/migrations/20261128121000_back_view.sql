-- The back's camera: a printer's pictures of a shirt are named by its cameras, and which of them shows the back is known from
-- the pictures of a product that has one.
alter table public.product_variants add column back_view integer check (back_view > 0);
comment on column public.product_variants.back_view is
  'The printer''s camera that shows this variant''s back; null until the pictures of a product printed on both sides have told it.';
