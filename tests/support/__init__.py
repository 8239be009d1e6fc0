"""Shared by tests: stacks, users, mailbox, browser."""
