"""The database's work in the background: requests of pg_net, jobs of pg_cron."""
