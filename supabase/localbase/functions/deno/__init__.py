"""Functions in TypeScript and JavaScript: found, configured and run by Deno, where it is installed."""
