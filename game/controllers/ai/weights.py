"""All numbers of taste of the computer: assets/ai/weights.toml, read and checked. By how much they are more or less
under each ruleset says `factors.py`.

A value of about 1 is "felling one ordinary creature". What may be done, and with which chances, the rules say; here
stands only how much of what counts how much. `docs/how-to/a-weight-of-the-ai.md` says how to change or add one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, reduce
from operator import getitem
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from game.content.tables import parsed
from rules.contract.errors import BattlematError, said
from rules.contract.text import text
from rules.contract.units import Seconds

T = TypeVar("T")
Amount = Annotated[float, Meta(ge=0)]
Count = Annotated[int, Meta(ge=0)]
Time = Annotated[Seconds, Meta(ge=0)]


class Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of the file. Each number stands there and nowhere else."""


class Temper(Section, frozen=True, kw_only=True):
    """How one temperament weighs its options; 1 is about the value of felling one ordinary creature."""

    summary: str = ""
    damage: Amount
    finish: Amount
    focus: Amount
    later: Annotated[float, Meta(ge=0, le=1)]
    harm: Amount
    death: Amount
    approach: Amount
    patience: Amount
    flee: Amount
    company: Amount
    wary: Annotated[float, Meta(ge=0, le=1)]
    distance: Amount
    room: Amount
    together: Amount
    aid: Amount
    points: Amount
    impatience: Amount

    @property
    def dread(self) -> float:
        """How much it minds what a bold deed may cost itself: 1 for who weighs everything alike."""
        return (self.harm + self.death) / 1.2


class PlannerWeights(Section, frozen=True):
    """Which plans are looked at, and what they must gain."""

    threshold: Amount
    calmest: Count
    per_vantage: Count
    sights: Count
    places: Count
    passes: Count


class JudgeWeights(Section, frozen=True):
    """What spaces and actions are worth."""

    part: Amount
    hasty: Amount
    boldest: Annotated[float, Meta(gt=0.0, le=1.0)]
    rushing: Amount
    spent: Amount
    stride: Amount
    prepared: Amount
    lying: Amount
    fading: Amount
    armed: Amount
    caution: Amount
    unready: Amount
    idle_magic: Amount
    room: Count
    farthest: Amount
    flight: Amount
    unseen: Amount
    beside: Count
    dying: Amount
    hurting: Amount
    ailing: Amount
    leaving: Amount
    doubtful: Amount
    lost: Amount
    search: Amount
    queue: Count
    queueing: Amount
    lag: Count
    astray: Count
    waits: Amount
    waits_outshot: Amount
    stays: Count
    returning: Amount
    lately: Count
    unhurt: Amount
    crowd: Amount
    crowded: Amount
    bold: Amount
    afraid: Amount
    seeks: Amount
    bedside: Amount
    upright: Amount
    least_prey: Amount
    prey: Amount


class PositionWeights(Section, frozen=True):
    """What blows and dangers are worth."""

    tomorrow: Amount
    shared: Amount
    again: Amount
    approach: Amount
    pinned: Amount
    caught: Amount
    mended: Amount
    fallen: Amount
    stunned: Amount
    nearby: Count
    screened: Count
    standoff_turns: Count
    patience_turns: Count
    surest: Amount
    worn: Amount
    overkill: Amount
    tired: Amount
    blows: Amount


class AnswersWeights(Section, frozen=True):
    """Answers inside an action, by the position that each leads to."""

    lying: Amount
    unarmed: Amount
    dice: Amount


class ScoutingWeights(Section, frozen=True):
    """Before anybody has noticed anybody."""

    near: Count
    far: Count
    apart: Count
    waits: Count
    bold: Count
    caught: Amount
    unknown: Amount
    opens: Amount
    mends: Amount
    lights: Amount
    trouble: Amount
    enough: Amount
    moment: Amount
    afar: Amount


