"""All numbers of taste of the computer: assets/ai/weights.toml, read and checked once.

A value of about 1 is "felling one ordinary creature". What may be done, and with which chances, the rules say; here
stands only how much of what counts how much. `docs/how-to/a-weight-of-the-ai.md` says how to change or add one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from game.content.tables import parsed
from game.controllers.ai.temper import Amount, Count, Section, Temper
from game.paths import asset
from rules.contract.errors import BattlematError, said
from rules.contract.text import text
from rules.core.validate import place, reason


class PlannerWeights(Section):
    """Which plans are looked at, and what they must gain."""

    threshold: Amount
    """What anything but a blow has to gain over staying and ending the chance: nobody dithers."""
    calmest: Count
    """Of the classes of spaces (alike in who could strike there) so many, the least dangerous, are looked at to
    stay."""
    per_vantage: Count
    """The same for each place to strike from."""
    sights: Count
    """So many of the best views of foes are made stands of: a shooter has dozens."""
    places: Count
    """Spaces on which deeds that could be done anywhere are weighed."""


class JudgeWeights(Section):
    """What spaces and actions are worth."""

    part: Amount
    """How much worse danger gets by each point of Defense given away, or better by each gained, on the whole."""
    stride: Amount
    """Spaces of movement that the weight `approach` counts for."""
    prepared: Amount
    """What standing where one can strike is worth, beside the blow itself."""
    lying: Amount
    """Against ending a chance not on one's feet, in parts of one's worth."""
    armed: Amount
    """Blows for which a better weapon in hand is expected to serve."""
    caution: Amount
    """Danger that is counted everywhere for such points."""
    unready: Amount
    """What letting a foe come counts for who has no points left."""
    idle_magic: Amount
    """What a boon counts while no foe is known."""
    room: Count
    """Spaces between a shooter and the nearest foe that are enough."""
    farthest: Amount
    """Who flees counts no more spaces than these."""
    flight: Amount
    """What getting away is worth to one whom the rules make flee."""
    unseen: Amount
    """What being out of sight of whom one flees from counts beside being far away."""
    beside: Count
    """Spaces from a friend that are near enough."""
    dying: Amount
    """What help is worth to who is dying, in parts of a creature's value."""
    hurting: Amount
    """The same to who ails with one hit point left, less with more."""
    ailing: Amount
    """The same to who ails with many."""
    leaving: Amount
    """What getting away from a fight that is lost is worth, in parts of what being felled would cost."""
    doubtful: Amount
    """The part of all strength on the board with less of which a side begins to despair of a fight."""
    lost: Amount
    """The part with which it gives the fight up."""
    search: Amount
    """What finding a way is worth where none is known."""
    queue: Count
    """Friends so many spaces behind are held up by who stops in front of them."""
    unhurt: Amount
    """The part of its hit points that a coward may lose before it fears."""
    crowd: Amount
    """What each foe more than friends adds to a coward's fear."""
    crowded: Amount
    """The most that being outnumbered does."""
    bold: Amount
    """How much a stand-off adds to the wish to approach."""
    afraid: Amount
    """The fear from which on nobody wishes to approach."""
    seeks: Amount
    """The part of its hit points with which the wary still search for foes."""
    bedside: Amount
    """What being beside a dying friend counts while no foe is near, in parts of saving it."""
    upright: Amount
    """What being on one's feet again counts, in parts of one's best blow."""
    least_prey: Amount
    """The fewest hit points that a foe is taken to have where arms are compared."""
    prey: Amount
    """The hit points of a foe where none is known."""


