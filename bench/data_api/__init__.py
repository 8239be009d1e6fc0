"""The Data API beside Postgres alone and beside another implementation."""
