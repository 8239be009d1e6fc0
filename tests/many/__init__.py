"""The shop on many machines: each is a network namespace of this one, and each of them fails."""
