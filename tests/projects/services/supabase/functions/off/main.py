"""Exists, and is not enabled."""

import flask
import functions_framework


@functions_framework.http
def off(request: flask.Request) -> flask.typing.ResponseReturnValue:
    return {"who": "off"}
