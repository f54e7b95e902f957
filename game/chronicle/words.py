"""The sentences of a tale: for each thing that may have happened several, of which one is chosen.

Which one hangs on the record's own numbers alone, so that the same evening is always told in the same words, and
none is told twice in a row.
"""

from __future__ import annotations

from math import gcd

from game.chronicle.naming import number
from rules.contract.text import Plural, Value, text, titled

SENTENCES: dict[str, tuple[str, ...]] = {
    # -- setting out
    "set out": (
        "{party} set out together.",
        "It was {party} who went in.",
        "{party} came to the place and looked at one another once before they went on.",
        "Those who dared it were {party}.",
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
        "After that came {place}.",
        "They tried {place} next.",
    ),
    "came by door": (
        "Through {door} they came into {place}.",
        "{by} opened {door}, and they went on into {place}.",
        "{door} let them into {place}.",
        "Behind {door} lay {place}.",
        "{by} tried {door}; beyond it was {place}.",
    ),
    "came by way": (
        "By way of {places} they came to {place}.",
        "They went on through {places}, and so into {place}.",
        "Nothing kept them in {places}, and they came to {place}.",
        "{places} lay still; then came {place}.",
    ),
    "came back": (
        "They turned back to {place}.",
        "Their way took them through {place} once more.",
        "So they came to {place} again.",
        "They stood in {place} again.",
        "Once more they went through {place}.",
    ),
    "level": (
        "They took the way to {level}.",
        "So they left that level for {level}.",
        "From there it went on into {level}.",
    ),
    "level back": (
        "They went back to {level}.",
        "The way back led them to {level}.",
        "They returned to {level}.",
    ),
    "broke door": (
        "{by} broke {door} open.", "{door} did not hold against {by}.", "It took the shoulder of {by} to open {door}.",
    ),
    "locked door": ("{by} locked {door}.",),
    "secret": (
        "{by} found a secret door where others would have seen a wall.",
        "Where there had been nothing but wall {by} found a hidden door.",
    ),
    "trap seen": (
        "{by} saw {what} in time.",
        "It was {by} who noticed {what}.",
        "But for {by} they would have walked into {what}.",
    ),
    "trap taken apart": (
        "{by} saw {what} in time, and {other} took it apart.",
        "{what} did not escape {by}, and {other} made it harmless.",
    ),
    "trap taken apart alone": (
        "{by} saw {what} in time and took it apart.",
        "{what} did not escape {by}, who made it harmless.",
    ),
    "trap hurt": (
        "{by} walked into {what}, and bled for it.",
        "{what} caught {by}, and drew blood.",
        "Nobody had seen {what}, and {by} paid for it.",
        "{by} found {what} the hard way.",
    ),
    "trap sprung": (
        "{by} walked into {what}, and got off with a fright.",
        "{what} went off under {by}, and hurt nobody.",
    ),
    "disarmed": (
        "{by} made it harmless.",
        "With a steady hand {by} took it apart.",
    ),
    "chest": (
        "{by} opened {what}, and found nothing.",
        "{by} found nothing in {what}.",
        "There was nothing but dust in {what}, though {by} looked twice.",
    ),
    "chest with": (
        "{by} opened {what}; in it lay {contents}.",
        "In {what} {by} found {contents}.",
        "From {what} {by} brought out {contents}.",
        "{by} searched {what}: {contents}.",
        "{by} had a look into {what}: {contents}.",
    ),
    "chest hurt": ("It cost {by} blood, for there was a trap in it.", "The trap in it drew blood from {by}."),
    "chest found": ("{by} came upon {what}.",),
    "cleared": ("{by} cleared {what} away.",),
    "picked up": (
        "They took along {things}.",
        "Nobody wanted to leave {things} behind.",
        "{things} went with them from there.",
        "They did not go on without {things}.",
    ),
    "heard": ("From somewhere came {noise}.", "They heard {noise}.", "There was {noise}, not far off."),
    "ate": ("They sat down and ate.", "There was time for a bite."),
    "rested": ("They rested.", "They made camp, and took turns to keep watch."),
    "freed": ("{by} cut {target} loose.", "{target} was bound, and {by} undid the ropes.", "{by} set {target} free."),
    "bled": (
        "There {target} bled to death.",
        "Nobody could stop the bleeding any more, and {target} died.",
        "{target} did not wake again.",
    ),
    "came to harm": ("That was too much for {target}, who fell.", "{target} went down, and did not get up."),
    "won over": (
        "{by} spoke to {target}, and was heard.",
        "Words were had with {target}, and {by} found the right ones.",
        "{by} talked, and {target} let them be.",
    ),
    "bought off": (
        "{by} let coins speak, and {target} let them be.",
        "A few coins of {by}, and {target} looked the other way.",
    ),
    # -- how it came to blows
    "ambushed": (
        "Nobody had noticed them when {by} gave the sign to fall upon {foes}.",
        "{by} gave the sign, and they fell upon {foes} before anybody had an inkling.",
        "There they came upon {foes}, unseen, and {by} wasted no time.",
        "{foes} had no idea of them until {by} gave the sign.",
        "A nod from {by}, and they were upon {foes}.",
        "They saw {foes} before they were seen themselves, and {by} made use of it.",
        "Quietly {by} pointed out {foes}, and the others understood.",
    ),
    "challenged": (
        "{by} called {foes} out into the open.", "{by} would not creep about any longer, and shouted at {foes}.",
    ),
    "noticed": (
        "{foes} noticed them, and it came to blows.",
        "But {foes} had sharp senses, and that was the end of stealth.",
        "There {foes} became aware of them.",
        "{foes} looked round at the wrong moment.",
        "They were not quiet enough for {foes}.",
    ),
    "given away": (
        "A careless step of {by} told {foes} that somebody was there.",
        "{by} was seen, and {foes} took up arms.",
        "{by} trod on something that cracked, and {foes} heard it.",
        "{foes} caught sight of {by}.",
    ),
    "opened upon": (
        "{by} opened a door, and behind it stood {foes}.",
        "When {by} opened the next door, {foes} looked up.",
        "Behind the next door, which {by} opened, waited {foes}.",
    ),
    "came upon": (
        "All at once {by} stood before {foes}.",
        "{by} went ahead, and ran into {foes}.",
        "There they met {foes}.",
        "Before {by} knew it they stood before {foes}.",
        "They had not gone far when {by} came face to face with {foes}.",
    ),
    "were found": (
        "{foes} came upon them.",
        "They did not have to look for {foes}: they were found.",
        "Out of the dark came {foes}.",
        "{foes} found them first.",
        "Then {foes} stood before them.",
    ),
    "sudden": ("Then everything happened at once.", "It came to blows before anybody knew how."),
    "joined": (
        "The noise brought {foes} as well.",
        "Then came {foes} to the noise.",
        "Now {foes} joined in.",
        "{foes} had heard it, and came.",
        "They had to do with {foes} as well before long.",
    ),
    "moved": (
        "The fight drew them on into {place}.",
        "Blow by blow it went on into {place}.",
        "It spilled over into {place}.",
        "Step by step they fought their way into {place}.",
        "Before long {place} rang with blows.",
    ),
    # -- in a fight
    "first blood": (
        "{by} drew first blood from {target}.",
        "The first wound was that of {target}, and {by} had dealt it.",
        "It was {by} who struck home first: {target} was hit.",
        "{target} was the first to bleed, at the hands of {by}.",
    ),
    "felled": (
        "{by} felled {target} with the {weapon}.",
        "{target} fell to the {weapon} of {by}.",
        "The {weapon} of {by} made an end of {target}.",
        "{by} brought {target} down with the {weapon}.",
        "{by} made short work of {target}.",
        "{target} did not stand up to the {weapon} of {by} for long.",
    ),
    "felled at once": (
        "A single blow of {by} was enough for {target}.",
        "{target} never knew what the {weapon} of {by} did.",
        "{by} needed one blow for {target}, and no more.",
        "One stroke of the {weapon}, and {by} had done with {target}.",
    ),
    "shot down": (
        "{by} shot {target} down with the {weapon}.",
        "A shot of {by} with the {weapon} laid {target} low.",
        "From afar {by} made an end of {target} with the {weapon}.",
        "The {weapon} of {by} found {target}.",
    ),
    "felled by spell": (
        "{spell} was the end of {target}, and {by} had spoken it.",
        "{by} struck {target} down with {spell}.",
    ),
    "felled several": (
        "{by} felled {foes}.",
        "{foes} fell to {by} alone.",
        "{by} made an end of {foes}.",
        "{by} had done with {foes} before long.",
    ),
    "felled together": (
        "Between them {names} brought down {foes}.",
        "{names} made an end of {foes}.",
        "{foes} fell to {names}.",
        "Of {names} each had a hand in it: {foes} fell.",
        "{names} put {foes} to the ground.",
    ),
    "went down": ("{target} went down.", "That was too much for {target}.", "{target} was out of the fight."),
    "brought down": (
        "{by} was the end of {target}.",
        "{target} went down, and {by} had seen to it.",
        "{by} had the better of {target}.",
        "{target} fell before {by}.",
        "{by} put an end to {target}.",
        "{by} did not let {target} get away.",
    ),
    "hero down": (
        "Then {target} went down under the {weapon} of {by}.",
        "The {weapon} of {by} struck {target} to the ground.",
        "{by} got through to {target}, and the {weapon} did the rest: {target} fell.",
        "{target} could not turn the {weapon} of {by} aside, and fell.",
    ),
    "hero down by": (
        "Then {by} brought {target} down.",
        "{target} fell to {by}.",
        "{by} was too much for {target}, who went down.",
    ),
    "hero down alone": ("Then {target} fell.", "{target} could not stand any longer, and fell."),
    "helpless": (
        "{target} lay helpless with pain.",
        "For pain {target} could do nothing more for a while.",
        "The pain was too much for {target}, who lay there helpless.",
    ),
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
    "will live": ("{target} lay there still, but would live.", "The bleeding of {target} was stopped in time."),
    "up again": ("{target} came to and stood up again.", "But {target} was not done for, and rose."),
    "fled": ("{target} had had enough, and ran.", "{target} fled.", "The courage of {target} broke."),
    "fled several": ("{foes} took to their heels.", "{foes} fled.", "The courage of {foes} broke."),
    "scarred": ("{target} would carry the mark of that for good.", "Of that {target} kept a scar."),
    "yielded": ("{target} laid down arms.", "{target} gave up."),
    "left": ("{by} left by the way out.", "{by} was out, and safe.", "Then {by} slipped out."),
    # -- how it ended
    "won": (
        "Then it was quiet.",
        "That was the end of it.",
        "Nobody was left who would have stood against them.",
        "After that nothing moved there any more.",
        "They had the place to themselves.",
    ),
    "lost": (
        "That was the end of them.",
        "Nobody was left to tell of it but the victors.",
        "Then there was nobody left to go on.",
    ),
    "given in": (
        "Then they laid down their arms, and were let live.",
        "In the end they gave themselves up.",
        "They surrendered while they still stood.",
    ),
    "alarm": (
        "There was an alarm, but it did not come to blows.",
        "For a while they stood with weapons in hand, but nobody came near them.",
        "Somebody had seen them, and lost them again.",
    ),
    "parted": ("They lost sight of one another.", "For now nobody was left who looked for them."),
    "unhurt": (
        "None of them had so much as a scratch.",
        "They had come through it unhurt.",
        "It had cost them nothing but breath.",
        "Nobody was the worse for it.",
    ),
    "one hurt": (
        "{name} bled; the others had got off lightly.",
        "It had cost {name} blood, and nobody else.",
        "Only {name} had a wound to bind.",
    ),
    "hurt": (
        "{names} had wounds to show for it.",
        "It had cost {names} blood.",
        "{names} bled.",
        "{names} had not got off without wounds.",
    ),
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
    "came out": (
        "{names} came out again.",
        "Out again came {names}.",
        "{names} lived to tell of it.",
    ),
    "came out fallen": (
        "{names} came out again. {fallen} did not.",
        "{names} lived to tell of it. {fallen} did not.",
    ),
    "carried out": (
        "{names} had to be carried.",
        "They carried {names}.",
    ),
    "all fell": ("None of them came back.", "Of those who had gone in nobody returned."),
    "all fell there": ("None of them got up again.", "Of them all nobody was left."),
    "fell": ("{name} fell.", "{name} did not come back."),
    "fate": (
        "{name} had fallen in {place}, to {by}.",
        "In {place} {by} had been the end of {name}.",
        "{name} lies in {place}, slain by {by}.",
    ),
    "fate alone": (
        "{name} had fallen in {place}.",
        "{name} lies in {place}.",
    ),
    "fate thing": (
        "In {place} {what} had been the end of {name}.",
        "{name} had died in {place}, of {what}.",
    ),
    "carried": ("They brought with them {things}.", "What they carried out: {things}."),
    "goal done": (
        "What they had come for was done: {goal}.",
        "They had done it: {goal}.",
        "One thing was done: {goal}.",
    ),
    "goals done": ("Done was what they had come for: {goals}.", "This they had done: {goals}."),
    "goals open": ("Left undone: {goals}.", "This was not done: {goals}."),
    "goals lost": ("What could not be mended: {goals}.",),
    "breaks off": ("Here the tale breaks off, for now.",),
}  # fmt: skip
"""What happened -> the sentences for it; all of one have the same fields, though not each uses all of them."""

