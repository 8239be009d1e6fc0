"""The demonstration gallery: designs by the local artist, as SQL for the database's seed."""
