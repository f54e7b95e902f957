"""The sentences of a tale: for each thing that may have happened several, of which one is chosen.

Which one hangs on the record's own numbers alone, so that the same evening is always told in the same words, and
none is told twice in a row.
"""

from __future__ import annotations

from game.chronicle.naming import number
from rules.contract.text import Plural, Value, text, titled

SENTENCES: dict[str, tuple[str, ...]] = {
    # -- setting out
    "set out": (
        "{party} set out together.",
        "It was {party} who went in.",
        "{party} came to the place and looked at one another once before they went on.",
    ),
    "faced": (
        "In {place} {party} stood against {foes}.",
        "{party} had {foes} before them in {place}.",
        "It was in {place} that {party} met {foes}.",
    ),
    "faced nobody": ("{party} stood in {place}, and nobody was to be seen.",),
    # -- rooms
    "came into": (
        "They came into {place}.",
        "The way led them into {place}.",
        "Next they found themselves in {place}.",
        "Beyond lay {place}, and they went in.",
    ),
    "came back": (
        "They turned back to {place}.",
        "Their way took them through {place} once more.",
        "So they came to {place} again.",
    ),
    "one went into": ("{by} went into {place}.", "{by} was the one to try {place}."),
    "level": ("They took the way to {level}.", "So they left that level for {level}."),
    "opened door": ("{by} opened the door.", "{by} pushed the door open.", "The door gave way to the hand of {by}."),
    "opened named": (
        "{by} opened {door}.",
        "{door} stood in the way, and {by} opened it.",
        "{by} pushed {door} open.",
        "{door} gave way to {by}.",
        "The way went on by {door}, which {by} opened.",
    ),
    "closed door": ("{by} closed the door behind them.", "The door was shut again by {by}."),
    "broke door": ("{by} broke the door open.", "The door did not hold against {by}."),
    "locked door": ("{by} locked the door.",),
    "secret": (
        "{by} found a secret door where others would have seen a wall.",
        "Where there had been nothing but wall {by} found a hidden door.",
    ),
    "trap seen": ("{by} saw the trap in time.", "It was {by} who noticed the trap: {what}."),
    "trap sprung": (
        "{by} trod into a trap.", "A trap was waiting for {by}, and it sprang.", "Then a trap went off under {by}.",
    ),
    "disarmed": ("{by} made the trap harmless.", "With a steady hand {by} took the trap apart."),
    "chest": ("{by} opened {what}.", "{what} did not stay shut when {by} had set to work."),
    "chest with": ("{by} opened {what}; in it lay {contents}.", "In {what} {by} found {contents}."),
    "chest found": ("{by} came upon {what}.",),
    "cleared": ("{by} cleared the rubble away.",),
    "searched in vain": ("They searched it and found nothing.", "A search brought nothing to light."),
    "picked up": ("{by} took the {item}.", "{by} picked up the {item}."),
    "heard": ("From somewhere came {noise}.", "They heard {noise}.", "There was {noise}, not far off."),
    "ate": ("They sat down and ate.", "There was time for a bite."),
    "rested": ("They rested.", "They made camp, and took turns to keep watch."),
    "freed": ("{by} cut {target} loose.", "{target} was bound, and {by} undid the ropes.", "{by} set {target} free."),
    # -- how it came to blows
    "ambushed": (
        "Nobody had noticed them when {by} gave the sign.",
        "{by} gave the sign, and they fell upon {foes} before anybody had an inkling.",
    ),
    "challenged": ("{by} called them out into the open.", "{by} would not creep about any longer, and shouted."),
    "noticed": (
        "{by} looked up and saw them.",
        "Then {by} noticed them, and it came to blows.",
        "But {by} had sharp senses, and that was the end of stealth.",
    ),
    "sudden": ("Then everything happened at once.", "It came to blows before anybody knew how."),
    "against": ("Against them stood {foes}.", "They had to do with {foes}.", "These they had before them: {foes}."),
    # -- in a fight
    "first blood": (
        "{by} drew first blood from {target}.",
        "The first wound was that of {target}, and {by} had dealt it.",
        "It was {by} who struck home first: {target} was hit.",
    ),
    "felled": (
        "{by} felled {target} with the {weapon}.",
        "{target} fell to the {weapon} of {by}.",
        "The {weapon} of {by} was the end of {target}.",
        "{by} brought {target} down with the {weapon}.",
    ),
    "felled at once": (
        "A single blow of {by} was enough for {target}.",
        "{target} never knew what the {weapon} of {by} did.",
    ),
    "shot down": (
        "{by} shot {target} down with the {weapon}.",
        "A shot of {by} with the {weapon} laid {target} low.",
        "From afar {by} made an end of {target} with the {weapon}.",
    ),
    "went down": ("{target} went down.", "That was too much for {target}.", "{target} was out of the fight."),
    "brought down": ("{by} was the end of {target}.", "{target} went down, and {by} had seen to it."),
    "hero down": (
        "Then {target} went down under the {weapon} of {by}.",
        "The {weapon} of {by} struck {target} to the ground.",
        "{by} got through to {target}, and the {weapon} did the rest: {target} fell.",
    ),
    "hero down alone": ("Then {target} fell.", "{target} could not stand any longer, and fell."),
    "last": ("With {target} the last of them was gone.", "After {target} nobody was left to fight."),
    "great blow": (
        "The {weapon} of {by} went deep into {target}.",
        "{by} landed a terrible blow on {target}.",
        "Such a blow as that of {by} upon {target} one remembers.",
    ),
    "great blow bare": (
        "{by} hit {target} hard.",
        "{by} landed a terrible blow on {target}.",
        "Such a blow as that of {by} upon {target} one remembers.",
    ),
    "cast": ("{by} cast {spell}.", "{by} spoke the words of {spell}.", "From the hands of {by} came {spell}."),
    "called up": ("{by} called {target} to their side.", "At a word of {by} {target} stood there."),
    "used": ("{by} made use of the {item}.",),
    "aided": (
        "{by} knelt beside {target} and stopped the bleeding.",
        "In the midst of it {by} saved the life of {target}.",
    ),
    "healed": ("{by} brought {target} back to strength.",),
    "up again": ("{target} came to and stood up again.", "But {target} was not done for, and rose."),
    "fled": ("{target} had had enough, and ran.", "{target} fled.", "The courage of {target} broke."),
    "left": ("{by} left by the way out.", "{by} was out, and safe.", "Then {by} slipped out."),
    # -- how it ended
    "won": ("Then it was quiet.", "That was the end of it.", "Nobody was left who would have stood against them."),
    "lost": ("That was the end of them.", "Nobody was left to tell of it but the victors."),
    "parted": ("They lost sight of one another.", "For now nobody was left who looked for them."),
    "unhurt": ("None of them had so much as a scratch.", "They had come through it unhurt."),
    "one hurt": ("{name} bled; the others had got off lightly.", "It had cost {name} blood, and nobody else."),
    "hurt": ("{names} had wounds to show for it.", "It had cost {names} blood."),
    "close": (
        "{name} had come within a hair of death.",
        "For {name} it had been a matter of a finger's breadth.",
    ),
    # -- the end
    "slipped past": ("They slipped out as they had come, and nobody ever knew.",),
    "still stood": ("At the end of it {names} still stood.", "When the dust had settled {names} stood there yet."),
    "still stood fallen": (
        "At the end of it {names} still stood. {fallen} lay on the ground.",
        "{names} lived to tell of it. {fallen} did not get up with them.",
    ),
    "came out": ("{names} came out again.", "Out again came {names}."),
    "came out fallen": ("{names} came out again. {fallen} did not.", "{names} lived to tell of it. {fallen} did not."),
    "all fell": ("None of them came back.", "Of those who had gone in nobody returned."),
    "carried": ("They brought with them: {things}.", "What they carried out: {things}."),
    "goal done": ("What they had come for was done: {goal}.", "They had done it: {goal}."),
    "goal lost": ("One thing could not be mended: {goal}.", "It had come to nothing: {goal}."),
    "goal open": ("Left undone: {goal}.", "Not done: {goal}."),
    "breaks off": ("Here the tale breaks off, for now.",),
}  # fmt: skip
"""What happened -> the sentences for it; all of one have the same fields, though not each uses all of them."""

