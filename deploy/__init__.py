"""The owner's commands, which bring the shop to the internet: `python -m deploy VERB`.

Runs on the owner's machine only; nothing of it is deployed. Every command may be run again: it says what it changed,
and a second run changes nothing.
"""