COUNTED: dict[str, tuple[Plural, ...]] = {
    "hours": (
        Plural("Nearly an hour went by there.", "Nearly {n} hours went by there."),
        Plural("That took the better part of an hour.", "That took the better part of {n} hours."),
    ),
    "been away": (
        Plural("It had taken an hour, or near to it.", "It had taken {n} hours, or near to it."),
        Plural("About an hour had gone by since they set out.", "About {n} hours had gone by since they set out."),
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
    """Chooses among the sentences of a kind: each comes once before any comes again, and none twice in a row."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._said: dict[str, int] = {}

    def say(self, kind: str, **fields: Value) -> str:
        """A sentence for something that happened."""
        template = SENTENCES[kind][self._choose(kind, len(SENTENCES[kind]))]
        own = {name: value for name, value in fields.items() if f"{{{name}}}" in template}
        return titled(text(template, **own))

    def count(self, kind: str, count: int, **fields: Value) -> str:
        """A sentence whose form hangs on a number."""
        chosen = COUNTED[kind][self._choose(f"n {kind}", len(COUNTED[kind]))]
        return titled(chosen.text(count, **{"n": number(count), **fields}))

    def turn(self, kind: str, every: int) -> bool:
        """Whether something that should not be told each time is told this time: once in so many."""
        count = self._said[kind] = self._said.get(kind, self._seed % every) + 1
        return count % every == 0

    def _choose(self, kind: str, many: int) -> int:
        if kind not in self._said:
            self._said[kind] = (self._seed + len(kind)) % many
        else:
            stride = next(s for s in range(2 if many > 4 else 1, many + 2) if gcd(s, many) == 1)
            self._said[kind] = (self._said[kind] + stride) % many
        return self._said[kind]
