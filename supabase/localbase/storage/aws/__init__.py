"""S3's protocol, as its server and its client share it."""
