"""The mailbox: takes every mail over SMTP and shows it on a page and as JSON, in Mailpit's shapes."""
