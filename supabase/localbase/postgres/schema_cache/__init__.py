"""The Data API's reading of the catalog (PostgREST's SchemaCache)."""
