"""What a model refuses, in words for whoever wrote the data: `needs a whole number`, not how the program checks it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_PLAIN = {
    "missing": "is missing",
    "extra_forbidden": "no such field",
    "int_type": "needs a whole number",
    "int_parsing": "needs a whole number",
    "int_from_float": "needs a whole number",
    "float_type": "needs a number",
    "float_parsing": "needs a number",
    "bool_type": "needs true or false",
    "bool_parsing": "needs true or false",
    "string_type": "needs text",
    "tuple_type": "needs a list",
    "list_type": "needs a list",
    "dict_type": "needs a table of fields",
    "model_type": "needs a table of fields",
    "model_attributes_type": "needs a table of fields",
    "mapping_type": "needs a table of fields",
    "string_too_short": "may not be empty",
}
_BOUND = {
    "greater_than_equal": "{ge} is the least",
    "less_than_equal": "{le} is the most",
    "greater_than": "must be more than {gt}",
    "less_than": "must be less than {lt}",
    "string_too_long": "{max_length} letters are the most",
    "too_short": "{min_length} are needed",
    "too_long": "{max_length} are the most",
    "literal_error": "is none of {expected}",
    "string_pattern_mismatch": "must look like {pattern}",
}


def reason(error: Mapping[str, Any]) -> str:
    """Why, of one entry of pydantic's `ValidationError.errors()`."""
    kind = str(error["type"])
    if kind in _PLAIN:
        return _PLAIN[kind]
    if kind in _BOUND:
        known = error.get("ctx", {})
        return _BOUND[kind].format(**{key: str(value).replace(" or ", ", ") for key, value in known.items()})
    return str(error["msg"]).removeprefix("Value error, ")


def told(error: Mapping[str, Any]) -> str:
    """Field and reason: `modes.0.reach: needs a list`; what is wrong with all of an entry names its field itself."""
    where = place(error, "")
    return f"{where}: {reason(error)}" if where else reason(error)


def place(error: Mapping[str, Any], whole: str = "entry") -> str:
    """Which field: `modes.0.reach`; `whole` where it is all of it."""
    return ".".join(str(part) for part in error["loc"]) or whole
