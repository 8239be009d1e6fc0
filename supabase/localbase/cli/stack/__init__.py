"""A project's processes: started, watched, restarted."""
