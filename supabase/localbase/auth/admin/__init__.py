"""Administration of users by the service role."""