class PositionWeights(Section):
    """What blows and dangers are worth."""

    tomorrow: Amount
    """What a blow counts that a foe can't strike before its next turn."""
    shared: Amount
    """A foe may as well strike somebody else."""
    again: Amount
    """What each further blow counts that a foe has the points for in this turn."""
    approach: Amount
    """Blows' worth of points that coming here costs a foe."""
    pinned: Amount
    """What holding a foe is worth that has to come near, and that nobody of mine stands beside."""
    caught: Amount
    """The same of one who strikes from afar."""
    mended: Amount
    """What all of one's hit points given back are worth, in parts of one's worth, whatever one thinks of losing
    them."""
    fallen: Amount
    """What it costs to strike a friend who lies on the ground."""
    stunned: Amount
    """What stunning a foe is worth beside felling it."""
    nearby: Count
    """Spaces within which foes crowd one, and friends stand by one."""
    screened: Count
    """Spaces that foes are followed for, to see whom friends keep away."""
    standoff_turns: Count
    """Turns after which a fight in which nobody dares is a stand-off; over as many everybody comes to dare all."""
    patience_turns: Count
    """Turns that a fight may last before everybody grows bolder; over as many it comes to its full."""
    surest: Amount
    """The most that is counted for a chance to fall by damage alone."""
    worn: Amount
    """The part of one's hit points that one may expect to lose without fearing to fall."""
    overkill: Amount
    """Damage is counted up to so many times what one has left."""
    tired: Amount
    """The part of a danger that counts no more in a fight that has dragged on."""
    blows: Amount
    """So many further blows of a foe are counted at most."""


class AnswersWeights(Section):
    """Answers inside an action, by the position that each leads to."""

    lying: Amount
    """What it costs not to be on one's feet."""
    unarmed: Amount
    """What it counts how hard somebody could strike."""
    dice: Amount
    """What it costs that the dice decide what comes of it."""


class ScoutingWeights(Section):
    """Before anybody has noticed anybody."""

    near: Count
    """Spaces of movement to the nearest foe from which one falls upon it."""
    far: Count
    """The same for whoever dares not come nearer."""
    apart: Count
    """Spaces that friends may lag behind and still be waited for."""
    waits: Count
    """Minutes in which friends are waited for."""
    bold: Count
    """Minutes after which being noticed is feared no more, and twice as many after which one calls the foe out."""
    caught: Amount
    """What being noticed costs, in spaces of way."""
    unknown: Amount
    """The chance that is reckoned with to be noticed by somebody unseen, going openly."""
    opens: Amount
    """What opening a way is worth, in spaces."""
    mends: Amount
    """What help for a friend, or being on one's feet, is worth, in spaces."""
    lights: Amount
    """What a light in the dark is worth, in spaces: about what a minute's way is, for nobody finds the foe without
    it."""
    trouble: Amount
    """What going anywhere costs, in spaces."""
    enough: Amount
    """What calling the foe out is worth once it has taken too long."""
    moment: Amount
    """What falling upon the foe is worth from near by, with friends at hand."""
    afar: Amount
    """The same from farther off."""


class SearchWeights(Section):
    """Where foes are looked for that nobody sees."""

    spacing: Count
    """Spaces of movement between posts, at most."""
    posts: Count
    """Posts of a round at most."""
    stride: Count
    """Spaces that anybody makes in a turn, at least."""


class SeekingWeights(Section):
    """Where ground is searched that no way leads to."""

    turns: Count
    """Turns for each place, before the next is tried."""


class RoutesWeights(Section):
    """What is in the way, in spaces of movement."""

    door_price: Count
    """Spaces of movement that an unlocked door is worth."""
    lock_price: Count
    """The same for one that is locked, barred or a portcullis."""
    climb_price: Count
    """The same for a ladder."""


class DefaultWeights(Section):
    """What is taken for granted of rules of which nothing is known."""

    pace: Count
    """Spaces that somebody is taken to walk of whom nothing is known."""
    arm: Count
    """Spaces that somebody is taken to strike of whom nothing is known."""
    felled: Count
    """Points of damage that the chance to fell counts as, where one attack is held against another."""


class OldeValueWeights(Section):
    """What a creature is worth."""

    armor: Count
    """What a point of armor counts beside a hit point."""
    skill: Count
    """The same of a rank of its best skill."""
    ordinary: Amount
    """What an ordinary creature comes to."""


class OldeWoundsWeights(Section):
    """What a wound leads to."""

    rises: Amount
    """Against felling somebody who will be up again after the next reset, in parts of felling it."""
    rises_late: Amount
    """The same of one who will be up after some more."""
    divided: Amount
    """Against having two half as hale where there was one."""
    frenzied: Amount
    """Against each point of frenzy that a wound calls forth."""
    roused: Amount
    """Against waking one who sleeps."""
    halted: Amount
    """For keeping down who would rise at the next reset."""
    finished: Amount
    """For making an end of who lies there and would rise some day."""
    side_effects: Mapping[str, Amount]
    """What a trait's effect on a target is worth beside felling it; of a hold, what it is worth in the thick of a
    fight."""
    woken: Amount
    """What waking an ally is worth, in parts of its worth."""
    most: Amount
    """The most that all side effects of a hit together count."""


