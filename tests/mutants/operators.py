"""The small errors: every way in which one expression or statement of a function can be made wrong.

They are the usual ones (a comparison turned or off by one, `and` for `or`, a figure one higher, a statement left out).
Wording is not what is tested: nothing is changed within texts, strings, annotations, what is raised, or `__repr__`.
"""

from __future__ import annotations

import ast
import copy
import hashlib
from collections.abc import Iterator
from typing import NamedTuple

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
SWAPPED = {"min": "max", "max": "min", "any": "all", "all": "any"}
WORDING = frozenset({"text", "ntext", "joined", "Text", "Plural", "Term", "Creature", "Place"})
"""Calls that make sentences."""
UNTOUCHED = frozenset({"__repr__", "__str__"})

Change = tuple[str, ast.AST, ast.AST]
"""The operator's name, the node, and what stands in its place."""


class Mutant(NamedTuple):
    """One error in one place; `path` is relative to the repository."""

    path: str
    function: str
    operator: str
    line: str
    """The first line of what is changed, as it stands in the source."""
    old: str
    new: str
    nth: int
    """Which of several that are the same but for their place in the function."""
    first: int
    last: int
    """Lines of what is changed, from 1."""
    number: int
    """Its number among the module's, by which `mutated` makes it."""

    @property
    def key(self) -> str:
        """The same as long as its function says the same in that line, wherever that moves."""
        return "\n".join((self.path, self.function, self.operator, self.line, self.old, self.new, str(self.nth)))

    def rank(self, seed: int) -> str:
        """Its place in the order in which a seed draws: what changes elsewhere leaves it where it is."""
        return hashlib.sha256(f"{seed}\n{self.key}".encode()).hexdigest()


def mutants(source: str, path: str) -> list[Mutant]:
    """All mutants of a module, in the order of the source."""
    lines = source.splitlines()
    found: list[Mutant] = []
    same: dict[tuple[str, ...], int] = {}
    for number, (function, (operator, old, new)) in enumerate(_changes(ast.parse(source))):
        first: int = old.lineno  # type: ignore[attr-defined]
        last: int = old.end_lineno  # type: ignore[attr-defined]
        key = (function, operator, lines[first - 1].strip(), _said(old), _said(new))
        same[key] = same.get(key, 0) + 1
        if isinstance(old, ast.If | ast.For | ast.While | ast.With):
            last = old.body[0].lineno - 1
        found.append(Mutant(path, *key, same[key], first, max(first, last), number))
    return found


def mutated(source: str, number: int) -> ast.Module:
    """The module with its mutant of that number."""
    tree = ast.parse(source)
    for at, (_, (_, old, new)) in enumerate(_changes(tree)):
        if at == number:
            _Replacing(old, ast.copy_location(new, old)).visit(tree)
            return ast.fix_missing_locations(tree)
    raise ValueError(f"no mutant {number}")


