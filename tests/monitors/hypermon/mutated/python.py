# SPDX-License-Identifier: BSD-3-Clause
"""Mutations of the HYPERMON monitor's part of the Python package: each breaks one rule on purpose."""

from tests.mutation.mutation import Mutation

MUTATIONS: tuple[Mutation, ...] = (
    Mutation(
        "A rate is rounded to a time only if the time gives the rate in all written digits",
        "_model/units.py",
        "<= last_digit / 2:",
        "<= last_digit * 2:",
        ("monitors/hypermon/python/test_units_of_words.py",),
        in_ci=True,
    ),
    Mutation(
        "A file that SHA256SUMS does not list is damaged",
        "_files/sums.py",
        "digests.get(name) != _digest(content)",
        "digests.get(name, _digest(content)) != _digest(content)",
        ("monitors/hypermon/python/test_checksums.py::test_a_file_that_the_checksums_leave_out_is_damaged",),
    ),
    Mutation(
        "A result is read through its checksum",
        "_model/result.py",
        "sums.read(folder, RESULT, AGAIN, known)",
        "(folder / RESULT).read_bytes()",
        ("monitors/hypermon/python/test_checksums.py::test_a_result_that_was_changed_is_refused_by_name",),
    ),
    Mutation(
        "A folder that contains an input is not replaced",
        "_files/files.py",
        "(target == source or target in source.parents)",
        "target == source",
        ("monitors/hypermon/python/test_checksums.py",),
    ),
    Mutation(
        "A batch of a recording contains its number",
        "_engine/recording.py",
        '{b"batch": b"%d" % number,',
        '{b"batch": b"0",',
        ("monitors/hypermon/python/test_checksums.py::test_a_batch_in_another_s_place_is_noticed",),
    ),
    Mutation(
        "A recording's description has a checksum",
        "_engine/recording.py",
        "self._crc != _hex(_crc_of_metadata(metadata))",
        "not self._crc",
        ("monitors/hypermon/python/test_checksums.py::test_a_changed_bit_of_a_recording_is_noticed",),
    ),
    Mutation(
        "A limit applies to the simulated time, which may end after the program",
        "_engine/limits.py",
        "if 0 < self._simulated_s < max(now_ps, end_ps) * 1e-12:",
        "if 0 < self._simulated_s < now_ps * 1e-12:",
        ("monitors/hypermon/python/test_limits.py::test_a_replay_is_held_to_the_limits_of_its_run",),
    ),
    Mutation(
        "Windows that a full frame FIFO stalls count in its long-run load",
        "monitors/hypermon/load.py",
        'if run.spec["ecb"]["frame_fifo_full"] == "stall" and run.elapsed_s:',
        'if run.spec["ecb"]["frame_fifo_full"] == "none":',
        ("monitors/hypermon/python/test_size_targets.py",),
    ),
    Mutation(
        "A target may be met exactly",
        "_engine/sizing/targets.py",
        "value > self.limit",
        "value >= self.limit",
        ("monitors/hypermon/python/test_size_targets.py",),
    ),
    Mutation(
        "An undefined number misses its target",
        "_engine/sizing/targets.py",
        "return value is None or value > self.limit",
        "return value is not None and value > self.limit",
        ("monitors/hypermon/python/test_size_targets.py",),
    ),
    Mutation(
        "The timestamp error is the larger of the errors in both directions",
        "_engine/sizing/targets.py",
        "max(-found[0], found[1])",
        "found[1]",
        ("monitors/hypermon/python/test_size_targets.py",),
    ),
)