class OldeAttacksWeights(Section):
    """What else a blow does."""

    drained: Amount
    """What a hit point drained counts beside one of damage."""
    felled: Count
    """Points of damage that the chance to fell counts as, where one attack is held against another."""


class OldeGroundWeights(Section):
    """Walls, hedges and lights."""

    lost: Amount
    """What a turn that somebody can't get at anybody is worth, in parts of its worth: as much as being rooted."""
    pace: Count
    """Spaces of movement in a turn."""
    longest: Count
    """Turns that are counted."""
    far: Count
    """Who strikes farther than so many spaces needs no way, but a line of sight."""
    better: Amount
    """What a turn of a line of sight one grade better is worth: three points of attack."""
    lit: Amount
    """What dark ground around is worth lit to those who need light, if all of it was dark."""


class OldeMagicWeights(Section):
    """Spells and what they leave behind."""

    condition_values: Mapping[str, Amount]
    """What a turn of a condition is worth, in parts of the sufferer's worth."""
    part_values: Mapping[str, Amount]
    """What a turn of a point of adjustment is worth, in parts of the bearer's worth."""
    longest: Count
    """Turns that are counted: what lies further off is worth nothing now."""
    thrift: Amount
    """What a point of Mana or Faith spent is held against a cast, in units of value."""
    used_up: Count
    """So many points an item counts as that is used up."""
    spent: Amount
    """What a point of Mana or Faith given back is worth that a known spell wants."""
    spare: Amount
    """The same of one in hand."""
    raised: Amount
    """What it is worth, in parts of a creature's worth, to have it on its feet again; half of it to keep it alive."""
    called: Amount
    """What the figures of an ordinary creature that is called come to."""
    fallen: Amount
    """What harm to a friend counts who lies there already, in parts of its value."""


class OldeMeasuresWeights(Section):
    """What may be done beside moving and striking."""

    detour: Count
    """A leap is worth a thought where walking round takes at least so many spaces."""
    close: Count
    """Who has a foe so near arms for melee."""
    slow: Amount
    """What a blow counts that must be made ready first."""
    rescue: Amount
    """What it is worth that somebody comes up for air."""
    most_help: Count
    """Help of more than so much is counted as so much."""
    frightening: Amount
    """What frightening somebody for a while is worth, in parts of its worth."""
    ashore: Amount
    """What it is worth to have solid ground underfoot, not deep water."""
    fall: Amount
    """What a fall counts that breaks nothing, beside one from a height."""


class OldePlacesWeights(Section):
    """What tells spaces apart."""

    fright: Amount
    """What frightening somebody is worth, in parts of its worth: it may still get out of the way before the reset."""
    likely: Amount
    """How likely somebody that bursts is felled before it stands elsewhere."""
    packed: Amount
    """What a point of a packmate's attack is worth."""
    waking: Amount
    """What being where one can wake somebody counts beside waking it."""


class OldeReactionsWeights(Section):
    """Answers to an attack."""

    point: Amount
    """What an AP is held to be worth beside the blows that it could pay."""
    parry_price: Amount
    """What −2 on one's own attacks until the reset is held to be worth."""


class CairnManoeuvresWeights(Section):
    """Manoeuvres, looking away, readiness."""

    grip: Amount
    """What holding a foe counts beside felling it, where a bound hand costs it all its harm; the same is lost where one
    comes to be held oneself."""
    clutched: Amount
    """What it counts beside being felled to be held by somebody who may fell one with its next blow."""
    back: Amount
    """What a space's distance counts."""
    hurt: Mapping[str, Amount]
    """What it counts to be shoved onto changed ground, in parts of a creature's worth."""
    stare: Amount
    """What falling to a stare counts beside falling."""
    comes: Amount
    """Chance that a foe that could come within reach does."""
    over: Amount
    """What being shoved over an edge counts beside being felled."""
    spoilt: Amount
    """What each blow of a friend's counts that would find nobody there any more."""
    bound: Amount
    """The least that being held oneself counts, whatever one's hands are good for."""


