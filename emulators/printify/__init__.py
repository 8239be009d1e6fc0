"""Printify: catalog, uploads, products, orders with their timeline, webhooks, mockup pictures.

Follows https://developers.printify.com (v1) and its measured behaviour: codes 8150 and 8503, whole variant
matrices, orders that take their time. Pictures of shirts come from `emulators.mockups`.
"""
