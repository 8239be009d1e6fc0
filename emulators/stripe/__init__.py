"""Stripe: PaymentIntents, refunds, signed webhooks, and a Stripe.js with a card element.

Follows https://docs.stripe.com/api (version 2026-10-28.endive) for what a shop that takes cards needs.
"""
