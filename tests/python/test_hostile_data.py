# SPDX-License-Identifier: BSD-3-Clause
"""Data from strangers are only read, and only `hypermon explore` opens a network port (docs/how-to/trust.md).

XML has its own tests (test_platform_files.py), and so do the limits of YAML (test_yamlfile.py).
"""

from __future__ import annotations

import contextlib
import io
import os
import pickle
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hypermon import UserError
from hypermon._files import columns, yamlfile
from hypermon._inputs import platforms, scenario
from hypermon._model import catalogues, expressions
from hypermon._model.expressions import ExpressionError
from hypermon.importing.script import Script
from tests.conftest import Hypermon
from tests.registered import recordable

TAGS = (
    "!!python/object/apply:os.system ['touch {mark}']",
    "!!python/object/new:os.system ['touch {mark}']",
    "!!python/object:subprocess.Popen [[touch, {mark}]]",
    "!!python/name:os.system",
    "!!python/module:{module}",
    "!<tag:yaml.org,2002:python/object/apply:os.system> ['touch {mark}']",
    "!!binary bm90aGluZw==",
    "!!set {{a, b}}",
    "!own x",
)


READERS: tuple[Callable[[Path], object], ...] = (
    scenario.find,
    lambda file: platforms.find(file, ""),
    lambda file: catalogues.resolve(catalogues.PARAMETER, str(file), ""),
    yamlfile.read,
)
"""One reader for each kind of file that a stranger can send: a scenario, a platform, a catalogue, a sweep."""


@pytest.mark.parametrize("tag", TAGS)
def test_tags_of_yaml_make_no_objects(tag: str, tmp_path: Path) -> None:
    mark, file = tmp_path / "mark", tmp_path / "sent.yaml"
    value = tag.format(mark=mark, module="antigravity")
    for text in (f"question: {value}\n", f"question: q\nset:\n  nodes: {value}\n"):
        file.write_text(text)
        for read in READERS:
            with contextlib.suppress(UserError):  # a word with YAML's own tag is a word
                read(file)
    assert not mark.exists()
    assert "antigravity" not in sys.modules


@pytest.mark.parametrize("value", [tag for tag in TAGS if " [" in tag or " {{" in tag])
def test_a_list_or_a_mapping_with_a_tag_is_refused_with_its_line(value: str, tmp_path: Path) -> None:
    file = tmp_path / "sent.yaml"
    file.write_text(f"a: 1\nb: {value.format(mark='m')}\n")
    with pytest.raises(UserError, match=r"must have no tag \(.*sent.yaml, line 2\)"):
        yamlfile.read(file)


RESULT = {"elapsed_s": 2.0, "events": 3, "ranks": [{"events": 3}], "ledger": {"lost": []}, "text": "x"}
EXPRESSIONS = (
    # attributes and names of Python's own
    "events.__class__",
    "ranks.__class__.__mro__[1].__subclasses__()",
    "text.format",
    "__import__('os').system('touch mark')",
    "().__class__.__bases__[0]",
    "__builtins__",
    "ranks[0].__init__.__globals__",
    "len.__self__",
    # calls
    "eval('1')",
    "exec('import os')",
    "open('/etc/passwd')",
    "getattr(events, 'real')",
    "(lambda: 1)()",
    "max(*ranks)",
    "max(key=len)",
    "ranks[0].get('events')",
    # other syntax
    "[x for x in ranks]",
    "{x: x for x in ranks}",
    "(x for x in ranks)",
    "f'{events}'",
    "f'{events!r:>{events}}'",
    "(x := 5)",
    "events if events else 0",
    "events and events",
    "ranks[0:1]",
    "ranks[-events]",
    "[1] * 2",
    "await events",
    "yield",
    "b'x'",
    "1j",
    "...",
    "import os",
    "events; events",
    "events = 1",
    # numbers and texts that grow
    "9 ** 9 ** 9",
    "2 ** 100000",
    "1 << 100000",
    "1e200 * 1e200",
    "text * 1000000000",
    "'x' * 1000000000",
    "ranks * 1000000000",
    "'%1000000000d' % events",
    "1" + "0" * 5000,
    # nesting and length
    "(" * 5000 + "1" + ")" * 5000,
    "-" * 5000 + "1",
    "ranks" + "[0]" * 5000,
    "1" + " + 1" * 100_000,
    "abs(" * 500 + "1" + ")" * 500,
)


