"""`/functions/v1`: the gateway's side, and the worker process that hosts a project's Python functions."""
