"""The ground of every subject: settings, errors, logs, callers, usage limits, texts. It imports none of them."""
