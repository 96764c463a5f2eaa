# SPDX-License-Identifier: BSD-3-Clause
"""Every command on a page is run: finding the commands, the actions of the reader, and completeness."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.pages import commands
from tests.pages.reader import ROOT, Reader, not_run, tree
from tests.pages.steps import File, NotRun, Output, PageError, Run, steps

PAGES = [ROOT / name for name in tree() if name.endswith(".md")]


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    clone = tmp_path / "clone"
    clone.mkdir()
    return Reader(tmp_path, clone, ())


def read(reader: Reader, text: str) -> str:
    page = reader.home / "page.md"
    page.write_text(text)
    return reader.read(page)


LARGEST = (
    "hypermon study monitors halo --platform modern --nodes 64 --set cpu.ranks_per_node=64 --set halo.size=1024 "
    "--set halo.iterations=20 --set halo.point_ns=800000"
)


def test_what_is_not_run_is_this_and_no_more() -> None:
    left_out = {
        (page.relative_to(ROOT).as_posix(), step.code.splitlines()[0]) for page in PAGES for step in not_run(page)
    }
    expected = {
        ("README.md", "scripts/demo"),
        ("docs/how-to/check-in-ci.md", "hypermon check"),
        ("docs/how-to/check-in-ci.md", "scripts/wheel"),
        ("docs/how-to/check-in-ci.md", "docker build --file Containerfile --tag hypermon ."),
        ("docs/how-to/complete.md", "hypermon --install-completion"),
        ("docs/how-to/explore.md", "hypermon explore runs/explored"),
        ("docs/how-to/explore.md", "import hypermon"),
        ("docs/how-to/hpvm.md", "hypermon study hpvm --out runs"),
        ("docs/how-to/install.md", "pip install ."),
        ("docs/how-to/install.md", "pip install hypermon-*.whl"),
        (
            "docs/how-to/own-board.md",
            "hypermon run bandwidth/one_node --out run -s ecb.module=build/own_board.so",
        ),
        (
            "docs/how-to/own-board.md",
            "hypermon run bandwidth/one_node --out run -s ecb.module=build/own_board.so \\",
        ),
        (
            "docs/how-to/own-board.md",
            "hypermon replay run --out replayed -s ecb.module=build/own_board.so",
        ),
        ("docs/how-to/own-monitor.md", "cmake --install build/release --component dev --prefix build/installed"),
        ("docs/how-to/own-monitor.md", "export PYTHONPATH=$PWD/build/own_monitor/python"),
        (
            "docs/how-to/sweep.md",
            'examples/slurm/sweep.sh 8 "$SCRATCH/deep" table2/place --set nodes=8 --vary ecb.frame_fifo_frames=64:65536:log2',
        ),
        ("docs/how-to/tau.md", "hypermon study tau"),
        ("docs/how-to/which-monitor.md", "hypermon study monitors matmul --platform ipsc2 --knobs --out runs/which"),
        ("docs/design/modern.md", LARGEST),
        (
            "docs/design/releases.md",
            "hypermon study releases --against build/on/trixie/hypermon/runs/releases/simgrid-4.0.json.gz",
        ),
        ("docs/how-to/which-monitor.md", f"{LARGEST} --monitor scms"),
        (
            "docs/how-to/which-monitor.md",
            "hypermon study monitors --platform ipsc2 --platform modern --knobs --fronts --trials 12 --tune life "
            "--tune matmul --tune-on ipsc2",
        ),
        (
            "docs/reference/board-pins.md",
            'HYPERMON_TEST_STROBES=11200000 build/release/tests/monitors/hypermon/rtl/test_rtl "the board\'s RTL gives*"',
        ),
        ("docs/how-to/own-board.md", "cmake --install build/release --component dev --prefix build/installed"),
        ("docs/how-to/own-board.md", "g++ -O2 $(python -m hypermon.headers) -shared board.cpp -o own_board.so"),
        ("examples/own_board/README.md", "cmake -B build -DCMAKE_PREFIX_PATH=PREFIX"),
        ("examples/own_module/README.md", "cmake -B build -G Ninja -DHYPERMON_SOURCE=../.."),
        ("examples/own_probe/README.md", "cmake -B build -DCMAKE_PREFIX_PATH=PREFIX"),
    }
    assert {(page, code.partition("  ")[0]) for page, code in left_out} == {
        one for one in expected if (ROOT / one[0]).is_file()
    }


def test_the_steps_of_a_page_are_found_in_order_lists_and_indented_fences_included() -> None:
    page = """
Text with `hypermon run` in it, and code that is indented:

    hypermon run nothing

```sh
hypermon run a
hypermon run b   # exit status 3
```

<!-- output: example | head -n 1 -->
```text
old
```
<!-- end of output -->

- In a list:

  ~~~python
  print(1)
  ~~~

<!-- file: a.yaml -->
```yaml
nodes: 4
```

<!-- not run: opens a window -->
```sh
gtkwave
```

