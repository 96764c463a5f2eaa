# SPDX-License-Identifier: BSD-3-Clause
"""docs/reference/api.md: the names of `import hypermon`, from signatures and docstrings (Google's style)."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import re
import textwrap
import types
from collections.abc import Callable, Iterator
from typing import Any

import hypermon

_SECTIONS = ("Args", "Attributes", "Returns", "Raises", "Example")
_GENERATED = {"hypermon.parameters": "[parameters.md](parameters.md) describes the parameters."}
_INTRODUCTION = (
    "What `import hypermon` offers. Names that begin with `_`, and modules that are not here, are hypermon's own."
    " [How to run from Python](../how-to/run-from-python.md) introduces it. Every example runs in the tests"
    " (tests/python/test_public_names.py)."
)


def page() -> list[str]:
    """The sections of the page, the introduction first."""
    names = sorted((name for name in public() if not name.startswith("__")), key=str.lower)
    return [_INTRODUCTION, *("\n\n".join(_name(name)) for name in names)]


def public() -> list[str]:
    """Returns the existing public names; those of a monitor exist only with it."""
    return [name for name in hypermon.__all__ if hasattr(hypermon, name)]


def sections(docstring: str) -> dict[str, str]:
    """Returns a docstring's parts by heading, with the text before the first heading under an empty one. Removes
    indentation.
    """
    parts: dict[str, list[str]] = {"": []}
    current = ""
    for line in inspect.cleandoc(docstring).splitlines():
        heading = line.removesuffix(":")
        if line.endswith(":") and heading in _SECTIONS:
            current = heading
            parts[current] = []
        else:
            parts[current].append(line)
    return {name: textwrap.dedent("\n".join(lines)).strip("\n") for name, lines in parts.items()}


def _name(name: str) -> Iterator[str]:
    return _offered(2, f"hypermon.{name}", getattr(hypermon, name))


def _offered(level: int, name: str, found: Any) -> Iterator[str]:
    """Yields a class, a function or a module with its members, under a heading of that level."""
    yield f"{'#' * level} {name}"
    if isinstance(found, types.ModuleType):
        yield from _module(level, name, found)
    elif inspect.isclass(found):
        yield from _class(name, found)
    else:
        yield _signature(name, found)
        yield from _described(found)


def _module(level: int, name: str, module: types.ModuleType) -> Iterator[str]:
    if name in _GENERATED:
        yield _GENERATED[name]
        return
    yield from _described(module)
    above = {id(getattr(hypermon, other)): f"hypermon.{other}" for other in public()}
    for own in getattr(module, "__all__", None) or [own for own, its in vars(module).items() if _is_of(its, module)]:
        found = getattr(module, own, None) or importlib.import_module(f"{module.__name__}.{own}")
        if id(found) in above:
            other = above[id(found)]
            yield f"{'#' * (level + 1)} {name}.{own}\n\nThe same as [{other}](#{other.lower().replace('.', '')})."
        elif inspect.isclass(found) or inspect.isfunction(found) or inspect.ismodule(found):
            yield from _offered(level + 1, f"{name}.{own}", found)


def _is_of(found: object, module: types.ModuleType) -> bool:
    is_one = (inspect.isclass(found) or inspect.isfunction(found)) and not found.__name__.startswith("_")
    return is_one and found.__module__ == module.__name__


def _class(name: str, found: type) -> Iterator[str]:
    """Yields a class with its members, including those inherited from hypermon's classes. Data classes have their
    attributes, which are also the arguments of their constructors.
    """
    if "__init__" in vars(found) and not dataclasses.is_dataclass(found):
        yield _signature(name, found)
    yield from _described(found)
    lines: dict[str, str] = {}
    for base in (base for base in found.__mro__ if base.__module__.startswith("hypermon")):
        if base is not found and "Attributes" in (inherited := sections(base.__doc__ or "")):
            yield "**Attributes**\n\n" + _entries(inherited["Attributes"])
        for own, member in vars(base).items():
            shown = isinstance(member, property) or inspect.isfunction(member)
            if shown and not own.startswith("_") and (sentence := _first(member)):
                taken = "" if isinstance(member, property) else f"({_taken(member)})"
                lines.setdefault(own, f"- `{own}{taken}`: {sentence}")
    if lines:
        yield "\n".join(lines.values())


def _first(found: object) -> str:
    """Returns the first sentence or paragraph, on one line."""
    return " ".join((inspect.getdoc(found) or "").partition("\n\n")[0].split())


def _taken(method: Callable[..., Any]) -> str:
    """Returns the names of a method's parameters, without `self`."""
    return ", ".join([*inspect.signature(method).parameters][1:])


def _signature(name: str, found: types.FunctionType | type) -> str:
    signature = inspect.signature(found)
    parts = [re.sub(r": '(.*?)'(?= =|$)", r": \1", str(p)) for p in signature.parameters.values()]
    keyword = [i for i, p in enumerate(signature.parameters.values()) if p.kind is p.KEYWORD_ONLY]
    variable = any(p.kind is p.VAR_POSITIONAL for p in signature.parameters.values())
    if keyword and not variable:
        parts.insert(keyword[0], "*")
    returned = "" if inspect.isclass(found) else " -> " + str(signature.return_annotation).strip("'")
    whole = f"{name}({', '.join(parts)}){returned}"
    if len(whole) > 100:
        whole = f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + f"){returned}"
    return f"```text\n{whole}\n```"


def _described(found: object) -> Iterator[str]:
    for heading, text in sections(inspect.getdoc(found) or "").items():
        if not heading:
            yield from _prose(text)
        elif heading == "Example":
            yield _session(text)
        elif heading == "Returns":
            yield f"**Returns** {' '.join(text.split())}"
        else:
            yield f"**{'Arguments' if heading == 'Args' else heading}**\n\n" + _entries(text)


def _prose(text: str) -> Iterator[str]:
    """Yields paragraphs, with sessions marked as such."""
    for paragraph in re.split(r"\n{2,}", text):
        if paragraph.startswith(">>> "):
            yield _session(paragraph)
        elif paragraph:
            yield paragraph


def _session(text: str) -> str:
    return f"```text\n{re.sub(r'  # doctest: .*', '', text)}\n```"


def _entries(text: str) -> str:
    """Formats entries `name: text` or `name, name: text`, whose continued lines are indented further."""
    joined = re.sub(r"\n +", " ", text)
    named = re.compile(r"^(\w+(?:, \w+)*): ", re.M)
    return named.sub(lambda names: f"- `{names[1].replace(', ', '`, `')}`: ", joined)
