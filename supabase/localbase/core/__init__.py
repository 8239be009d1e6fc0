"""What every service needs and none owns: settings, errors, tokens, identity, HTTP values, clock."""
