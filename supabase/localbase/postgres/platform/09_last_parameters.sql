-- What was still missing of the configuration that PostgREST reads from the database.
grant set on parameter "pgrst.db_pre_config", "pgrst.jwt_cache_max_lifetime" to postgres;
