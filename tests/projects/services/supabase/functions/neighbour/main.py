"""Needs a token."""

import flask
import functions_framework
from helper import WHO


@functions_framework.http
def neighbour(request: flask.Request) -> flask.typing.ResponseReturnValue:
    return {"who": WHO}
