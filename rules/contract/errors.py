"""The one family of errors that a user's mistake may raise: always a single clear line."""

from __future__ import annotations

from rules.contract.text import Text, Value, cleaned, text


class BattlematError(ValueError):
    """A mistake in a file, argument or command; the text says what, where, why and what would be right.

    Made of a template and its values, as `text` is, or of a whole sentence. Whatever a user's file put into the text,
    it stays one printable line.
    """

    def __init__(self, words: str, /, *values: Value, **fields: Value) -> None:
        super().__init__(cleaned(text(words, *values, **fields) if values or fields else words, _one_line))


def _one_line(words: str) -> str:
    return " ".join("".join(c if c.isprintable() or c.isspace() else "�" for c in words).split())


def said(error: BaseException) -> str:
    """What an error says, to be put into another sentence: of our own the `Text` that it is."""
    own = error.args[0] if len(error.args) == 1 else None
    return own if isinstance(own, Text) else str(error)


class IllegalActionError(BattlematError):
    """An action that the rules refuse now; the text names the reason."""


class RecordError(BattlematError):
    """A record that cannot be read or replayed; the text names the creature, command or field."""


class ThrowError(RecordError):
    """A scripted throw that is missing or that its die cannot show (record.md)."""


class ThrowNeeded(ThrowError):
    """The scripted throws have run out just when a die is to be thrown: whoever throws real dice is asked for it.

    `rank` is the die's rank, `faces` how many faces the die has, `number` its place among all throws of the fight,
    from 0; `label` says what is rolled and `by` for whom (the creature's id, empty for the table).
    """

    def __init__(self, rank: int, faces: int, number: int) -> None:
        self.rank, self.faces, self.number, self.label, self.by = rank, faces, number, "", ""
        need = text("the next is a d{rank}, a face from 1 to {faces}", rank, faces)
        super().__init__(text("throws: the list has run out after {number}; {need}", number, need))
