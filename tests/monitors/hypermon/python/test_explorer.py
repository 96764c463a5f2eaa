# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon explore`: designs as settings, addresses and commands; answers; and who may reach the server."""

from __future__ import annotations

import http.client
import json
import random
import re
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from typer.testing import CliRunner

from hypermon import explorer
from hypermon._engine.recorder import record
from hypermon._engine.recording import Explorer, Recording
from hypermon._model import worker
from hypermon._model.schema import flat
from hypermon.cli.app import app
from hypermon.errors import UserError
from hypermon.explorer.answers import PENDING, Answers, rows
from hypermon.explorer.controls import Controls
from hypermon.explorer.picture import figure
from hypermon.explorer.serving import Served
from tests.python.little_place import LITTLE, SCENARIO
from tests.python.processes import start

pytestmark = pytest.mark.worker

SLOW: Mapping[str, str] = {"pbx.word_ns": "2100", "ecb.frame_fifo_frames": "12"}
BOTTOM = "import sys; from hypermon.cli import main; main()"


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    return record(SCENARIO, settings=LITTLE, out=tmp_path_factory.mktemp("explored") / "a run")


@pytest.fixture(scope="module")
def controls(recording: Recording) -> Controls:
    return Controls(recording)


@pytest.fixture(scope="module")
def served(recording: Recording) -> Iterator[Served]:
    pytest.importorskip("dash")
    made = explorer.serve(recording)
    yield made
    made.close()


def test_controls_are_those_that_a_replay_allows_with_the_declared_values(controls: Controls) -> None:
    declared = worker.schema().parameters
    paths = {control.path for control in controls.every}
    assert {"ecb.frame_fifo_frames", "ecb.window_ns", "ecb.timestamp_bits", "pbx.word_ns", "reader.kind"} <= paths
    assert not {"port.delay", "ecb.module", "ecb.rtl_top", "drain.keep_frames"} & paths
    for control in controls.every:
        assert control.parameter is declared[control.path]
        for step in control.steps if not control.choices else control.choices:
            control.parameter.parse(step, "")  # raises for a value that is not allowed
        if not control.choices:
            assert str(controls.recorded[control.path]) in control.steps
            assert sorted(map(float, control.steps)) == list(map(float, control.steps))


def test_every_parameter_behind_the_ports_has_a_control_or_is_no_number_or_choice(controls: Controls) -> None:
    behind = {
        path: p
        for path, p in worker.schema().parameters.items()
        if p.behind_ports and path.partition(".")[0] in controls.how.EXPLORED
    }
    left = {path for path in behind if path not in controls.recorded}
    assert left == {
        p for p in behind if behind[p].kind or behind[p].runs or (behind[p].type == "string" and not behind[p].choices)
    } | set(controls.how.UNEXPLORED)


def test_address_settings_and_command_are_one_design(controls: Controls) -> None:
    rng = random.Random(1)
    for _ in range(200):
        some = rng.sample(controls.every, rng.randint(0, 6))
        values = {c.path: rng.choice(c.choices or c.steps) for c in some}
        settings = controls.settings(values)
        compare = rng.random() < 0.5
        assert controls.from_query(controls.query(settings, compare)) == (settings, compare)
        words = shlex.split(controls.command(settings))
        assert words[:2] == ["hypermon", "replay"]
        in_command = dict(word.split("=", 1) for word in words[3:] if word != "--set")
        assert in_command == settings
        assert all(
            settings.get(path, controls.recorded[path])
            == controls.settings({path: v}).get(path, controls.recorded[path])
            for path, v in values.items()
        )


def test_values_with_digits_that_a_short_form_would_lose_are_kept(controls: Controls) -> None:
    settings = controls.settings({"drain.streams_datum_us": "3.7512345678901"})
    assert controls.spec(settings).values["drain.streams_datum_us"] == 3.7512345678901
    assert controls.settings(settings) == settings


@pytest.mark.parametrize(
    "settings",
    [
        {},
        SLOW,
        {"reader.kind": "group", "reader.group_ns": "5350", **SLOW},
        {"ecb.frame_fifo_full": "drop_oldest", **SLOW},
    ],
)
def test_the_copied_command_prints_the_shown_numbers(controls: Controls, settings: dict[str, str]) -> None:
    shown = Answers(controls).rested(controls.settings(settings))
    assert shown is not None
    words = shlex.split(controls.command(controls.settings(settings)))
    done = CliRunner().invoke(app, [*words[1:], "--json"])
    assert done.exit_code == 0
    result = json.loads(done.stdout)
    assert dict(shown.rows) == rows(flat(result), flat(result["spec"]))
    output = CliRunner().invoke(app, words[1:]).stdout
    assert output.splitlines()[1] == shown.verdict.replace("\u202f", " ").replace("µ", "u").replace("\u2212", "-")


def test_counts_of_a_moving_slider_are_those_of_the_whole_answer(controls: Controls) -> None:
    answers = Answers(controls)
    moving, rested = answers.moving(SLOW), answers.rested(SLOW)
    assert moving is not None
    assert rested is not None
    counted = {label: value for label, value in moving.rows.items() if value != PENDING}
    assert counted == {label: rested.rows[label] for label in counted}
    assert {"nibbles lost", "frames lost", "peak of the frame FIFO", "cost: memory"} <= counted.keys()
    assert moving.rows["latency, median"] == PENDING
    assert answers.moving(SLOW) is rested, "what is known is not counted again"


def test_requests_that_are_out_of_date_are_not_answered(controls: Controls) -> None:
    answers = Answers(controls)
    assert answers.moving(SLOW, lambda: False) is None
    assert answers.rested(SLOW, lambda: False) is None
    assert answers.buffer(SLOW, lambda: False) is None


