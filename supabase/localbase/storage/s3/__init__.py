"""`/storage/v1/s3`: the Storage API's S3 protocol, over the same rows, files and policies."""
