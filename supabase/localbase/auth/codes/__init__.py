"""Codes and links sent by mail and SMS."""