class _Replacing(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else super().generic_visit(node)


def _said(node: ast.AST) -> str:
    said = " ".join(ast.unparse(node).split())
    return said if len(said) <= 100 else f"{said[:97]}..."


def _changes(tree: ast.Module) -> Iterator[tuple[str, Change]]:
    for name, function in _functions(tree, ""):
        if function.name in UNTOUCHED:
            continue
        truth = isinstance(function.returns, ast.Name) and function.returns.id == "bool"
        for statement in function.body:
            for change in _in_statement(statement, truth):
                yield name, change


def _functions(node: ast.AST, within: str) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Functions of the module and its classes; one within another counts as part of it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield within + child.name, child
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{within}{child.name}.")
        elif isinstance(child, ast.If | ast.Try):
            yield from _functions(child, within)


def _in_statement(node: ast.stmt, truth: bool) -> Iterator[Change]:
    yield from _of_statement(node, truth)
    match node:
        case ast.Raise() | ast.Assert() | ast.Import() | ast.ImportFrom() | ast.ClassDef():
            return
        case ast.FunctionDef():
            for inner in node.body:
                yield from _in_statement(inner, isinstance(node.returns, ast.Name) and node.returns.id == "bool")
            return
        case ast.AnnAssign():
            parts: list[ast.AST] = [node.value] if node.value else []
        case _:
            parts = list(ast.iter_child_nodes(node))
    for part in parts:
        yield from _within(part, truth)


def _within(part: ast.AST, truth: bool) -> Iterator[Change]:
    if isinstance(part, ast.stmt):
        yield from _in_statement(part, truth)
    elif isinstance(part, ast.expr):
        yield from _in_expression(part)
    else:  # an `except`, a `case`, an item of `with`
        for child in ast.iter_child_nodes(part):
            if not isinstance(child, ast.pattern):
                yield from _within(child, truth)


def _of_statement(node: ast.stmt, truth: bool) -> Iterator[Change]:
    match node:
        case (
            ast.Expr(value=ast.Constant())
            | ast.Raise(exc=ast.Name(id="NotImplementedError") | ast.Call(func=ast.Name(id="NotImplementedError")))
        ):
            return
        case ast.If() | ast.While() if not isinstance(node.test, ast.Constant):
            yield from _decided(node.test)
        case ast.Expr() | ast.AugAssign() | ast.Raise() | ast.Delete():
            yield "removed", node, ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield "removed", node, ast.Pass()
        case ast.Break():
            yield "jump", node, ast.Continue()
        case ast.Continue():
            yield "jump", node, ast.Break()
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            if truth:
                yield "returned", node, ast.Return(ast.UnaryOp(ast.Not(), value))
            else:
                yield "returned", node, ast.Return(ast.Constant(None))
    if isinstance(node, ast.AugAssign) and type(node.op) in ARITHMETIC:
        yield "arithmetic", node, ast.AugAssign(node.target, ARITHMETIC[type(node.op)](), node.value)


def _in_expression(node: ast.expr) -> Iterator[Change]:
    if isinstance(node, ast.JoinedStr | ast.Lambda) or _worded(node):
        if isinstance(node, ast.Lambda):
            yield from _in_expression(node.body)
        return
    yield from _of_expression(node)
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield from _in_expression(child)
        elif isinstance(child, ast.keyword):
            yield from _in_expression(child.value)
        elif isinstance(child, ast.comprehension):
            yield from _in_expression(child.iter)
            for condition in child.ifs:
                yield from _decided(condition)
                yield from _in_expression(condition)


def _worded(node: ast.expr) -> bool:
    """A call that makes a sentence: `text(...)`, `Text.of(...)`."""
    if not isinstance(node, ast.Call):
        return False
    maker = node.func.value if isinstance(node.func, ast.Attribute) else node.func
    return isinstance(maker, ast.Name) and maker.id in WORDING


def _of_expression(node: ast.expr) -> Iterator[Change]:
    match node:
        case ast.Compare():
            for at, op in enumerate(node.ops):
                for other in COMPARISONS[type(op)]:
                    ops = [*node.ops[:at], other(), *node.ops[at + 1 :]]
                    yield "comparison", node, ast.Compare(node.left, ops, node.comparators)
        case ast.BinOp() if type(node.op) in ARITHMETIC and not _string(node.left):
            yield "arithmetic", node, ast.BinOp(node.left, ARITHMETIC[type(node.op)](), node.right)
        case ast.BoolOp():
            yield "connective", node, ast.BoolOp(ast.And() if isinstance(node.op, ast.Or) else ast.Or(), node.values)
        case ast.UnaryOp(op=ast.Not()):
            yield "negation", node, node.operand
        case ast.UnaryOp(op=ast.USub(), operand=operand) if not isinstance(operand, ast.Constant):
            yield "negation", node, operand
        case ast.IfExp():
            for _, _, verdict in _decided(node.test):
                assert isinstance(verdict, ast.Constant)
                yield "decided", node.test, verdict
        case ast.Constant(value=bool() as value):
            yield "figure", node, ast.Constant(not value)
        case ast.Constant(value=int() as value):
            yield "figure", node, ast.Constant(value + 1)
            yield "figure", node, ast.Constant(value - 1)
        case ast.Slice():
            for bound in ("lower", "upper"):
                if getattr(node, bound) is not None:
                    wider = copy.copy(node)
                    setattr(wider, bound, None)
                    yield "slice", node, wider
        case ast.Name(id=name, ctx=ast.Load()) if name in SWAPPED:
            yield "swapped", node, ast.Name(SWAPPED[name], ast.Load())


def _decided(condition: ast.expr) -> Iterator[Change]:
    for verdict in (True, False):
        yield "decided", condition, ast.Constant(verdict)


def _string(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
