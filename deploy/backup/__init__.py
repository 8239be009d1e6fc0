"""A copy of the shop's data in a folder, and back: rows by COPY, objects by the Storage API, the emulators' state.

docs/decisions/0043-backup-and-restore.md has the reasons, docs/operations.md the commands.
"""
