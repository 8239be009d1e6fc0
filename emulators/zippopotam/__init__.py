"""zippopotam.us: the town of a US ZIP code, offline.

Follows the answers of https://api.zippopotam.us/us/90210: keys with spaces, numbers as strings, a miss
is 404 with an empty object.
"""