def test_losses_and_the_level_are_in_the_chart(controls: Controls) -> None:
    answers = Answers(controls)
    whole = answers.rested(SLOW)
    lossy, reference = answers.buffer(SLOW), answers.buffer(controls.reference)
    assert whole is not None
    assert lossy is not None
    drawn = figure(controls, lossy, reference)
    assert drawn is not None
    by_name = {trace["name"]: trace for trace in drawn["data"]}
    assert max(by_name["most frames in the FIFO"]["customdata"]) == 12
    assert sum(by_name["frames lost"]["y"]) == int(whole.rows["frames lost"].replace("\u202f", ""))
    assert "the prototype: most frames in the FIFO" in by_name
    assert drawn["layout"]["shapes"][0]["y0"] == 12


def test_the_reference_is_the_prototype(controls: Controls) -> None:
    values = controls.spec(controls.reference).values
    assert (values["reader.kind"], values["reader.stall_ns"], values["ecb.frame_fifo_frames"]) == ("group", 68000, 1024)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"ecb.node_fifo_full": "stall"}, "feed back to the nodes"),
        ({"ecb.accumulate_bits": "32", "ecb.timestamp_bits": "1"}, ""),
    ],
)
def test_a_design_that_cannot_be_replayed_has_its_error_as_the_verdict(
    controls: Controls, settings: dict[str, str], message: str
) -> None:
    answers = Answers(controls)
    answer, buffer = answers.rested(settings), answers.buffer(settings)
    assert answer is not None
    assert buffer is not None
    assert answer.error is buffer.error is bool(message)
    assert message in answer.verdict
    assert (buffer.timeline is None) is bool(message)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("?ecb.frame_fifo_frames=no", "ecb.frame_fifo_frames = no: must be an integer from 1 to 16777216 frames"),
        ("?ecb.frame_fifo_frame=1", "did you mean ecb.frame_fifo_frames?"),
        ("?port.delay=1", "port.delay: has no control in the explorer"),
    ],
)
def test_a_bad_address_is_an_error(controls: Controls, query: str, message: str) -> None:
    with pytest.raises(UserError, match=re.escape(message)):
        controls.from_query(query)


# The server.


def fetch(served: Served | Explorer, path: str, **headers: str) -> tuple[int, str, Mapping[str, str]]:
    port = urlsplit(served.address).port
    assert port is not None
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    found = answer.status, answer.read().decode(), dict(answer.getheaders())
    connection.close()
    return found


def test_the_page_is_served_under_its_token(served: Served) -> None:
    status, text, headers = fetch(served, urlsplit(served.address).path)
    assert status == 200
    assert "<title>Explorer – hypermon</title>" in text
    assert "http://" not in text
    assert "https://" not in text
    assert headers["Content-Security-Policy"].startswith("default-src 'self';")
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/{wrong}/",
        "/{short}/",
        "/_dash-layout",
        "/{wrong}/_dash-layout",
        "/_mcp",
        "/{wrong}/../{token}/",
    ],
)
def test_a_wrong_token_is_refused(served: Served, path: str) -> None:
    token = urlsplit(served.address).path.strip("/")
    assert len(token) >= 32
    wrong = ("b" if token[0] == "a" else "a") + token[1:]
    status, text, _ = fetch(served, path.format(token=token, wrong=wrong, short=token[:-1]))
    assert status == 403
    assert token not in text


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "[::1]:{port}", ""]
)
def test_a_wrong_host_is_refused(served: Served, host: str) -> None:
    parts = urlsplit(served.address)
    status, _, _ = fetch(served, parts.path, Host=host.format(port=parts.port))
    assert status in ((400, 403) if not host else (403,))
    assert fetch(served, parts.path, Host=f"localhost:{parts.port}")[0] == 200


def test_it_listens_on_the_loopback_address_only(served: Served) -> None:
    port = urlsplit(served.address).port
    assert port is not None
    with socket.create_connection(("127.0.0.1", port), timeout=10):
        pass
    # a server that listens on all addresses of the machine would answer here, too
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.2", port), timeout=10)


def test_each_explorer_has_a_token_of_its_own(recording: Recording, served: Served) -> None:
    other = recording.explore()
    try:
        assert urlsplit(other.address).path != urlsplit(served.address).path
        assert f'src="{other.address}"' in other._repr_html_()
        policy = fetch(other, urlsplit(other.address).path)[2]["Content-Security-Policy"]
        assert "frame-ancestors 'self' http://127.0.0.1:* http://localhost:*" in policy
    finally:
        other.close()


# The command.


def test_the_command_prints_the_address_and_ends_on_ctrl_c(recording: Recording) -> None:
    pytest.importorskip("dash")
    process = start(
        [sys.executable, "-c", BOTTOM, "explore", str(recording.path), "--no-browser"], stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith("explorer at http://127.0.0.1:")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "Ctrl-C ends it.\ninterrupted\n")


def refused(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["explore", *arguments])
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    return done.stderr


def test_a_mistake_is_one_line(recording: Recording, tmp_path: Path) -> None:
    assert "nothing: cannot be read" in refused(str(tmp_path / "nothing"))
    assert "--port" in refused(str(recording.path), "--port", "99999")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert (
            refused(str(recording.path), "--port", str(port))
            == f"error: --port {port}: cannot be used: Address already in use\n"
        )


def test_a_missing_extra_says_what_to_install(recording: Recording, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dash", None)
    assert refused(str(recording.path)) == "error: Dash is not installed: pip install 'hypermon[explore]'\n"
