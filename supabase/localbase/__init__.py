"""localbase: Supabase's wire protocols in Python, over a real Postgres that comes with it.

Public are the command `localbase`, which is `python -m localbase` too (COMMANDS.md), the package `localbase.testing`,
and pytest's plugin with the fixture `localbase_project` and the setting `localbase_workdir`. Every other module is
internal: any version may change it.
"""

__all__ = ["testing"]
