"""docs/reference/api.md: what `import hypermon` offers, from signatures and docstrings (Google's style)."""

from __future__ import annotations

import inspect
import re
import textwrap
import types
from collections.abc import Iterator

import hypermon

_SECTIONS = ("Args", "Attributes", "Returns", "Raises", "Example")
_GENERATED = {"parameters": "[parameters.md](parameters.md) describes the parameters."}
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
    """The names that there are: those of a monitor come and go with it."""
    return [name for name in hypermon.__all__ if hasattr(hypermon, name)]


def sections(docstring: str) -> dict[str, str]:
    """Its parts by their headings, what comes first under none; indentation is taken off."""
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
    found = getattr(hypermon, name)
    yield f"## hypermon.{name}"
    if isinstance(found, types.ModuleType):
        yield from _module(name, found)
    elif inspect.isclass(found):
        yield from _class(found)
    else:
        yield _signature(f"hypermon.{name}", found)
        yield from _described(found)


def _module(name: str, module: types.ModuleType) -> Iterator[str]:
    if name in _GENERATED:
        yield _GENERATED[name]
        return
    yield from _described(module)
    offered = getattr(module, "__all__", None) or [
        own for own, found in vars(module).items() if not own.startswith("_") and _is_of(found, module)
    ]
    lines = []
    for own in offered:
        found = getattr(module, own)
        if inspect.isclass(found) or inspect.isfunction(found):
            lines.append(f"- `{own}`: {_first(found)}")
    if lines:
        yield "\n".join(lines)


def _is_of(found: object, module: types.ModuleType) -> bool:
    is_one = inspect.isclass(found) or inspect.isfunction(found)
    return is_one and getattr(found, "__module__", "") == module.__name__


def _class(found: type) -> Iterator[str]:
    """With what it has of its bases, as far as they are hypermon's."""
    yield from _described(found)
    lines: dict[str, str] = {}
    for base in (base for base in found.__mro__ if base.__module__.startswith("hypermon")):
        if base is not found and "Attributes" in (inherited := sections(base.__doc__ or "")):
            yield "**Attributes**\n\n" + _entries(inherited["Attributes"])
        for own, member in vars(base).items():
            shown = isinstance(member, property) or inspect.isfunction(member)
            if shown and not own.startswith("_") and (said := _first(member)):
                lines.setdefault(own, f"- `{own}{'' if isinstance(member, property) else '()'}`: {said}")
    if lines:
        yield "\n".join(lines.values())


def _first(found: object) -> str:
    """The first sentence or paragraph, on one line."""
    return " ".join((inspect.getdoc(found) or "").partition("\n\n")[0].split())


def _signature(name: str, found: types.FunctionType) -> str:
    signature = inspect.signature(found)
    parts = [re.sub(r": '(.*?)'(?= =|$)", r": \1", str(p)) for p in signature.parameters.values()]
    keyword = [i for i, p in enumerate(signature.parameters.values()) if p.kind is p.KEYWORD_ONLY]
    variable = any(p.kind is p.VAR_POSITIONAL for p in signature.parameters.values())
    if keyword and not variable:
        parts.insert(keyword[0], "*")
    returned = str(signature.return_annotation).strip("'")
    whole = f"{name}({', '.join(parts)}) -> {returned}"
    if len(whole) > 100:
        whole = f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + f") -> {returned}"
    return f"```text\n{whole}\n```"


def _described(found: object) -> Iterator[str]:
    for heading, text in sections(inspect.getdoc(found) or "").items():
        if not heading:
            yield from _prose(text)
        elif heading == "Example":
            yield f"```text\n{text}\n```"
        elif heading == "Returns":
            yield f"**Returns** {' '.join(text.split())}"
        else:
            yield f"**{'Arguments' if heading == 'Args' else heading}**\n\n" + _entries(text)


def _prose(text: str) -> Iterator[str]:
    """Paragraphs; those that show a session as such."""
    for paragraph in re.split(r"\n{2,}", text):
        if paragraph.startswith(">>> "):
            yield f"```text\n{paragraph}\n```"
        elif paragraph:
            yield paragraph


def _entries(text: str) -> str:
    """`name: text`, with continued lines further in."""
    joined = re.sub(r"\n +", " ", text)
    return "\n".join(re.sub(r"^(\w+): ", r"- `\1`: ", line) for line in joined.splitlines())
