"""Pictures on demand: resized, cropped and recoded copies of stored ones (supabase/storage, `src/storage/renderer`)."""