class DelvingWeights(Section, frozen=True):
    """Through a whole place, and out again."""

    leads: Amount
    dares: Amount
    bolder: Amount
    warier: Amount
    fit: Amount
    asleep: Amount
    near: Count
    waits: Count
    risks: Amount
    cornered: Count
    shuns: Count
    dread: Amount
    sure: Amount
    talks: Count
    blows: Amount
    words: Amount
    saves: Count
    nicked: Amount
    dose: Amount
    mends: Count
    cares: Count
    rests: Count
    camps: Count
    takes: Count
    room: Count
    friends: Count
    keyed: Count
    detour: Count
    locked: Count
    stairs: Count
    hidden: Count
    tries: Count
    hopeless: Amount
    rougher: Amount
    searches: Count
    worth: Count
    steady: Count
    apart: Count
    close: Count
    lag: Count
    openly: Count
    gropes: Count
    nearby: Count
    patience: Count
    stale: Count
    presses: Count
    weak: Amount
    endures: Amount
    giant: Amount
    turns: Count
    hunts: Count
    stays: Count
    seen_to: Count
    idle: Count
    visits: Count


class SearchWeights(Section, frozen=True):
    """Where foes are looked for that nobody sees."""

    spacing: Count
    posts: Count
    stride: Count
    traces: Count


class SeekingWeights(Section, frozen=True):
    """Where ground is searched that no way leads to."""

    turns: Count


class RoutesWeights(Section, frozen=True):
    """What is in the way, in spaces of movement."""

    door_price: Count
    lock_price: Count
    climb_price: Count


class DefaultWeights(Section, frozen=True):
    """What is taken for granted of rules of which nothing is known."""

    pace: Count
    arm: Count
    felled: Count


class OldeValueWeights(Section, frozen=True):
    """What a creature is worth."""

    armor: Count
    skill: Count
    ordinary: Amount


class OldeWoundsWeights(Section, frozen=True):
    """What a wound leads to."""

    rises: Amount
    rises_late: Amount
    divided: Amount
    frenzied: Amount
    roused: Amount
    halted: Amount
    finished: Amount
    side_effects: Mapping[str, Amount]
    woken: Amount
    most: Amount


class OldeAttacksWeights(Section, frozen=True):
    """What else a blow does."""

    drained: Amount
    felled: Count


class OldeGroundWeights(Section, frozen=True):
    """Walls, hedges and lights."""

    lost: Amount
    pace: Count
    longest: Count
    far: Count
    better: Amount
    lit: Amount


class OldeMagicWeights(Section, frozen=True):
    """Spells and what they leave behind."""

    condition_values: Mapping[str, Amount]
    part_values: Mapping[str, Amount]
    longest: Count
    thrift: Amount
    used_up: Count
    spent: Amount
    spare: Amount
    raised: Amount
    called: Amount
    fallen: Amount
    care: Amount


class OldeMeasuresWeights(Section, frozen=True):
    """What may be done beside moving and striking."""

    detour: Count
    close: Count
    slow: Amount
    nearer: Amount
    rescue: Amount
    most_help: Count
    frightening: Amount
    aloof: Amount
    ashore: Amount
    fall: Amount


class OldePlacesWeights(Section, frozen=True):
    """What tells spaces apart."""

    fright: Amount
    likely: Amount
    packed: Amount
    waking: Amount
    together: Amount


class OldeReactionsWeights(Section, frozen=True):
    """Answers to an attack."""

    point: Amount
    parry_price: Amount


class CairnManoeuvresWeights(Section, frozen=True):
    """Manoeuvres, looking away, readiness."""

    grip: Amount
    clutched: Amount
    back: Amount
    hurt: Mapping[str, Amount]
    stare: Amount
    comes: Amount
    over: Amount
    spoilt: Amount
    bound: Amount


