"""A function that lies where its entrypoint says."""

import flask
import functions_framework
from _shared.greeting import greet


@functions_framework.http
def moved_away(request: flask.Request) -> flask.typing.ResponseReturnValue:
    return {"who": "moved-away", "greeting": greet("from afar")}
