"""The commands, a module for each group of them, imported when one is called (`cli/table.py` lists all)."""
