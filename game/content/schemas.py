"""JSON schemas of content files and records, for editors: made from the models that judge them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from pydantic import TypeAdapter

from game import paths
from game.content.adventures import AdventuresFile
from game.content.tables import PLACE, models
from game.controllers.ai import factors, weights
from game.sound import ambience, score
from rules.core import record as records
from rules.core.registry import RULESETS

DRAFT = "https://json-schema.org/draft/2020-12/schema"
Schema = dict[str, Any]


def schemas(ruleset_id: str) -> dict[str, Schema]:
    """JSON schemas of every content file of a ruleset (`olde.weapons.json`) and of records (`record.json`)."""
    found: dict[str, Schema] = {"record.json": {"$schema": DRAFT, **records.Record.model_json_schema()}}
    for path, kind, model in models(ruleset_id):
        entry = TypeAdapter(model).json_schema()
        definitions = entry.pop("$defs", {})
        if kind == "creature":  # a template leaves its place in a fight open
            entry["required"] = [field for field in entry["required"] if field not in PLACE]
        found[f"{ruleset_id}.{path.stem}.json"] = {
            "$schema": DRAFT, "title": path.name, "type": "object", "required": [kind], "additionalProperties": False,
            "properties": {kind: {"type": "array", "items": entry}}, "$defs": definitions,
        }  # fmt: skip
    return found


def schema_text(schema: Mapping[str, Any]) -> str:
    """A schema as it stands in `assets/schema/`."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def write_schemas(ruleset_id: str, folder: Path | None = None) -> list[Path]:
    """Write the schemas of a ruleset (default: into `assets/schema/`) and give their paths.

    `python -m game.content.schemas` writes them all, after changing a model.
    """
    folder = folder or paths.asset("schema")
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, schema in schemas(ruleset_id).items():
        path = folder / name
        path.write_text(schema_text(schema), encoding="utf-8", newline="\n")
        written.append(path)
    return written


def weights_schema() -> Schema:
    """The JSON schema of `assets/ai/weights.toml`: each number with what it stands for."""
    parts = msgspec.json.schema(weights.Weights)["$defs"]
    found: Schema = {**parts.pop("Weights"), "$defs": parts}
    for table, told in _said().items():
        model = found
        for word in filter(None, table.split(".")):
            model = model.get("additionalProperties") or model["properties"][word]  # tables by any name, or by theirs
            model = found["$defs"][model["$ref"].rpartition("/")[2]] if "$ref" in model else model
        for field, sentence in told.items():
            if "$ref" not in model.get("properties", {}).get(field, {"$ref": ""}):
                model["properties"][field]["description"] = sentence
    temper = found["$defs"]["Temper"]
    temper["properties"]["base"] = {"type": "string", "description": "The temperament that says what is left out."}
    del temper["required"]

    return {"$schema": DRAFT, **found}


def tuned_schema() -> Schema:
    """The JSON schema of `assets/ai/tuned.toml`: for each ruleset how many times a number of the weights counts."""
    amount = {"type": "number", "minimum": 0}

    def closed(properties: Mapping[str, object]) -> Schema:
        return {"type": "object", "additionalProperties": False, "properties": dict(properties)}

    def tables(kind: str) -> Schema:
        known = factors.tables_of(kind)
        return closed({name: closed(dict.fromkeys(factors.tunable(each), amount)) for name, each in known.items()})

    return {"$schema": DRAFT, "title": "tuned.toml", **closed({kind: tables(kind) for kind in RULESETS})}


def write_weights_schema(folder: Path | None = None) -> None:
    """Write the schemas of the weights and of their factors (default: into `assets/schema/`)."""
    folder = folder or paths.asset("schema")
    for name, schema in (("weights", weights_schema()), ("tuned", tuned_schema())):
        (folder / f"{name}.json").write_text(schema_text(schema), encoding="utf-8", newline="\n")


