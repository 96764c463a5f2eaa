# SPDX-License-Identifier: BSD-3-Clause
"""The keys of the output of `hypermon size --json`. docs/reference/sizing.md is generated from them."""

from __future__ import annotations

from typing import NamedTuple


class Key(NamedTuple):
    path: str  # `[]` stands for the entries of a list, `<name>` for the keys of a mapping with free names
    unit: str
    description: str


_LONG_RUN = (
    ("per_s", "unit/s", "That come to the monitor's buffer on average."),
    ("capacity_per_s", "unit/s", "That can be taken out of it for ever; null: no limit."),
    ("unit", "", "What is counted."),
    ("load", "", "The one over the other."),
    ("lasts", "", "Can some depth be enough for ever? If not, this is for a run of this length only."),
)


def _long_run(prefix: str, where: str) -> tuple[Key, ...]:
    about = Key(f"{prefix}long_run", "", f"{where}; null if it was not looked at, or the monitor has no such.")
    return about, *(Key(f"{prefix}long_run.{name}", unit, text) for name, unit, text in _LONG_RUN)


SIZE = (
    Key("scenario", "", "What was run or recorded."),
    Key("parameter", "", "The sized one."),
    Key("value", "unit", "The answer; null if no value that was looked at meets the targets (exit status 1)."),
    Key("unit", "", "Of the parameter."),
    Key("settings", "", "All varied parameters in the cheapest design that meets the targets; empty without one."),
    Key("settings.<parameter>", "", "By its path."),
    Key("design", "", "All parameters of the answer's design, for `hypermon rtl`; null without an answer."),
    Key("design.<parameter>", "", "Value of the parameter with this path."),
    Key("margins[]", "", "A target each, in the order asked for; without an answer those of the nearest design."),
    Key("margins[].target", "", "Its name."),
    Key("margins[].limit", "unit", "What may be at most; a share from 0 to 1 if `share_of` says of what."),
    Key("margins[].unit", "", "Of limit, value, margin and next_cheaper."),
    Key("margins[].share_of", "", "What the share is of: data, events, ...; empty: no share."),
    Key("margins[].value", "unit", "What the answer has, of several seeds the worst; null: no event arrived."),
    Key("margins[].margin", "unit", "Limit less value."),
    Key("margins[].relative_margin", "", "Margin over limit; null if the limit is 0."),
    Key("margins[].next_cheaper", "unit", "What the next cheaper value would have; null: none, or no event arrives."),
    Key("margins[].binds", "", "Would the next cheaper value miss this target?"),
    Key("next_cheaper", "unit", "The next cheaper value of the parameter; null if there is none."),
    *_long_run("", "In the long run, with the answer"),
    Key("quantile", "", "Share of runs for which the value is enough."),
    Key("confidence", "", "With which that is so."),
    Key("bounded", "", "Are there enough repeats to say so?"),
    Key("per_seed", "", "What the run of each seed needs."),
    Key("per_seed.<seed>", "unit", "Null: no value meets the targets."),
    Key("cost", "cost_unit", "Of the answer; null if no cost was asked for."),
    Key("cost_unit", "", "Where it is known."),
    Key("best_loss", "", "Least share of the data lost of all that was looked at, mean over the seeds."),
    Key("notes[]", "", "What else to know, in sentences."),
    Key("frontier[]", "", "The least of the parameter for each choice of the others."),
    Key("frontier[].settings", "", "All varied parameters; without the sized one if no value meets the targets."),
    Key("frontier[].settings.<parameter>", "", "By its path."),
    Key("frontier[].reached", "", "Does any value meet the targets?"),
    Key("frontier[].cost", "cost_unit", "Null: not asked for, or not reached."),
    Key("frontier[].per_seed", "", "As above."),
    Key("frontier[].per_seed.<seed>", "unit", "As above."),
    *_long_run("frontier[].", "In the long run, of the seed that loads it most"),
    Key("probes[]", "", "Every design that was looked at."),
    Key("probes[].settings", "", "The varied parameters."),
    Key("probes[].settings.<parameter>", "", "By its path."),
    Key("probes[].seed", "", "Of the run."),
    Key("probes[].loss", "", "Share of the data that was lost."),
    Key("probes[].numbers", "", "By target, as far as it was looked at."),
    Key("probes[].numbers.<target>", "unit of the target", "Null: no event arrived."),
    *_long_run("probes[].", "In the long run"),
)