class CairnPowersWeights(Section, frozen=True):
    """Spells and items."""

    hindrance: Amount
    help: Amount
    floored: Amount
    away: Amount
    freed: Amount
    call: Amount
    nearest: Count
    underfoot: Mapping[str, Amount]
    harmful: Mapping[str, Amount]
    helpful: Mapping[str, Amount]
    fatigue: Amount
    used_up: Amount
    surest: Amount
    whole: Count


class CairnValueWeights(Section, frozen=True):
    """What a creature is worth."""

    art: Amount
    most_arts: Count
    strength: Amount
    guard: Count
    sting: Amount
    ordinary: Amount


class CairnPlacesWeights(Section, frozen=True):
    """Where somebody is too frail to stand."""

    frail: Amount
    timid: Amount
    beside: Amount
    felled: Count


class CairnFloorWeights(Section, frozen=True):
    """Lying on the floor when the foes' half comes."""

    floored: Amount
    elsewhere: Amount
    felled: Count


class CountupAnswersWeights(Section, frozen=True):
    """Answers to who is struck at, and to who flees."""

    heels: Amount
    step: Amount
    outreached: Amount
    stands: Amount
    yields: Amount


class CountupFlightWeights(Section, frozen=True):
    """Running out of a melee."""

    backwards: Count
    chase: Count
    wounds: Amount
    fall: Amount


class CountupManoeuvresWeights(Section, frozen=True):
    """Manners of fighting, charges, guards."""

    beat: Time
    better: Amount
    bold: Amount
    driven: Amount
    charges: Amount
    held: Amount
    soon: Time
    surely: Time
    rest: Time
    eager: Amount
    felled: Count
    attack: Count
    reduction: Count
    ordinary: Amount


class CountupPlacesWeights(Section, frozen=True):
    """Where to go, and what shots at foes do to friends."""

    longer: Amount
    shorter: Amount
    fresh: Time
    settled: Amount
    backtrack: float
    second: Amount
    wakes: Time
    early: Amount
    stroll: Count
    care: Amount
    long: Time
    mended: Amount
    freed: Amount
    saves: Amount
    whole: Count
    spell: Amount
    struck: Amount
    helped: Amount
    hindered: Amount
    asleep: Amount
    chosen: Amount
    heart: Amount
    sure: Amount
    unsure: Amount


class CountupWeaponsWeights(Section, frozen=True):
    """Which weapon to have in hand."""

    horizon: Time
    better: Amount
    gain: Amount
    taken: Amount
    blows: Count


class CountupWoundsWeights(Section, frozen=True):
    """What a wound leads to."""

    helpless: Amount
    long: Amount
    thrown: Amount


class OldeWeights(Section, frozen=True):
    """What the advisor of Dungeons of Olde goes by."""

    value: OldeValueWeights
    wounds: OldeWoundsWeights
    attacks: OldeAttacksWeights
    ground: OldeGroundWeights
    magic: OldeMagicWeights
    measures: OldeMeasuresWeights
    places: OldePlacesWeights
    reactions: OldeReactionsWeights


class CairnWeights(Section, frozen=True):
    """What the advisor of Cairn goes by."""

    manoeuvres: CairnManoeuvresWeights
    powers: CairnPowersWeights
    value: CairnValueWeights
    places: CairnPlacesWeights
    floor: CairnFloorWeights


class CountupWeights(Section, frozen=True):
    """What the advisor of Count-Up goes by."""

    answers: CountupAnswersWeights
    flight: CountupFlightWeights
    manoeuvres: CountupManoeuvresWeights
    places: CountupPlacesWeights
    weapons: CountupWeaponsWeights
    wounds: CountupWoundsWeights


class Level(Section, frozen=True, kw_only=True):
    """How far the computer looks, and how it errs."""

    summary: str
    tries: Count
    options: Count
    near: Amount
    falls: Annotated[float, Meta(ge=0, le=1)]
    rounds: Amount
    trust: Amount
    doubt: Amount
    heed: Amount
    together: Amount
    discipline: Annotated[float, Meta(ge=0, le=1)]
    slips: Annotated[float, Meta(ge=0, le=1)]
    nearest: bool
    turns: Mapping[str, Count]