class CairnPowersWeights(Section):
    """Spells and items."""

    hindrance: Amount
    """What a hindered foe counts beside a fallen one."""
    help: Amount
    """What a helpful condition on a friend counts beside a friend."""
    floored: Amount
    """What a friend loses who is on the floor when the foes' half begins."""
    away: Amount
    """What a foe put somewhere else counts beside one that is hindered."""
    freed: Amount
    """What a friend gains who is held or panicked no more, in parts of its worth."""
    call: Amount
    """What a called creature counts beside one of flesh and blood."""
    nearest: Count
    """So many spaces near each foe, and far from all, are weighed for a jump."""
    underfoot: Mapping[str, Amount]
    """What changed ground counts to who stands on it or is cut off by it."""
    harmful: Mapping[str, Amount]
    """What a harmful condition counts, in parts of its bearer's worth."""
    helpful: Mapping[str, Amount]
    """What a helpful condition counts, beside `help`."""
    fatigue: Amount
    """What a spell from a book costs by its Fatigue."""
    used_up: Amount
    """What any other thing costs that is worked."""
    surest: Amount
    """The most that is counted for a chance to fell by a power."""
    whole: Count
    """So many hit points given back, or taken from a friend, count as a whole creature."""


class CairnValueWeights(Section):
    """What a creature is worth."""

    art: Amount
    """What a spell or a power counts beside hit points."""
    most_arts: Count
    """So many of them do."""
    strength: Amount
    """What a point of STR counts beside a hit point."""
    guard: Count
    """The same of a point of Armor."""
    sting: Amount
    """The same of a face of its best die."""
    ordinary: Amount
    """What an ordinary creature comes to."""


class CairnPlacesWeights(Section):
    """Where somebody is too frail to stand."""

    frail: Amount
    """A creature is too frail to come near a foe that is so much likelier to fell it with a blow than it is itself."""
    timid: Amount
    """What standing within reach of a foe that is dreaded costs at the most, in parts of one's value."""
    beside: Amount
    """So much of that again costs standing beside it."""
    felled: Count
    """The same where powers are held against each other."""


class CairnFloorWeights(Section):
    """Lying on the floor when the foes' half comes."""

    floored: Amount
    """What lying on the floor costs in any case: two spaces, and face."""
    elsewhere: Amount
    """A foe may as well strike somebody else."""
    felled: Count
    """Points of damage that the chance to fell counts as, where one attack is held against another."""


class CountupAnswersWeights(Section):
    """Answers to who is struck at, and to who flees."""

    heels: Amount
    """What following at somebody's heels is worth, beside a free blow."""
    step: Amount
    """What each point counts that ground given takes from the next attack, in parts of that."""
    outreached: Amount
    """What ground given counts besides to who is soon due, and reaches no farther."""
    stands: Amount
    """Against standing, where nothing else tells the answers apart."""
    yields: Amount
    """Against giving ground."""


class CountupFlightWeights(Section):
    """Running out of a melee."""

    backwards: Count
    """Spaces of a fighting withdrawal that are thought of at once."""
    chase: Count
    """Stretches for which a foe stays at the heels of one who is no faster."""
    wounds: Amount
    """What all hit points are worth to who is afraid, and thinks of running, in parts of its value."""
    fall: Amount
    """What being felled is worth to it."""


class CountupManoeuvresWeights(Section):
    """Manners of fighting, charges, guards."""

    beat: Count
    """Seconds that a chance stands for: figures of attacks are counted over so many."""
    better: Amount
    """By how much a manner must do more harm than the plain blow to be thought of."""
    driven: Amount
    """What it is worth to drive a foe back by a charge."""
    charges: Amount
    """How likely somebody who comes running is to charge."""
    held: Amount
    """What holding a foe at bay is worth, in parts of felling it."""
    soon: Count
    """Seconds within which a foe must be able to come for one to wait for it: one thinks again only after ten."""
    eager: Amount
    """What being set to step after foes is worth: it costs nothing."""
    felled: Count
    """Points of damage that the chance to fell counts as, where one manner is held against another."""
    attack: Count
    """What a point of attack counts beside a hit point in what a creature is worth."""
    reduction: Count
    """The same of a point of damage reduction."""
    ordinary: Amount
    """What an ordinary creature comes to."""


