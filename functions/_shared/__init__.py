"""What the functions share: `endpoint` receives, rules decide, clients talk to the world.

Imports run one way: a function's main → rules → clients → settings.
"""
