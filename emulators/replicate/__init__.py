"""Replicate: predictions of a few published models, drawn by the local artist.

Follows https://replicate.com/docs/reference/http. The pictures come from `emulators.artist`,
which needs no generative model and no network.
"""