@lru_cache(maxsize=64)
def heeding(temper: Temper, part: float, together: float) -> Temper:
    """A temperament that minds danger, and waits for friends, so much more or less."""
    return msgspec.structs.replace(
        temper, harm=temper.harm * part, death=temper.death * part, together=temper.together * together
    )


@lru_cache(maxsize=64)
def disciplined(temper: Temper, model: Temper, part: float) -> Temper:
    """A temperament that has gone a part of the way, 0 to 1, to a calmer one."""
    own, theirs = msgspec.structs.asdict(temper), msgspec.structs.asdict(model)
    numbers = {name: (1.0 - part) * value + part * theirs[name] for name, value in own.items() if name != "summary"}
    return msgspec.structs.replace(temper, **numbers)


NORMAL = "normal"
"""The level that is played where nobody says otherwise."""


class Weights(Section, frozen=True):
    """The whole file: temperaments by name and the default one, and what all of them have in common."""

    default_temperament: str
    temperament: Mapping[str, Temper]
    planner: PlannerWeights
    judge: JudgeWeights
    position: PositionWeights
    answers: AnswersWeights
    scouting: ScoutingWeights
    delving: DelvingWeights
    search: SearchWeights
    seeking: SeekingWeights
    routes: RoutesWeights
    default: DefaultWeights
    olde: OldeWeights
    cairn: CairnWeights
    countup: CountupWeights
    level: Mapping[str, Level]

    def temper(self, wanted: str) -> Temper:
        """The temperament of that name, or the default one."""
        return self.temperament[self.name(wanted)]

    def name(self, wanted: str) -> str:
        """The name under which a wanted temperament is played."""
        return wanted if wanted in self.temperament else self.default_temperament


def read_weights(path: Path) -> Weights:
    """Read and check a file of weights. Raises BattlematError in one line: file, place, reason."""
    try:
        raw: dict[str, Any] = parsed(path.read_text(encoding="utf-8"))
        tables: dict[str, Any] = raw.get("temperament", {})
        default = raw.get("default_temperament", "cunning")
        raw["temperament"] = {
            name: checked(_with_base(tables, name, default), Temper, path.name, f"temperament.{name}")
            for name in tables
        }
        weights = checked({**raw, "default_temperament": default}, Weights, path.name)
    except BattlematError:
        raise
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise BattlematError(
            "{name}: cannot be read ({error}); it must be TOML with temperament tables", path.name, said(error)
        ) from None
    if weights.default_temperament not in weights.temperament:
        wrong = "{name}: default_temperament: no temperament {default_temperament} in this file"
        raise BattlematError(wrong, path.name, repr(weights.default_temperament))
    return weights


def checked(raw: dict[str, Any], kind: type[T], file: str, above: str = "") -> T:
    """A table of a file as its type. Raises BattlematError in one line: file, place, reason."""
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        wrong, _, where = str(error).removeprefix("Object ").partition(" - at `$")
        words = [word for word in where.removesuffix("`").removesuffix("[...]").split(".") if word]
        if where.endswith("[...]`"):  # a table of numbers by any name: which it is, is not told
            table: dict[str, Any] = reduce(getitem, words, raw)
            words += [key for key, value in table.items() if not isinstance(value, (int, float)) or value < 0][:1]
        place = ": ".join(filter(None, (file, ".".join([above, *words] if above else words))))
        raise BattlematError("{place}: {wrong}", place, wrong) from None


def _with_base(tables: Mapping[str, Any], name: str, default: str) -> dict[str, Any]:
    own = dict(tables[name])
    base = own.pop("base", default)
    if base not in tables:
        raise ValueError(text("temperament.{name}: no base temperament {base}", name, repr(base)))
    return {**{key: value for key, value in tables[base].items() if key != "base"}, **own}
