"""Says what body has come, or responds with the kind of body that the header names."""

import hashlib

import flask
import functions_framework

_FORM = (
    b'--edge\r\ncontent-disposition: form-data; name="greeting"\r\n\r\nhello\r\n'
    b'--edge\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n\x00\x01\r\n--edge--\r\n'
)


@functions_framework.http
def bodies(request: flask.Request) -> flask.typing.ResponseReturnValue:
    match request.headers.get("x-answer", "what"):
        case "text":
            return "plain text", {"content-type": "text/plain"}
        case "blob":
            return bytes(range(256)), {"content-type": "application/octet-stream"}
        case "pdf":
            return b"%PDF-1.7", {"content-type": "application/pdf"}
        case "form":
            return _FORM, {"content-type": "multipart/form-data; boundary=edge"}
        case "events":
            return "data: 1\n\ndata: 2\n\n", {"content-type": "text/event-stream"}
        case "error":
            return {"error": "refused by the function"}, 418
    form = {
        "fields": request.form.to_dict(),
        "files": {
            name: [file.filename, file.read().decode("latin-1")] for name, file in request.files.items()
        },
    }
    data = b"" if request.form or request.files else request.get_data()
    return {
        "method": request.method,
        "type": (request.content_type or "").partition(";")[0],
        "size": len(data),
        "digest": hashlib.sha256(data).hexdigest(),
        "json": request.get_json(silent=True),
        "form": form,
        "region": [request.headers.get("x-region"), request.args.get("forceFunctionRegion")],
        "authorization": request.headers.get("authorization"),
        "custom": request.headers.get("x-custom"),
    }
