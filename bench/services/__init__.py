"""The services beside what their work costs without them, or with a peer."""
