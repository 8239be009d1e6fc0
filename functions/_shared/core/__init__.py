"""What every subject needs: settings, errors, logs, callers, usage limits, texts. It imports none of them."""
