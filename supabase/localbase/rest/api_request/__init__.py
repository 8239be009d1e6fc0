"""From an HTTP request to an `ApiRequest`: preferences, range, media types, the query grammar, the body."""