COUNTED: dict[str, tuple[Plural, ...]] = {
    "minutes": (
        Plural("A minute went by there.", "{n} minutes went by there."),
        Plural("That took a minute.", "That took {n} minutes."),
    ),
    "hours": (
        Plural("Nearly an hour went by there.", "Nearly {n} hours went by there."),
        Plural("That took the better part of an hour.", "That took the better part of {n} hours."),
    ),
    "turns": (
        Plural("It had taken no more than a moment.", "It had taken {n} turns of blow and answer."),
        Plural("One exchange of blows, and it was over.", "It had gone to and fro for {n} turns."),
    ),
    "rounds": (
        Plural("It had taken one round.", "It had taken {n} rounds."),
        Plural("It was over within a round.", "It was over within {n} rounds."),
    ),
    "seconds": (
        Plural("It had lasted a second.", "It had lasted {n} seconds."),
        Plural("A second, no more.", "{n} seconds, no more."),
    ),
    "long": (
        Plural("It had lasted about a minute.", "It had lasted about {n} minutes."),
        Plural("A minute or so had gone by.", "Some {n} minutes had gone by."),
    ),
    "struck": (
        Plural("It touched nobody.", "It took hold of {n} at once."),
    ),
    "missed": (
        Plural("{by} struck once, and in vain.", "{by} struck {n} times, and in vain."),
        Plural("One blow of {by} went wide.", "{n} blows of {by} went wide, one after the other."),
    ),
}  # fmt: skip

NOISES = {
    "steps": "steps", "voices": "voices", "shout": "a shout", "fighting": "the sound of a fight", "door": "a door",
    "breaking": "something breaking", "falling": "something heavy falling", "trap": "a snap, and a rattle",
    "spell": "a hum that raised the hair on their necks", "water": "a splash", "beast": "the voice of a beast",
}  # fmt: skip
"""A noise of which only the sound was known."""


class Chooser:
    """Chooses among the sentences of a kind, by a number; never the same twice in a row."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._said: dict[str, int] = {}
        self._count = 0

    def say(self, kind: str, **fields: Value) -> str:
        """A sentence for something that happened."""
        template = SENTENCES[kind][self._choose(kind, len(SENTENCES[kind]))]
        own = {name: value for name, value in fields.items() if f"{{{name}}}" in template}
        return titled(text(template, **own))

    def count(self, kind: str, count: int, **fields: Value) -> str:
        """A sentence whose form hangs on a number."""
        return titled(
            COUNTED[kind][self._choose(f"n {kind}", len(COUNTED[kind]))].text(count, **{"n": number(count), **fields})
        )

    def _choose(self, kind: str, many: int) -> int:
        self._count += 1
        number = (self._seed + 7 * self._count + len(kind)) % many
        if many > 1 and self._said.get(kind) == number:
            number = (number + 1) % many
        self._said[kind] = number
        return number
