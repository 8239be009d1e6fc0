"""What tests share: stacks, users, mailbox, browser."""
