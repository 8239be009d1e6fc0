"""The destinations of parcels: addresses, their countries, and how to reach a person."""
