# SPDX-License-Identifier: BSD-3-Clause
"""Files beside the code: release notes, a citation, examples for batch systems, containers and CI."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from hypermon import Sweep, __version__
from tests.python.test_sweep_run import bytes_of

ROOT = Path(__file__).resolve().parents[2]
TOOLS = Path(sys.executable).parent
CI = ROOT / "examples" / "ci"
SLURM = ROOT / "examples" / "slurm" / "sweep.sh"


def tool(*command: object, **options: Any) -> subprocess.CompletedProcess[str]:
    name, *arguments = map(str, command)
    return subprocess.run([str(TOOLS / name), *arguments], capture_output=True, text=True, check=False, **options)


def is_clean(done: subprocess.CompletedProcess[str]) -> None:
    assert (done.returncode, done.stdout + done.stderr) == (0, done.stdout), done.stdout + done.stderr


# --- releases


def test_the_notes_of_a_release_are_its_part_of_the_changelog() -> None:
    script = ROOT / "scripts" / "release-notes"
    notes = subprocess.run([script, __version__], capture_output=True, text=True, check=True).stdout
    assert notes == subprocess.run([script], capture_output=True, text=True, check=True).stdout
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert changelog.count(notes) == 1
    assert notes.startswith("First version")
    assert "## " not in notes.replace("### ", "")
    # a page: the features of a version, by theme; the git history has the single changes
    assert len(notes.splitlines()) <= 80
    unknown = subprocess.run([script, "7.7"], capture_output=True, text=True, check=False)
    message = f"error: 7.7: no such version in CHANGELOG.md; must be one of: {__version__}\n"
    assert (unknown.returncode, unknown.stdout, unknown.stderr) == (2, "", message)


def test_the_citation_is_one_and_of_this_version() -> None:
    is_clean(tool("check-jsonschema", "--builtin-schema", "vendor.citation-file-format", ROOT / "CITATION.cff"))
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == __version__
    assert cited["license"] == "BSD-3-Clause"
    assert (ROOT / "LICENSE").read_text().startswith("BSD 3-Clause License\n")


def test_dependencies_say_what_is_old_enough() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = [*project["dependencies"], *(each for extra in project["optional-dependencies"].values() for each in extra)]
    assert not [each for each in named if not re.search(r">=|^hypermon\[", each)]


def test_source_files_name_their_licence() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "spdx", "--check"], capture_output=True, text=True, check=False
    )
    assert done.stdout == ""


# --- pages


@pytest.mark.parametrize(
    "page",
    sorted({*(ROOT / "docs" / "how-to").glob("*.md")} - {ROOT / "docs/how-to/README.md"}),
    ids=lambda page: page.stem,
)
def test_a_page_of_the_how_to_says_first_for_whom_it_is(page: Path) -> None:
    _, first, *_ = page.read_text(encoding="utf-8").split("\n\n")
    assert re.match(r"\*?For those who(se)? ", first)


# --- containers and CI


def test_the_container_recipe_is_clean_and_is_given_what_it_copies() -> None:
    is_clean(tool("hadolint", ROOT / "Containerfile"))
    recipe = (ROOT / "Containerfile").read_text()
    copied = [name for line in re.findall(r"^COPY (.+) \S+$", recipe, re.M) for name in line.split()]
    assert copied == ["requirements/core.txt", "build/wheels/hypermon-*.whl"]
    assert (ROOT / ".dockerignore").read_text().split() == ["*", "!build/wheels/*.whl", "!requirements/core.txt"]


def test_the_container_installs_no_package_that_is_not_locked() -> None:
    installs = re.findall(r"pip install (.+)", (ROOT / "Containerfile").read_text())
    assert len(installs) == 2
    assert all("--require-hashes" in options or "--no-index" in options for options in installs)


@pytest.mark.parametrize(("name", "schema"), [("github.yml", "github-workflows"), ("gitlab-ci.yml", "gitlab-ci")])
def test_an_example_for_ci_is_one(name: str, schema: str, tmp_path: Path) -> None:
    is_clean(tool("check-jsonschema", "--builtin-schema", f"vendor.{schema}", CI / name))
    broken = tmp_path / name
    text = (CI / name).read_text()
    broken.write_text(text.replace("when: always", "when: sometimes").replace("steps:", "stages:"))
    assert tool("check-jsonschema", "--builtin-schema", f"vendor.{schema}", broken).returncode == 1


def test_the_example_for_github_gives_nothing_away(tmp_path: Path) -> None:
    rules = tmp_path / "zizmor.yml"  # GitHub's own actions are named by their versions, as in its manual
    rules.write_text('rules: {unpinned-uses: {config: {policies: {"actions/*": ref-pin}}}}\n')
    audited = ["zizmor", "--offline", "--quiet", "--config", rules]
    is_clean(tool(*audited, CI / "github.yml"))
    careless = tmp_path / "github.yml"
    careless.write_text((CI / "github.yml").read_text().replace('"pages/${run//\\//-}.html"', "${{ github.head_ref }}"))
    found = tool(*audited, careless)
    assert "template-injection" in found.stdout + found.stderr
    assert found.returncode != 0


def scripts_of(name: str) -> list[str]:
    """The commands of an example, except for those that install packages."""
    workflow = yaml.safe_load((CI / name).read_text())
    if name == "github.yml":
        commands = [step["run"] for step in workflow["jobs"]["check"]["steps"] if "run" in step]
    else:
        commands = [*workflow["check"]["script"], *workflow["check"]["after_script"]]
    return [command for command in commands if "pip install" not in command]


@pytest.mark.usefixtures("worker")
@pytest.mark.worker
@pytest.mark.parametrize("name", ["github.yml", "gitlab-ci.yml"])
def test_the_commands_of_an_example_for_ci_check_scenarios_and_make_pages(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "scenarios" / "ours"
    folder.mkdir(parents=True)
    for monitor in ("none", "software"):
        (folder / f"{monitor}.yaml").write_text(
            f"question: Does it run?\nbase: table2/matmul\nset: {{nodes: 2, monitor: {monitor}, matmul.size: 16}}\n"
            "expect:\n  - {of: ledger.lost_total.events, is: 0, kind: derived, because: nothing is in its way}\n"
        )
    for number, script in enumerate(scripts_of(name)):
        written = tmp_path / f"{number}.sh"
        written.write_text(script)
        is_clean(tool("shellcheck", "--shell=bash", written))
        environment = {**os.environ, "PATH": f"{TOOLS}{os.pathsep}{os.environ['PATH']}"}
        command = ["bash", "-eo", "pipefail", "-c", script]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    assert "<testcase" in (tmp_path / "check.xml").read_text()
    assert len(list((tmp_path / "pages").glob("*.html"))) == 2


# --- batch systems

SBATCH = """#!{python}
# What Slurm does, as far as sweep.sh knows of it: a job is a process, those of an array run at once.
import os, subprocess, sys
options = [each for each in sys.argv[1:] if each.startswith("--")]
script = next(i for i, each in enumerate(sys.argv) if i and not each.startswith("--"))
environment = {{**os.environ, "SLURM_JOB_ID": "7", "SLURM_CPUS_PER_TASK": "1"}}
first, last = 0, 0
for option in options:
    if option.startswith("--array="):
        first, last = map(int, option.removeprefix("--array=").split("-"))
