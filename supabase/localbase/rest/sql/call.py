"""A function's call as a query over its result."""

from __future__ import annotations

from localbase.rest.api_request.request import BODY
from localbase.rest.plan.nodes import Argument, Call
from localbase.rest.sql.fields import column_sql
from localbase.rest.sql.text import Parameters, identifier, qualified

_BODY = "pgrst_body"
_CALL = "pgrst_call"
SCALAR = "pgrst_scalar"


def call_sql(call: Call, parameters: Parameters) -> str:
    """The call. A result that is no row becomes the one column `pgrst_scalar`."""
    function = call.function
    source = ""
    if call.whole_body:
        arguments = f"{parameters.use(BODY)}::{function.parameters[0].type}"
    elif call.in_body and call.arguments:
        source = f"{_body_rows(call, parameters)}, LATERAL "
        arguments = ", ".join(
            _named(item, f"{_BODY}.{identifier(item.parameter.name)}") for item in call.arguments
        )
    else:
        arguments = ", ".join(_named(item, _value(item, parameters)) for item in call.arguments)
    called = f"{qualified((function.schema, function.name))}({arguments})"
    if not function.is_composite:
        return f"SELECT {_CALL}.{SCALAR} FROM {source}(SELECT {called} AS {SCALAR}) AS {_CALL}"
    columns = ", ".join(column_sql(_CALL, name) for name in call.returning)
    return f"SELECT {columns} FROM {source}{called} AS {_CALL}"


def _named(argument: Argument, value: str) -> str:
    variadic = "VARIADIC " if argument.parameter.variadic else ""
    return f"{variadic}{identifier(argument.parameter.name)} := {value}"


def _value(argument: Argument, parameters: Parameters) -> str:
    if argument.parameter.variadic:
        items = ", ".join(f"{parameters.use(place)}::text" for place in argument.places)
        return f"ARRAY[{items}]::{argument.parameter.cast}"
    return f"{parameters.use(argument.places[0])}::{argument.parameter.cast}"


def _body_rows(call: Call, parameters: Parameters) -> str:
    """The body as one record of arguments; of a list the first item counts."""
    columns = ", ".join(f"{identifier(a.parameter.name)} {a.parameter.cast}" for a in call.arguments)
    body = f"{parameters.use(BODY)}::json"
    if call.body_is_object:
        return f"json_to_record({body}) AS {_BODY} ({columns})"
    return f"(SELECT * FROM json_to_recordset({body}) AS _ ({columns}) LIMIT 1) AS {_BODY}"
