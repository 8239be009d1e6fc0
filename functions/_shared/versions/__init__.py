"""Versions of designs: the artwork that people bring along, and what is made of a scene when its owner is done."""
