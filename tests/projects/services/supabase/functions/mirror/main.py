"""Shows the request as it reached the function."""

import flask
import functions_framework


@functions_framework.http
def mirror(request: flask.Request) -> flask.typing.ResponseReturnValue:
    if "status" in request.args:
        return "", int(request.args["status"])
    return {
        # The framework adds an id of its own.
        "headers": [
            [name.lower(), value]
            for name, value in request.headers.items()
            if name.lower() != "function-execution-id"
        ],
        "url": request.url,
        "uri": request.environ["RAW_URI"],
        "path": request.path,
    }
