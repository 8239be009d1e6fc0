"""A function for the tests of Studio."""

import flask
import functions_framework


@functions_framework.http
def hello(request: flask.Request) -> flask.typing.ResponseReturnValue:
    """Greets the name in the body."""
    return {"message": f"Hello {request.get_json()['name']}!"}
