"""`python -m tests.words`: write assets/words/battlemat.pot anew; `make words`."""

from __future__ import annotations

from tests.words.extract import POT, pot

POT.parent.mkdir(parents=True, exist_ok=True)
POT.write_text(pot(), encoding="utf-8")
print(f"{POT.name}: {pot().count('msgid ') - 1} texts")
