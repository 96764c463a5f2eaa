# SPDX-License-Identifier: BSD-3-Clause
"""Checks that commands and Python names in running text exist. They are not run."""

from __future__ import annotations

import functools
import pkgutil
from pathlib import Path
from typing import Any

import click
import typer.main
from markdown_it import MarkdownIt

import hypermon
from hypermon.cli.app import app

NO_NAMES = {"hypermon.activity", "hypermon.h", "hypermon.recording", "hypermon.samples"}
"""A header, keys."""


def inline_commands(page: Path) -> list[str]:
    """Code in running text that is a hypermon command, or a name of the package."""
    parser = MarkdownIt("commonmark").enable("table")
    tokens = parser.parse(page.read_text(encoding="utf-8"))
    code = [one.content for token in tokens for one in token.children or () if one.type == "code_inline"]
    return [text for text in code if text.startswith(("hypermon ", "hypermon."))]


@functools.cache
def _commands() -> Any:
    """Typer's form of all commands; building it takes a tenth of a second."""
    return typer.main.get_command(app)


def lacking(text: str) -> str:
    """The part of the command or name that does not exist; empty if all exists."""
    return _of_command(text) if text.startswith("hypermon ") else _of_name(text.partition("(")[0])


def _of_command(text: str) -> str:
    command, context = _commands(), click.Context(click.Command("hypermon"))
    for word in text.split()[1:]:
        if word.startswith("-") or not hasattr(command, "get_command"):
            break
        found = command.get_command(context, word)
        if found is None:
            return word
        command = found
    options = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    words = [word.partition("=")[0] for word in text.partition(" -- ")[0].split() if word.startswith("-")]
    return " ".join(word for word in words if word not in {*options, "--help"})


def _of_name(name: str) -> str:
    if name in NO_NAMES or "._" in name:
        return ""
    try:
        pkgutil.resolve_name(name)  # this may be a module that must be imported first
    except (AttributeError, ImportError, ValueError):
        try:
            eval(name, {"hypermon": hypermon})  # the text comes from a page of this tree
        except (AttributeError, NameError, SyntaxError):
            return name
    return ""
