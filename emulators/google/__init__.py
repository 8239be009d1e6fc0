"""Google's sign-in, as OpenID Connect has it: discovery, a page to choose an account, tokens, keys."""
