"""The common parts of all services: settings, errors, tokens, identity, HTTP values, clock."""
