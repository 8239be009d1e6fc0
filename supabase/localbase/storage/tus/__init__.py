"""Resumable uploads: TUS 1.0.0 with creation, creation-with-upload, termination and expiration (https://tus.io)."""
