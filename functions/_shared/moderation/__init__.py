"""From the report of a design to the mail that tells its owner what was decided."""
