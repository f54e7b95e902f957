"""What a creature may plan: the homes of the kinds of action; `legal.py` collects them, `context.py` is what they ask.

Not here: what an attack, a wound or a power does once it happens (`combat`, `magic`), and when it does (`turns.py`).
"""
