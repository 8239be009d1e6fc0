"""PostgREST's URL grammar, as small hand-written parsers from text to the values of `terms`."""
