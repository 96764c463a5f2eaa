# SPDX-License-Identifier: BSD-3-Clause
"""The keys of the output of `hypermon size --json`. docs/reference/sizing.md is generated from them."""

from __future__ import annotations

from typing import NamedTuple


class Key(NamedTuple):
    path: str  # `[]` stands for the entries of a list, `<name>` for the keys of a mapping with free names
    unit: str
    description: str


_LONG_RUN = (
    ("per_s", "unit/s", "Average rate of arrivals at the monitor's buffer."),
    (
        "capacity_per_s",
        "unit/s",
        "Largest sustained rate at which the buffer can be emptied; null if there is no limit.",
    ),
    ("unit", "", "Unit of the two rates, in the plural."),
    ("load", "", "Rate of arrivals divided by that capacity."),
    (
        "lasts",
        "",
        "True if some depth is enough in the long run; false if the value is enough only for a run of this length.",
    ),
)


def _long_run(prefix: str, where: str) -> tuple[Key, ...]:
    about = Key(f"{prefix}long_run", "", f"{where}; null if it was not evaluated, or the monitor has none.")
    return about, *(Key(f"{prefix}long_run.{name}", unit, text) for name, unit, text in _LONG_RUN)


SIZE = (
    Key("scenario", "", "Name of the scenario that was run or recorded."),
    Key("parameter", "", "Path of the sized parameter."),
    Key(
        "value",
        "unit",
        "Cheapest sufficient value of the sized parameter; null if no tried value meets the targets (exit status 1).",
    ),
    Key("unit", "", "Unit of the sized parameter."),
    Key(
        "settings",
        "",
        "Values of all varied parameters in the cheapest design that meets the targets; empty if there is none.",
    ),
    Key("settings.<parameter>", "", "Value of that parameter."),
    Key("design", "", "All parameters of the answer's design, for `hypermon rtl`; null without an answer."),
    Key("design.<parameter>", "", "Value of the parameter with this path."),
    Key(
        "margins[]",
        "",
        "Margins to the targets, in the order of the request. Without an answer they are those of the nearest design.",
    ),
    Key("margins[].target", "", "Name of the target."),
    Key("margins[].limit", "unit", "Largest permitted value; a share from 0 to 1 if `share_of` is not empty."),
    Key("margins[].unit", "", "Unit of limit, value, margin and next_cheaper."),
    Key(
        "margins[].share_of",
        "",
        "Amount that the share relates to: data, events or another; empty if the limit is no share.",
    ),
    Key("margins[].value", "unit", "Value with the answer, the worst of all seeds; null if no event arrived."),
    Key("margins[].margin", "unit", "Limit minus value."),
    Key("margins[].relative_margin", "", "Margin divided by limit; null if the limit is 0."),
    Key(
        "margins[].next_cheaper",
        "unit",
        "Value with the next cheaper size; null if there is no cheaper size or no event arrives.",
    ),
    Key("margins[].binds", "", "True if the next cheaper size misses this target."),
    Key("next_cheaper", "unit", "Next cheaper value of the sized parameter; null if there is none."),
    *_long_run("", "Load of the monitor with the answer"),
    Key("quantile", "", "Share of runs for which the value is enough."),
    Key("confidence", "", "Confidence of the statement about that share of runs."),
    Key("bounded", "", "True if there are enough repeats for that statement."),
    Key("per_seed", "", "Cheapest sufficient value of the sized parameter, by seed."),
    Key("per_seed.<seed>", "unit", "Value for that seed; null if no value meets the targets."),
    Key("cost", "cost_unit", "Cost of the answer; null if no cost was requested."),
    Key("cost_unit", "", "Unit of the cost; empty if it is unknown."),
    Key("best_loss", "", "Least share of lost data among all evaluated designs, as the mean over the seeds."),
    Key("notes[]", "", "Further remarks, in sentences."),
    Key(
        "frontier[]",
        "",
        "Cheapest sufficient value of the sized parameter for each choice of the other varied parameters.",
    ),
    Key(
        "frontier[].settings",
        "",
        "Values of all varied parameters; without the sized one if no value meets the targets.",
    ),
    Key("frontier[].settings.<parameter>", "", "Value of that parameter."),
    Key("frontier[].reached", "", "True if a value of the sized parameter meets the targets."),
    Key(
        "frontier[].cost",
        "cost_unit",
        "Cost of this design; null if no cost was requested or no value meets the targets.",
    ),
    Key("frontier[].per_seed", "", "Cheapest sufficient value of the sized parameter beside this choice, by seed."),
    Key("frontier[].per_seed.<seed>", "unit", "Value for that seed; null if no value meets the targets."),
    *_long_run("frontier[].", "Load of the monitor, for the seed with the largest load"),
    Key("probes[]", "", "Every evaluated design, with each of its seeds."),
    Key("probes[].settings", "", "Values of the varied parameters."),
    Key("probes[].settings.<parameter>", "", "Value of that parameter."),
    Key("probes[].seed", "", "Seed of the run."),
    Key("probes[].loss", "", "Share of the data that was lost."),
    Key("probes[].numbers", "", "Results by target; those that were not evaluated are missing."),
    Key("probes[].numbers.<target>", "unit of the target", "Result of that target; null if no event arrived."),
    *_long_run("probes[].", "Load of the monitor"),
)
