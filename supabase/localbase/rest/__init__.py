"""The Data API, `/rest/v1`: PostgREST's HTTP interface over any schema, as `parse → plan → sql → run → render`."""
