-- Further configuration of the Data API that PostgREST reads from the database.
grant set on parameter
  "pgrst.client_error_verbosity", "pgrst.db_prepared_statements", "pgrst.server_timing_enabled",
  "pgrst.server_trace_header", "pgrst.url_use_legacy_target_names"
  to postgres;
