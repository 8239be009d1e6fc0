"""From a result to an HTTP response: rendering, errors, the OpenAPI document, timing."""