def _said() -> dict[str, dict[str, str]]:
    """Table -> number -> the sentence above it in the file; a table's own stands behind its name."""
    found: dict[str, dict[str, str]] = {}
    table, words = "", list[str]()
    for line in paths.asset("ai", "weights.toml").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            words.append(line.removeprefix("#").strip())
            continue
        name = line.partition("=")[0].strip()
        if line.startswith("["):
            table = line[1 : line.index("]")]
            above, _, name = table.rpartition(".")
            words = [line.partition("#")[2].strip()]
        else:
            above = table
        if words and name:
            found.setdefault(above, {})[name] = " ".join(words)
        words = []
    return found


def sound_schemas() -> dict[str, Schema]:
    """The JSON schemas of the files in `assets/sound/`, by their names in `assets/schema/`."""
    found = {}
    for name, model in (("ambience", ambience.Theme), ("music", score.Piece)):
        parts = msgspec.json.schema(model)["$defs"]
        entry = {"$ref": f"#/$defs/{model.__name__}"}
        found[f"sound.{name}.json"] = {
            "$schema": DRAFT, "title": f"{name}.toml", "type": "object", "additionalProperties": entry, "$defs": parts,
        }  # fmt: skip
    return found


def write_sound_schemas(folder: Path | None = None) -> None:
    """Write them into `assets/schema/`, after changing a model."""
    _write(sound_schemas(), folder)


def _write(schemas: dict[str, Schema], folder: Path | None) -> None:
    for name, schema in schemas.items():
        path = (folder or paths.asset("schema")) / name
        path.write_text(schema_text(schema), encoding="utf-8", newline="\n")


def chain_schema() -> Schema:
    """The JSON schema of a chain's file."""
    from game.setup.chains import ChainModel  # start-up time: schemas are seldom asked for

    return {"$schema": DRAFT, **ChainModel.model_json_schema(), "title": "A chain of encounters"}


def write_chain_schema(path: Path | None = None) -> None:
    """Write it as `assets/schema/chain.json`, after changing the model."""
    (path or paths.asset("schema", "chain.json")).write_text(
        schema_text(chain_schema()), encoding="utf-8", newline="\n"
    )


def creature_schemas() -> dict[str, Schema]:
    """The JSON schemas of creatures and groups of one's own, by their names in `assets/schema/`."""
    from game.storage.creatures import CreatureFile, GroupFile  # start-up time: schemas are seldom asked for

    return {
        "creature.json": {"$schema": DRAFT, **CreatureFile.model_json_schema(), "title": "A creature of one's own"},
        "group.json": {"$schema": DRAFT, **GroupFile.model_json_schema(), "title": "A group of creatures"},
    }


def write_creature_schemas(folder: Path | None = None) -> None:
    """Write them into `assets/schema/`, after changing a model."""
    _write(creature_schemas(), folder)


def pack_schema() -> Schema:
    """The JSON schema of a pack's `pack.toml`."""
    from game.content.packs.manifest import Manifest  # start-up time: schemas are seldom asked for

    return {"$schema": DRAFT, **Manifest.model_json_schema(), "title": "pack.toml"}


def write_pack_schema(path: Path | None = None) -> None:
    """Write it as `assets/schema/pack.json`, after changing the model."""
    (path or paths.asset("schema", "pack.json")).write_text(schema_text(pack_schema()), encoding="utf-8", newline="\n")


def adventures_schema() -> Schema:
    """The JSON schema of `assets/content/adventures.toml`."""
    return {"$schema": DRAFT, **AdventuresFile.model_json_schema(), "title": "adventures.toml"}


def write_adventures_schema(path: Path | None = None) -> None:
    """Write it as `assets/schema/adventures.json`, after changing the model."""
    (path or paths.asset("schema", "adventures.json")).write_text(
        schema_text(adventures_schema()), encoding="utf-8", newline="\n"
    )


def write_all() -> None:
    """Write every schema into `assets/schema/`, after changing a model."""
    for ruleset_id in RULESETS:
        write_schemas(ruleset_id)
    write_weights_schema()
    write_sound_schemas()
    write_chain_schema()
    write_creature_schemas()
    write_pack_schema()
    write_adventures_schema()


if __name__ == "__main__":
    write_all()