<!-- console: date | cat -->
<!-- end of output -->
"""
    assert steps(page) == [
        Run(6, "sh", "hypermon run a\nhypermon run b   # exit status 3\n"),
        Output(11, 11, 14, through="head -n 1"),
        Run(19, "python", "print(1)\n"),
        File(23, "a.yaml", "nodes: 4\n"),
        NotRun(28, "opens a window", "gtkwave\n"),
        Run(33, "sh", "date | cat"),
        Output(33, 33, 33, command="date | cat"),
    ]
    assert [step.status for step in steps(page) if isinstance(step, Run)] == [3, 0, 0]


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ("```bash\nhypermon run a\n```", "1: a block of bash is not run"),
        ("```\n$ hypermon run a\n```", "1: a block of no language is not run"),
        ("```text\nhypermon run a\n```", "1: a block of text is not run"),
        ("```console\n$ ls\n```", "1: a block of console is not run"),
        ("\n<!-- not run: -->\n```sh\nls\n```", "2: not run: must say why"),
        ("<!-- not run: because -->\n\nText.\n", "1: not run: what follows is no such block"),
        ("<!-- not run: because -->\n```yaml\na: 1\n```", "1: not run: what follows is no such block"),
        ("<!-- file: a.sh -->\n```sh\nls\n```", "1: file: what follows is no such block"),
        ("<!-- not ran: because -->\n```sh\nls\n```", "1: <!-- not ran: because -->: no such marker"),
        ("<!-- output: example -->\n<!-- end of output -->", "1: there is no block before it that was run"),
        (
            "<!-- output: ls -->\n```text\n```\n<!-- output: ls -->\n<!-- end of output -->",
            "1: no <!-- end of output -->",
        ),
    ],
)
def test_a_block_that_nobody_runs_and_a_marker_of_nothing_are_named(page: str, message: str) -> None:
    with pytest.raises(PageError) as error:
        steps(page)
    assert str(error.value).startswith(message)


def test_a_page_gets_the_output_of_its_own_commands_which_run_once_and_in_one_folder(reader: Reader) -> None:
    before = """
<!-- file: runs/a.txt -->
```text
one
two
```
```sh
cat runs/a.txt; echo ran >>runs/count
```
Its end:
<!-- output: example | tail -n 1 -->
```text
old
```
<!-- end of output -->
and
<!-- console: ls missing runs 2>/dev/null # exit status 2 -->
<!-- end of output -->
```python
print(open("runs/count").read())
```
<!-- output: example -->
<!-- end of output -->
"""
    after = read(reader, before)
    assert "\n<!-- output: example | tail -n 1 -->\n```text\ntwo\n```\n<!-- end of output -->\nand\n" in after
    assert "```console\n$ ls missing runs 2>/dev/null # exit status 2\nruns:\na.txt\ncount\n```\n" in after
    assert after.endswith("<!-- output: example -->\n```text\nran\n```\n<!-- end of output -->\n")
    assert read(Reader(reader.home, reader.home / "again", ()), after) == after


@pytest.mark.parametrize(
    ("block", "message"),
    [
        ("```sh\nfalse\ntrue\n```", "1: exit status 1, not 0"),
        ("```sh\necho $UNSET\n```", "1: exit status 1, not 0"),
        ("```sh\ntrue   # exit status 2\n```", "1: exit status 0, not 2"),
        ("```python\nraise SystemExit(3)\n```", "1: exit status 3, not 0"),
        ("<!-- output: ls no-such-file -->\n<!-- end of output -->", "1: exit status 2, not 0"),
        ("```sh\necho\n```\n<!-- output: example | false -->\n<!-- end of output -->", "4: exit status 1"),
    ],
)
def test_a_command_that_ends_otherwise_than_its_page_says_is_named(reader: Reader, block: str, message: str) -> None:
    with pytest.raises(PageError) as error:
        read(reader, block)
    assert str(error.value).startswith(message)


def test_a_command_that_does_not_end_is_ended_and_named(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.pages.reader.LIMIT_S", 0.2)
    with pytest.raises(PageError, match="not finished after"):
        read(reader, "```sh\nsleep 60 & wait\n```")


def test_the_command_names_the_page_and_leaves_it_as_it_is(tmp_path: Path) -> None:
    page = ROOT / "docs" / "design" / "tlm.md"
    done = subprocess.run([sys.executable, ROOT / "scripts/run-pages", "--check", page], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("docs/design/tlm.md\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "how-to").glob("*.md")), ids=lambda page: page.stem)
def test_a_how_to_begins_with_its_question_and_the_form_of_the_answer(page: Path) -> None:
    if page.name in {"README.md", "run-from-python.md"}:
        pytest.skip("an index, and an introduction")
    title, readers, answered = page.read_text(encoding="utf-8").split("\n\n")[:3]
    assert title.startswith("# ")
    assert readers.startswith("*For those who") or readers.startswith("*For those whose")
    assert re.fullmatch(r"\*\*Question:\*\* [^*]+\?( [^*]+)?\\\n\*\*Answer:\*\* .+", answered, re.DOTALL)


NOW = [page for page in PAGES if page.name != "CHANGELOG.md"]  # the page describes the past


@pytest.mark.parametrize(
    ("page", "text"),
    sorted({(page.relative_to(ROOT).as_posix(), text) for page in NOW for text in commands.inline_commands(page)}),
)
def test_what_running_text_says_of_commands_and_names_is_there(page: str, text: str) -> None:
    assert commands.lacking(text) == "", f"{page}: {text}"
