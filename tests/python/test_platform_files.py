# SPDX-License-Identifier: BSD-3-Clause
"""SimGrid platform files: SimGrid reads exactly what was checked, and a file that cannot work is a user error."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from hypermon import UserError
from hypermon._engine.runner import run
from hypermon._files import places
from hypermon._inputs import platforms, scenario
from hypermon._inputs.simgrid_xml import reading
from hypermon._inputs.simgrid_xml.elements import OPTIONS
from hypermon._model import worker as workers
from tests.conftest import Hypermon

HEAD = '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n<platform version="4.1">\n'
HOSTS = '<host id="a" speed="1Gf"/><host id="b" speed="1Gf"/>'
LINK = '<link id="l" bandwidth="100MBps" latency="1us"/>'
ROUTE = '<route src="a" dst="b"><link_ctn id="l"/></route>'


def full(inside: str, routing: str = "Full") -> str:
    """A platform in which line 4 is the zone and line 5 its content."""
    return f'{HEAD}<zone id="z" routing="{routing}">\n{inside}\n</zone></platform>\n'


def option(key: str, value: str) -> str:
    return f'{HEAD}<config><prop id="{key}" value="{value}"/></config><zone id="z" routing="Full">{HOSTS}{LINK}{ROUTE}</zone></platform>'


def cluster(more: str) -> str:
    return (
        f'{HEAD}<cluster id="c" prefix="c" suffix="" radical="0-1" speed="1Gf" bw="1MBps" lat="1us" {more}/></platform>'
    )


def profile(kind: str, text: str) -> str:
    trace = f'<trace id="t" periodicity="1">{text}</trace><trace_connect kind="{kind}" trace="t" element="a"/>'
    return full(HOSTS + LINK + ROUTE + "\n" + trace)


GOOD = full(HOSTS + LINK + ROUTE)


def rewritten(text: str | bytes, simgrid: str = "3.32") -> str:
    return reading.rewritten(text if isinstance(text, bytes) else text.encode(), Path("p.xml"), simgrid).text


def test_elements_stay_on_their_lines_and_comments_are_left_out() -> None:
    text = HEAD + f'<!-- of two -->\n<zone id="z"\n  routing="Full">\n{HOSTS}\n\n{LINK}{ROUTE}</zone>\n</platform>\n'
    lines = rewritten(text).splitlines()
    assert lines[:5] == [reading.HEAD, "", '<platform version="4.1">', "", '<zone id="z" routing="Full">']
    assert (lines[6], lines[8]) == (HOSTS, f"{LINK}{ROUTE}</zone>")
    assert len(lines) == len(text.splitlines())


def test_values_and_profiles_are_written_as_they_were() -> None:
    name = "&lt;&amp;&quot;&apos;ü"
    text = full(f'<host id="{name}" speed="2Gf, 1e3Mf" pstate="1" core="4"/>')
    assert rewritten(text).splitlines()[4] == f'<host id="{name}" speed="2Gf, 1e3Mf" pstate="1" core="4"/>'
    assert ">\n0 1\n2 0.5\n</trace>" in rewritten(profile("SPEED", "\n0 1\n2 0.5\n"))
    assert rewritten(rewritten(text)) == rewritten(text)


@pytest.mark.parametrize(
    "file", [*places.TREE.glob("tests/**/*.xml"), *places.TREE.glob("examples/**/*.xml")], ids=lambda path: path.name
)
def test_platform_files_of_the_tree_are_allowed(file: Path) -> None:
    assert rewritten(file.read_bytes()).startswith(reading.HEAD)


REFUSED: dict[str, tuple[str | bytes, str, int]] = {
    # not XML, or not completely
    "blank line first": ("\n" + GOOD, "is not XML: XML or text declaration not at start of entity", 2),
    "null byte": (GOOD.replace("100MBps", "100\0MBps"), "is not XML", 5),
    "control character": (GOOD.replace("100MBps", "100\x01MBps"), "is not XML", 5),
    "control character as reference": (GOOD.replace("100MBps", "100&#1;MBps"), "is not XML", 5),
    "delete in a value": (GOOD.replace('id="l" b', 'id="&#127;" b'), r"<link>: id = \x7f: must have no control character", 5),
    "line break in a value": (GOOD.replace('id="a" s', 'id="a&#10;" s'), r"<host>: id = a\n: must have no control character", 5),
    "control character in text": (profile("SPEED", "0 1\n2 \x9b1\n"), "must have no control character", 7),
    "two documents": (GOOD + GOOD, "is not XML", 7),
    "nothing": ("", "is not XML: no element found", 1),
    "cut": (GOOD[:-5], "is not XML: unclosed token", 6),
    "encoding": (b'<?xml version="1.0" encoding="klingon"?><platform version="4.1"/>', "is not XML: unknown encoding", 1),
    "text": (full(HOSTS + "hello"), "<zone>: must have no text: hello", 6),
    "another root": ("<host id='a' speed='1f'/>", "<host>: must be a SimGrid platform, whose first element is <platform>", 1),
    # entities
    "external entity": ('<!DOCTYPE platform [<!ENTITY e SYSTEM "file:///etc/passwd">]>\n<platform version="4.1">&e;</platform>', "&e: must name no entity", 2),
    "billion laughs": ('<!DOCTYPE platform [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]>\n<platform version="&b;"/>', "&a: must name no entity", 1),
    "parameter entity": ('<!DOCTYPE platform [<!ENTITY % e SYSTEM "http://localhost/x"> %e;]>\n<platform version="4.1"/>', "<!DOCTYPE>: must declare nothing of its own", 1),
    "unknown entity": (full('<host id="&e;" speed="1f"/>'), "&e: must name no entity", 5),
    # other files, code, and options that write
    "include": (HEAD + '<include file="other.xml"/></platform>', "<include>: write the content of that file here", 4),
    "actor": (f'{HEAD}<zone id="z" routing="Full">{HOSTS}</zone>\n<actor host="a" function="f"/></platform>', "<actor>: hypermon starts the ranks itself", 5),
    "tracing": (option("tracing", "yes"), "tracing: may not be set there", 4),
    "more options in a value": (option("network/TCP-gamma", "1 tracing:yes tracing/filename:/tmp/x"), "network/TCP-gamma = 1 tracing:yes tracing/filename:/tmp/x: must be numbers", 4),
    "more options behind a comma": (option("network/crosstraffic", "yes,tracing:yes"), "network/crosstraffic = yes,tracing:yes: must be one of yes, no", 4),
    "more options behind a tab": (option("smpi/os", "0&#9;tracing:yes"), r"<prop>: value = 0\ttracing:yes: must have no control character", 4),
    "library": (option("smpi/privatize-libs", "/tmp/evil.so"), "smpi/privatize-libs: may not be set there", 4),
    "hosts of a file": (option("smpi/hostfile", "/etc/passwd"), "smpi/hostfile: may not be set there", 4),
    "folder for files": (option("smpi/tmpdir", "/tmp/x"), "smpi/tmpdir: may not be set there", 4),
    "ns-3": (option("network/model", "ns-3"), "network/model = ns-3: must be one of LV08", 4),
    # platforms that cannot work
    "no hosts": (full(""), "must be a SimGrid platform: it has no hosts", 1),
    "unknown element": (full(HOSTS + "<hots/>"), "<hots>: is not an element that may be there; did you mean host?", 5),
    "unknown attribute": (full('<host id="a" speeed="1Gf"/>'), "<host>: speeed: no such attribute; did you mean speed?", 5),
    "missing attribute": (full('<host id="a"/>'), "<host>: speed is missing", 5),
    "speed 0": (full(HOSTS.replace("1Gf", "0")), "<host>: speed = 0: must be speeds above 0", 5),
    "infinite speed": (full(HOSTS.replace("1Gf", "inf")), "<host>: speed = inf: must be speeds above 0", 5),
    "endless speed": (full(HOSTS.replace("1Gf", "1e999f")), "<host>: speed = 1e999f: must be speeds above 0", 5),
    "no core": (full('<host id="a" speed="1Gf" core="0"/>'), "<host>: core = 0: must be an integer from 1", 5),
    "pstate": (full('<host id="a" speed="1Gf,2Gf" pstate="2"/>'), "<host>: pstate = 2: must be the number of one of its speeds", 5),
    "bandwidth 0": (full(HOSTS + LINK.replace("100MBps", "0")), "<link>: bandwidth = 0: must be a number above 0", 5),
    "negative bandwidth": (full(HOSTS + LINK.replace("100", "-1")), "<link>: bandwidth = -1MBps: must be a number above 0", 5),
    "negative latency": (full(HOSTS + LINK.replace("1us", "-1us")), "<link>: latency = -1us: must be a number of at least 0", 5),
    "two links": (full(HOSTS + LINK + "\n" + LINK), "l: is the name of another link, too, on line 5", 6),
    "two hosts": (full(HOSTS + "\n" + HOSTS), "a: is the name of another host, router or zone, too, on line 5", 6),
    "host and cluster": (full(HOSTS.replace('"a"', '"c1"')).replace("</platform>", "") + cluster("")[len(HEAD) :], "<cluster>: is a second outermost element", 7),
    "no such link": (full(HOSTS + LINK + ROUTE.replace('"l"', '"ll"')), "ll: there is no such link before this line; did you mean l?", 5),
    "no direction": (full(HOSTS + LINK.replace("/>", ' sharing_policy="SPLITDUPLEX"/>') + ROUTE), "l: is a SPLITDUPLEX link: direction must be UP or DOWN", 5),
    "zone without gateway": (HEAD + '<zone id="z" routing="Full"><zone id="x" routing="Full"/><zone id="y" routing="Full"/>\n<zoneRoute src="x" dst="y"/></zone></platform>', "<zoneRoute>: gw_src is missing", 5),
    "version": (GOOD.replace("4.1", "3"), "<platform>: version = 3: must be one of 4, 4.0, 4.1", 3),
    "no latency": (full(HOSTS + '<link id="l" bandwidth="1MBps"/>'), "<link>: latency is missing", 5),
    "no coordinates": (full(HOSTS, "Vivaldi"), "<host>: coordinates is missing: its zone has routing", 5),
    "routing": (full(HOSTS, "Ful"), "<zone>: routing = Ful: must be one of Full, Floyd", 4),
    "no way in a Dijkstra zone": (full(HOSTS + '<host id="c" speed="1Gf"/>' + LINK + ROUTE, "Dijkstra"), "<zone>: has no route from a to c", 6),
    "one way in a Dijkstra zone": (full(HOSTS + LINK + ROUTE.replace("dst", 'symmetrical="NO" dst'), "DijkstraCache"), "<zone>: has no route from b to a", 6),
    "Wi-Fi zone": (full(HOSTS, "Wifi"), "<zone>: routing = Wifi: Wi-Fi needs a rate for each host", 4),
    "Wi-Fi link": (full(HOSTS + '<link id="l" bandwidth="54Mbps,36Mbps" sharing_policy="WIFI"/>'), "<link>: sharing_policy = WIFI: Wi-Fi needs a rate for each host", 5),
    "host that goes off": (profile("HOST_AVAIL", "0 1\n1 0\n"), "<trace>: the value must be above 0", 7),
    "host that is off": (profile("HOST_AVAIL", "0 1\n"), "<trace_connect>: kind = HOST_AVAIL: a rank whose host or link is off cannot go on", 7),
    "profile": (profile("SPEED", "soon 1"), "<trace>: must be a date in seconds after the one before, and a value", 6),
    "profile that goes back": (profile("SPEED", "1 1\n0 1"), "<trace>: must be a date in seconds after the one before, and a value", 7),
    "empty profile": (profile("SPEED", " "), "<trace>: must have lines with a date in seconds and a value", 6),
    "empty radical": (cluster("").replace("0-1", ""), "<cluster>: radical = : must be numbers of at most", 4),
    "endless radical": (cluster("").replace("0-1", "0-99999999"), "<cluster>: radical = 0-99999999: must be numbers of at most", 4),
    "backbone without bandwidth": (cluster('bb_lat="1us"'), "<cluster>: bb_lat = 1us: needs bb_bw, too", 4),
    "loopback without bandwidth": (cluster('loopback_lat="1us"'), "<cluster>: loopback_lat = 1us: needs loopback_bw, too", 4),
    "torus of four": (cluster('topology="TORUS" topo_parameters="2,2"'), 'topo_parameters="2,2": has places for 4 hosts; radical = 0-1 names 2', 4),
    "torus without parameters": (cluster('topology="TORUS"'), 'topo_parameters="": must be integers above 0 for a TORUS', 4),
    "fat tree": (cluster('topology="FAT_TREE" topo_parameters="2;2;1;1"'), 'topo_parameters="2;2;1;1": must have as many numbers', 4),
    "depth": (HEAD + "".join(f'<zone id="{n}" routing="Full">' for n in range(60)), "<zone>: is nested too deep", 4),
    "length": (full(f'<host id="{"x" * 600_000}" speed="1Gf"/>'), "<host>: is nested too deep, or its attributes are too long", 5),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_simgrid_must_not_get_is_refused_with_its_line(case: str) -> None:
    text, message, line = REFUSED[case]
    with pytest.raises(UserError) as refused:
        rewritten(text)
    refusal = str(refused.value)
    assert refusal.startswith("machine.xml = p.xml: ")
    assert message in refusal
    assert refusal.endswith(f" (p.xml, line {line})")
    assert len(refusal) < 1000


OTHERS = {
    "speed_file": full('<host id="a" speed="1Gf" speed_file="{}"/>'),
    "bandwidth_file": full(HOSTS + LINK.replace("/>", ' bandwidth_file="{}"/>')),
    "latency_file": full(HOSTS + LINK.replace("/>", ' latency_file="{}"/>')),
    "file": full(HOSTS + '<trace id="t" periodicity="1" file="{}"/>'),
    "value": full(
        '<host id="a" speed="1Gf"><disk read_bw="1Bps" write_bw="1Bps"><prop id="content" value="{}"/></disk></host>'
    ),
}
"""Platform files that name another file, by the attribute that names it."""


@pytest.mark.parametrize("attribute", OTHERS)
def test_other_files_are_checked_and_copied(attribute: str, tmp_path: Path) -> None:
    """The other files are beside the platform file, whatever the current folder is."""
    text = "name 5\n" if attribute == "value" else "# profile\nPERIODICITY 3\n0 1\n2 0.5\n"
    (tmp_path / "other").write_text(text)
    found = reading.rewritten(OTHERS[attribute].format("other").encode(), tmp_path / "p.xml", "3.32")
    assert found.files == (text,)
    assert f'{attribute}="{os.path.relpath("/run")}/0"' in found.text_in(Path("/run"))
    assert "other" not in found.text
    with pytest.raises(UserError, match=rf"{attribute} = none: cannot be read: No such file .*p.xml, line 5\)"):
        reading.rewritten(OTHERS[attribute].format("none").encode(), tmp_path / "p.xml", "3.32")
    for wrong in ("root:x:0:0\n", "0 -1\n", "0 1\n\x1b1 1\n"):
        (tmp_path / "other").write_text(wrong)
        with pytest.raises(UserError, match=rf"p.xml: <.*: {attribute} = other: .* \(.*other, line [12]\)"):
            reading.rewritten(OTHERS[attribute].format("other").encode(), tmp_path / "p.xml", "3.32")
    for special in ("/dev/zero", str(tmp_path)):
        with pytest.raises(UserError, match="must be a file"):
            reading.rewritten(OTHERS[attribute].format(special).encode(), tmp_path / "p.xml", "3.32")


def test_options_that_a_platform_file_may_set_name_no_files_and_are_on_the_page() -> None:
    page = (places.TREE / "docs/how-to/own-machine.md").read_text()
    for key, check in OPTIONS.items():
        assert f"`{key}`" in page, key
        for value in ("/tmp/x", "../x", "x y", "x,y", "x\ty", "a:b,tracing:yes", ""):
            assert check(value), (key, value)


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
class TestInRuns:
    @pytest.fixture
    def place(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.chdir(tmp_path)
        return tmp_path

    @staticmethod
    def _run(hypermon: Hypermon, text: str, *words: str, nodes: int = 2) -> subprocess.CompletedProcess[str]:
        Path("p.xml").write_text(text)
        machine = ("--platform", "p.xml", "--set", f"nodes={nodes}", "--set", "monitor=none", "--out", "out")
        return hypermon("run", *(words or ("collection/ring",)), *machine)

    def test_the_simulator_reads_what_was_written_anew_and_nothing_of_it_stays(self, place: Path) -> None:
        odd = (
            "<?xml version='1.0'?><!-- no document type --><platform version='4.1'>"
            + full(HOSTS + LINK + ROUTE)[len(HEAD) :]
        )
        (place / "odd.xml").write_text(odd)
        (place / "good.xml").write_text(GOOD)
        odd_run, good = (
            run("collection/ring", platform=place / f"{name}.xml", nodes=2, monitor="none", out=place / name)
            for name in ("odd", "good")
        )
        assert odd_run.elapsed_s == good.elapsed_s > 0
        assert not list(good.path.glob("*.xml"))

    def test_the_copy_of_another_file_is_what_simgrid_reads(self, place: Path) -> None:
        """The other file's name is relative to the platform file, whatever the current folder is."""
        (place / "far").mkdir()
        (place / "far/slow").write_text("0 1e6\n")
        times = []
        for name, text in (
            ("own", GOOD),
            ("slow", GOOD.replace('latency="1us"/', 'latency="1us" bandwidth_file="slow"/')),
        ):
            (place / "far" / f"{name}.xml").write_text(text)
            machine = {"nodes": 2, "monitor": "none"}
            result = run("collection/ring", platform=place / "far" / f"{name}.xml", settings=machine, out=place / name)
            times.append(result.elapsed_s)
            assert not (result.path / platforms.WRITTEN).exists()
        assert times[1] > 2 * times[0]

    def test_a_worker_that_is_given_no_checked_file_refuses(self, place: Path, worker: Path) -> None:
        (place / "good.xml").write_text(GOOD)
        spec = scenario.find_one("collection/ring").on(place / "good.xml").resolve(workers.schema(), {"nodes": 2})
        (place / "in.json").write_text(spec.to_json())
        done = subprocess.run([worker, "in.json", "--out", "."], capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert "hypermon-sim needs --platform, the file as hypermon has checked it" in done.stderr

    def test_a_file_that_changes_before_the_run_is_refused(self, place: Path) -> None:
        (place / "p.xml").write_text(GOOD)
        spec = scenario.find_one("collection/ring").on(place / "p.xml").resolve(workers.schema(), {"nodes": 2})
        (place / "p.xml").write_text(option("tracing", "yes"))
        platforms._known.clear()
        with pytest.raises(UserError, match="its content has changed since"), platforms.written(spec.values, place):
            pass

    @pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
    def test_a_shared_object_as_platform_is_not_loaded(self, place: Path, hypermon: Hypermon) -> None:
        """SimGrid loads any file whose name ends with .so, and calls a function in it."""
        mark = place / "mark"
        code = f'#include <stdio.h>\n__attribute__((constructor)) static void leave(void) {{ fopen("{mark}", "w"); }}\n'
        (place / "own.c").write_text(code)
        subprocess.run(["cc", "-shared", "-fPIC", "own.c", "-o", "own.so"], check=True)
        (place / "own.yaml").write_text(
            "description: d\nsource: s\nset: {machine: {topology: xml, messages: smpi, xml: own.so}}\n"
        )
        done = hypermon("run", "collection/ring", "--platform", "own.yaml", "--set", "nodes=2", "--out", "out")
        assert done.returncode == 2
        assert "own.so: is not XML" in done.stderr
        assert not mark.exists()

    @pytest.mark.parametrize("case", ["more options in a value", "blank line first", "null byte", "tracing"])
    def test_a_refused_file_ends_the_command_with_status_2_and_leaves_nothing(
        self, case: str, place: Path, hypermon: Hypermon
    ) -> None:
        text, message, line = REFUSED[case]
        done = self._run(hypermon, str(text))
        assert done.returncode == 2
        assert message in done.stderr
        assert f"p.xml, line {line})" in done.stderr
        assert "Traceback" not in done.stderr
        assert [entry.name for entry in place.iterdir()] == ["p.xml"]

    APART = (
        f'{HEAD}<zone id="z" routing="Full">\n<zone id="x" routing="Full"><host id="a" speed="1Gf"/></zone>'
        '<zone id="y" routing="Full"><host id="b" speed="1Gf"/></zone></zone></platform>'
    )

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (full(HOSTS), "has no route from host"),
            (full(HOSTS, "Floyd").replace("\n</zone>", f"{LINK}\n</zone>"), "has no route from host"),
            (full(HOSTS, "None"), 'has no route between hosts of a <zone> with routing="None"'),
            (full(HOSTS, "Cluster"), "has no route from host"),
            (APART, "has no route from host"),
        ],
        ids=["Full", "Floyd", "None", "Cluster", "zones"],
    )
    @pytest.mark.usefixtures("place")
    def test_hosts_without_a_route_are_the_platform_files_mistake(
        self, text: str, message: str, hypermon: Hypermon
    ) -> None:
        done = self._run(hypermon, text)
        assert (done.returncode, message in done.stderr) == (2, True), done.stderr
        assert "p.xml: " in done.stderr
        if "from host" in message:
            assert "host a" in done.stderr
            assert "host b" in done.stderr
            assert "add a <route>" in done.stderr

    @pytest.mark.parametrize(
        ("text", "message", "line"),
        [
            (full(HOSTS + LINK.replace("MBps", "Mbananas") + ROUTE), "unknown unit: Mbananas", 5),
            (full(HOSTS + LINK + ROUTE + "\n" + ROUTE), "already exists", 0),
            (full(HOSTS + LINK + "\n" + ROUTE.replace('"b"', '"c"')), "Route dst='c'", 6),
            (full(HOSTS + "<zone id='y' routing='Full'/>"), "is not allowed here", 5),
        ],
        ids=["unit", "two routes", "no host", "hosts and zones"],
    )
    @pytest.mark.usefixtures("place")
    def test_what_simgrid_refuses_itself_is_the_users_mistake(
        self, text: str, message: str, line: int, hypermon: Hypermon
    ) -> None:
        done = self._run(hypermon, text)
        assert done.returncode == 2
        assert "must be a SimGrid platform: " in done.stderr
        assert message in done.stderr
        assert done.stderr.endswith(f"p.xml, line {line})\n" if line else "(p.xml)\n")

    @pytest.mark.parametrize(
        ("text", "message", "line"),
        [
            ("a\n\nbb\n", "bb: is not a host of machine.xml; the nearest name there is b", 3),
            ("# two nodes\na:two\n", "a:two: must be host or host:N, with a whole number N of nodes", 2),
            ("b:-1\n", "b:-1: must be host or host:N, with a whole number N of nodes", 1),
            (f"a\nb:{2**64}\n", f"b:{2**64}: must be host or host:N, with a whole number N of nodes", 2),
            (f"a\nb:{2**64 - 1}\n", f"b:{2**64 - 1}: must be at most 1048576 nodes in all", 2),
            ("a\nb\0\n", "must be a text without control characters", 2),
            ("a:0\n", "names no host", 0),
            ("# nothing\n", "names no host", 0),
        ],
    )
    def test_a_host_file_that_cannot_be_used_is_told_with_its_line(
        self, text: str, message: str, line: int, place: Path, hypermon: Hypermon
    ) -> None:
        (place / "hosts").write_text(text)
        done = self._run(hypermon, GOOD, "collection/ring", "--set", "machine.hosts=hosts")
        assert done.returncode == 2, done.stderr
        where = f" ({place / 'hosts'}, line {line})" if line else ""
        assert f"machine.hosts = {place / 'hosts'}: {message}{where}" in done.stderr
        assert done.stderr.count("\n") == 1

    def test_computers_beside_the_machine_need_hosts_of_their_own(self, place: Path, hypermon: Hypermon) -> None:
        settings = ("machine.beside=1", "machine.beside_on_network=true", "machine.hosts=hosts")
        beside = ("collection/ring", *(text for setting in settings for text in ("--set", setting)))
        three = GOOD.replace(HOSTS, HOSTS + '<host id="c" speed="1Gf"/>')
        (place / "hosts").write_text("a:2\nb\nc\n")
        done = self._run(hypermon, three, *beside)
        assert done.returncode == 2
        assert "hosts: must name different hosts first: it has 2 hosts, and neighbours and computers" in done.stderr
        (place / "hosts").write_text("c\na\nb\n")
        done = self._run(hypermon, three, *beside)
        assert (done.returncode, "has no route from host" in done.stderr) == (2, True)  # ranks are on c and a

    @pytest.mark.skipif(shutil.which("smpicc") is None, reason="smpicc is not installed")
    def test_files_on_hosts_without_a_disk_are_told_with_a_remedy(self, place: Path, hypermon: Hypermon) -> None:
        (place / "a.c").write_text(
            "#include <mpi.h>\nint main(int c, char** v) { MPI_File f; MPI_Init(&c, &v);\n"
            'MPI_File_open(MPI_COMM_WORLD, "x", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &f); MPI_File_close(&f);\n'
            "return MPI_Finalize(); }\n"
        )
        done = self._run(hypermon, GOOD, "--program", "a.c")
        assert done.returncode == 2, done.stderr
        assert "a rank opens a file on a host that has no disk" in done.stderr
        assert "p.xml" in done.stderr
        assert "mpiio.file_system = ideal" in done.stderr
        assert self._run(hypermon, GOOD, "--program", "a.c", "--set", "mpiio.file_system=ideal").returncode == 0
