"""What the functions share: `endpoint` takes requests, `shop` wires, the subjects decide, `clients` call the vendors.

Imports run one way: a function's main → endpoint → shop → orders → designs → catalog → clients → core.
"""
