"""What the database has done for it in the background: requests of pg_net, jobs of pg_cron."""
