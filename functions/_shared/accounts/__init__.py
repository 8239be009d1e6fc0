"""What a person may do with the whole of an account: take a copy, and end it."""