jobs = [
    subprocess.Popen(sys.argv[script:], env=environment | ({{"SLURM_ARRAY_TASK_ID": str(n)}} if last else {{}}), stdout=sys.stderr)
    for n in range(first, last + 1)
]
if last:
    jobs[{lost}].kill()  # a node that breaks down
for job in jobs:
    job.wait()
if "--parsable" in options:
    print("7;cluster")
sys.exit(any(job.returncode for job in jobs) and not last)
"""


@pytest.mark.parametrize("lost", [0, 2])
def test_a_sweep_as_an_array_of_jobs_ends_whole_also_if_one_is_lost(lost: int, scenarios: Path, tmp_path: Path) -> None:
    is_clean(tool("shellcheck", SLURM))
    (scenarios / "simple.yaml").write_text("question: Does it run?\nset: {monitor: software, nodes: 2}\n")
    own = tmp_path / "bin"
    own.mkdir()
    commands = {
        "sbatch": SBATCH.format(python=sys.executable, lost=lost),
        "srun": '#!/bin/sh\nexec "$@"\n',
        "hypermon": f'#!/bin/sh\nexec {sys.executable} -c "from hypermon.cli import main; main()" "$@"\n',
    }
    for name, text in commands.items():
        (own / name).write_text(text)
        (own / name).chmod(0o755)
    environment = {**os.environ, "PATH": f"{own}{os.pathsep}{os.environ['PATH']}"}
    arguments = ["simple", "--vary", "fake.events=1:7:1", "--metric", "events"]
    done = subprocess.run(
        [SLURM, "3", "deep", *arguments], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("sweep of simple: 7 points = 7 fake.events\n")
    assert list(Sweep("deep").to_pandas()["events"]) == [2 * n for n in range(1, 8)]
    alone = [str(own / "hypermon"), "sweep", *arguments, "-o", "alone"]
    subprocess.run(alone, env=environment, capture_output=True, check=True)
    assert bytes_of("deep")[0] == bytes_of("alone")[0]


def _tests_on_the_page(step: str) -> int:
    (line,) = [
        one for one in (ROOT / "docs/design/tests.md").read_text().splitlines() if one.startswith(f"| `{step}` |")
    ]
    return int(line.split("|")[2])


def test_the_page_of_tests_says_how_many_there_are(request: pytest.FixtureRequest) -> None:
    """Allows a deviation of a tenth. The Python tests are counted where all are collected, the C++ tests where they are
    built.
    """
    collected = request.session.testscollected
    if collected > 3000:
        assert abs(collected - _tests_on_the_page("pytest")) < collected / 10
    listed = subprocess.run(
        ["ctest", "--preset", "release", "-N"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    (total,) = re.findall(r"^Total Tests: (\d+)", listed.stdout, re.MULTILINE)
    if int(total) == 0:
        pytest.skip("no C++ tests are built here")
    for step in ("ctest", "asan"):
        assert abs(int(total) - _tests_on_the_page(step)) < int(total) / 10
