"""`/auth/v1`: GoTrue's API over the `auth` schema. One capability a file; `service` is the table of contents."""