class CountupPlacesWeights(Section):
    """Where to go, and what shots at foes do to friends."""

    longer: Amount
    """What letting foes come is worth to who reaches farther, and strikes first."""
    shorter: Amount
    """The same to who does not."""
    fresh: Count
    """Seconds for which somebody who has just moved does not lightly move again, or turn back."""
    settled: Amount
    """What staying where one has just gone is worth."""
    backtrack: float
    """What going back the way one came is worth."""
    stroll: Count
    """Spaces that are not run: who runs has to come to a halt, and a jog is there as soon."""
    care: Amount
    """How much more a friend's wound by one's own shot counts than it costs him: nobody likes to shoot past friends."""
    long: Count
    """Seconds after which nobody is so nice about it any more: a fight must come to an end."""
    mended: Amount
    """What all of a friend's hit points given back are worth, in parts of its worth; more to who has few left."""
    freed: Amount
    """The chance that is reckoned with to knock aside whoever holds one."""
    saves: Amount
    """The chance that is reckoned with to save against a spell."""
    whole: Count
    """So many hit points taken from a friend count as a whole creature."""
    spell: Amount
    """What a spell cast costs."""
    helped: Amount
    """What a helpful spell on a friend counts beside a friend."""
    hindered: Amount
    """What a hindered foe counts beside a felled one."""


class CountupWeaponsWeights(Section):
    """Which weapon to have in hand."""

    horizon: Count
    """Seconds that are looked ahead."""
    better: Amount
    """By how much another weapon must do better to be taken in hand."""
    gain: Amount
    """By how many hit points besides."""
    taken: Amount
    """What a hit point that one loses counts beside one that one takes."""
    blows: Count
    """So many blows a planner reckons a better weapon to serve for."""


class OldeWeights(Section):
    """What the advisor of Dungeons of Olde goes by."""

    value: OldeValueWeights
    wounds: OldeWoundsWeights
    attacks: OldeAttacksWeights
    ground: OldeGroundWeights
    magic: OldeMagicWeights
    measures: OldeMeasuresWeights
    places: OldePlacesWeights
    reactions: OldeReactionsWeights


class CairnWeights(Section):
    """What the advisor of Cairn goes by."""

    manoeuvres: CairnManoeuvresWeights
    powers: CairnPowersWeights
    value: CairnValueWeights
    places: CairnPlacesWeights
    floor: CairnFloorWeights


class CountupWeights(Section):
    """What the advisor of Count-Up goes by."""

    answers: CountupAnswersWeights
    flight: CountupFlightWeights
    manoeuvres: CountupManoeuvresWeights
    places: CountupPlacesWeights
    weapons: CountupWeaponsWeights


class Weights(Section):
    """The whole file: temperaments by name and the default one, and what all of them have in common."""

    default_temperament: str
    temperament: Mapping[str, Temper]
    planner: PlannerWeights
    judge: JudgeWeights
    position: PositionWeights
    answers: AnswersWeights
    scouting: ScoutingWeights
    search: SearchWeights
    seeking: SeekingWeights
    routes: RoutesWeights
    default: DefaultWeights
    olde: OldeWeights
    cairn: CairnWeights
    countup: CountupWeights

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
        whole = {name: _with_base(tables, name, default) for name in tables}
        weights = Weights.model_validate({**raw, "default_temperament": default, "temperament": whole})
    except ValidationError as error:
        first = error.errors()[0]
        raise BattlematError(text("{name}: {first}: {first2}", path.name, place(first), reason(first))) from None
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise BattlematError(
            text("{name}: cannot be read ({error}); it must be TOML with temperament tables", path.name, said(error))
        ) from None
    if weights.default_temperament not in weights.temperament:
        raise BattlematError(
            text(
                "{name}: default_temperament: no temperament {default_temperament} in this file",
                path.name,
                repr(weights.default_temperament),
            )
        )
    return weights


def _with_base(tables: Mapping[str, Any], name: str, default: str) -> dict[str, Any]:
    own = dict(tables[name])
    base = own.pop("base", default)
    if base not in tables:
        raise ValueError(text("temperament.{name}: no base temperament {base}", name, repr(base)))
    return {**{key: value for key, value in tables[base].items() if key != "base"}, **own}


@lru_cache(maxsize=1)
def load_weights() -> Weights:
    """The weights that come with Battlemat, read once."""
    return read_weights(asset("ai", "weights.toml"))
