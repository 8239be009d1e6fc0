"""The ground of every vendor: settings, state, faults, logs."""
