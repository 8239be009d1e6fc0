"""`/storage/v1`: the Storage API. Rows say who may reach an object, files hold the bytes."""
