-- The project's role may configure the Data API in the database (`alter role authenticator set pgrst.…`), as on the
-- hosted platform, and its functions may keep settings of their own below `app.settings`.
grant set on parameter
  "pgrst.db_schemas", "pgrst.db_extra_search_path", "pgrst.db_max_rows", "pgrst.db_pre_request",
  "pgrst.db_aggregates_enabled", "pgrst.db_plan_enabled", "pgrst.db_tx_end", "pgrst.db_root_spec",
  "pgrst.db_anon_role", "pgrst.db_hoisted_tx_settings", "pgrst.db_timezone_enabled",
  "pgrst.openapi_mode", "pgrst.openapi_server_proxy_uri", "pgrst.openapi_security_active",
  "pgrst.jwt_aud", "pgrst.jwt_role_claim_key", "pgrst.jwt_secret", "pgrst.jwt_secret_is_base64",
  "pgrst.server_cors_allowed_origins", "app.settings.jwt_secret", "app.settings.jwt_exp"
  to postgres;