@pytest.mark.parametrize("text", EXPRESSIONS, ids=lambda text: text[:30])
def test_an_expression_is_arithmetic_and_nothing_else(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    start = time.perf_counter()
    with pytest.raises(ExpressionError) as refused:
        expressions.evaluate(text, RESULT)
    assert len(str(refused.value)) < 1000
    assert time.perf_counter() - start < 5
    assert list(tmp_path.iterdir()) == []


def test_an_allowed_expression_has_a_value() -> None:
    assert expressions.evaluate("max(events, 2) / elapsed_s + ranks[0].events", RESULT) == 4.5


class Leaves:
    """Makes a file when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return os.mkdir, (str(self.mark),)


def test_unpickling_it_leaves_a_mark(tmp_path: Path) -> None:
    pickle.loads(pickle.dumps(Leaves(tmp_path / "mark")))
    assert (tmp_path / "mark").is_dir()


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
def test_arrays_of_objects_are_not_unpickled(tmp_path: Path, hypermon: Hypermon) -> None:
    mark = tmp_path / "mark"
    objects = np.array([Leaves(mark)], dtype=object)
    np.save(tmp_path / "own.npy", objects, allow_pickle=True)
    with pytest.raises(UserError, match="holds objects"):
        columns.mapped(tmp_path / "own.npy")
    stream = ("--set", "workload=stream", "--set", f"stream.file={tmp_path / 'own.npy'}")
    for command in (
        ("run", "collection/idle", *stream, "--out", str(tmp_path / "out")),
        ("import", "stream", str(tmp_path / "own.npy"), "--out", str(tmp_path / "out")),
        ("capture", str(tmp_path / "own.npy"), "--out", str(tmp_path / "out")),
    ):
        assert hypermon(*command).returncode == 2, command
        assert not mark.exists(), command


def test_a_program_script_is_not_unpickled(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    content = io.BytesIO()
    np.lib.format.write_array(content, np.array([Leaves(mark)], dtype=object), allow_pickle=True)
    with zipfile.ZipFile(tmp_path / "own.script", "w") as archive:
        archive.writestr("metadata.json", "{}")
        for name in ("actions.npy", "lists.npy", "offsets.npy"):
            archive.writestr(name, content.getvalue())
    with pytest.raises(UserError):
        Script.open(tmp_path / "own.script")
    assert not mark.exists()


LISTENS = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <sys/socket.h>
#define TOLD(name, type, with, given) \\
  int name with { \\
    if (type == AF_INET || type == AF_INET6) fclose(fopen("MARK", "w")); \\
    int (*next) with = (int (*) with)dlsym(RTLD_NEXT, #name); \\
    return next given; \\
  }
static int type_of(int socket) {
  struct sockaddr_storage own = {0};
  socklen_t size = sizeof own;
  getsockname(socket, (struct sockaddr*)&own, &size);
  return own.ss_family;
}
TOLD(bind, address->sa_family, (int s, const struct sockaddr* address, socklen_t size), (s, address, size))
TOLD(listen, type_of(s), (int s, int n), (s, n))
"""


@pytest.fixture
def listening(tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """A file that appears when a process opens a port, and the environment that makes processes report it."""
    mark = tmp_path / "port"
    (tmp_path / "listens.c").write_text(LISTENS.replace("MARK", str(mark)))
    command = ["cc", "-shared", "-fPIC", "listens.c", "-o", "listens.so", "-ldl"]
    subprocess.run(command, cwd=tmp_path, check=True)
    return mark, {**os.environ, "LD_PRELOAD": str(tmp_path / "listens.so")}


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_a_port_that_a_process_opens_is_told(listening: tuple[Path, dict[str, str]]) -> None:
    mark, environment = listening
    for code, told in (
        ("s = socket.socket(socket.AF_UNIX); s.bind(''); s.listen()", False),
        ("s = socket.socket(); s.listen()", True),
    ):
        subprocess.run([sys.executable, "-c", f"import socket; {code}"], env=environment, check=True)
        assert mark.exists() == told


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_no_command_opens_a_network_port(
    listening: tuple[Path, dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark, environment = listening
    monkeypatch.chdir(tmp_path)
    recorded = recordable()
    if not recorded:
        pytest.skip("no monitor here has recordings")
    base = ("collection/ring", "--set", "nodes=2", "--set", f"monitor={recorded[0]}")
    for command in (
        ("run", *base, "--out", "run"),
        ("record", *base, "--out", "recorded"),
        ("sweep", *base, "--vary", "seed=1,2", "--out", "swept"),
        ("report", "run", "--out", "run.html"),
        ("report", "swept", "--out", "swept.html"),
        ("timeline", "recorded", "--out", "line.html"),
    ):
        words = [sys.executable, "-m", "hypermon", *command]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (command, done.stderr)
        assert not mark.exists(), command
