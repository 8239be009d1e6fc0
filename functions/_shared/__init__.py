"""The functions' common part: `endpoint` takes requests, `shop` wires, the subjects decide, `clients` call the vendors.

Imports run one way: a function's main → endpoint → shop → orders → shipping → designs → catalog → clients → core.
"""
