"""Returns the request as JSON, as the function saw it."""

import flask
import functions_framework
from _shared.greeting import greet
from helper import WHO


@functions_framework.http
def echo(request: flask.Request) -> flask.typing.ResponseReturnValue:
    body = request.get_json(silent=True)
    response = {
        "who": WHO,
        "greeting": greet("there"),
        "method": request.method,
        "path": request.path,
        "query": request.args.to_dict(),
        "body": body,
        "authorization": request.headers.get("authorization"),
    }
    return flask.jsonify(response), 201, {"x-made-by": "echo"}
