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
    ("unit", "", "Units that arrive at the monitor's buffer, such as samples."),
    (
        "load",
        "",
        "Average rate of arrivals at the monitor's buffer, divided by the largest sustained rate at which it can be "
        "emptied.",
    ),
    (
        "lasts",
        "",
        "True if some buffer depth is enough for runs of any length (load at most 1); false if the depth must grow"
        " with the run's length.",
    ),
)


def _long_run(prefix: str, where: str) -> tuple[Key, ...]:
    about = Key(f"{prefix}long_run", "", f"{where}; null if no load was computed, or the monitor has no such load.")
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
    Key("settings.<parameter>", "", "Value of the varied parameter with this path, in the cheapest design."),
    Key("design", "", "All parameters of the answer's design, for `hypermon rtl`; null without an answer."),
    Key("design.<parameter>", "", "Value of the parameter with this path."),
    Key(
        "margins[]",
        "",
        "Margins to the targets, in the order of the request. Without an answer they are those of the nearest design.",
    ),
    Key("margins[].target", "", "Name of the target."),
    Key("margins[].limit", "unit", "Limit of the target; a share from 0 to 1 if `share_of` is not empty."),
    Key("margins[].unit", "", "Unit of the target's limit, value, margin and next_cheaper."),
    Key(
        "margins[].share_of",
        "",
        "Quantity of which the limit is a share: data, events or another; empty if the limit is not a share.",
    ),
    Key(
        "margins[].value",
        "unit",
        "Result of the answer's design, the worst of all seeds; null if no event arrived.",
    ),
    Key("margins[].margin", "unit", "Limit of the target minus the result."),
    Key("margins[].relative_margin", "", "Margin divided by the limit; null if the limit is 0."),
    Key(
        "margins[].next_cheaper",
        "unit",
        "Result with the next cheaper value of the sized parameter; null if there is none or no event arrived.",
    ),
    Key("margins[].binds", "", "True if the next cheaper value of the sized parameter misses this target."),
    Key("next_cheaper", "unit", "Next cheaper value of the sized parameter; null if there is none."),
    *_long_run("", "Long-term load of the monitor's buffer in the answer's design"),
    Key("quantile", "", "Share of runs for which the value is enough."),
    Key("confidence", "", "Confidence with which the value is enough for the share `quantile` of the runs."),
    Key("bounded", "", "True if the repeats suffice for the requested quantile and confidence."),
    Key("per_seed", "", "Cheapest sufficient value of the sized parameter, by seed."),
    Key("per_seed.<seed>", "unit", "Cheapest sufficient value for this seed; null if no value meets the targets."),
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
    Key("frontier[].settings.<parameter>", "", "Value of the varied parameter with this path."),
    Key("frontier[].reached", "", "True if a value of the sized parameter meets the targets."),
    Key(
        "frontier[].cost",
        "cost_unit",
        "Cost of the design; null if no cost was requested or no value meets the targets.",
    ),
    Key(
        "frontier[].per_seed",
        "",
        "Cheapest sufficient value of the sized parameter with this choice of the others, by seed.",
    ),
    Key(
        "frontier[].per_seed.<seed>",
        "unit",
        "Cheapest sufficient value for this seed; null if no value meets the targets.",
    ),
    *_long_run("frontier[].", "Long-term load of the monitor's buffer, for the seed with the largest load"),
    Key("probes[]", "", "Every evaluated design, with each of its seeds."),
    Key("probes[].settings", "", "Values of the varied parameters in the evaluated design."),
    Key("probes[].settings.<parameter>", "", "Value of the varied parameter with this path."),
    Key("probes[].seed", "", "Seed of the evaluated design's run."),
    Key("probes[].loss", "", "Share of the data that the evaluated design lost."),
    Key("probes[].numbers", "", "Results by target; those that were not evaluated are missing."),
    Key(
        "probes[].numbers.<target>",
        "unit of the target",
        "Result that this target limits; null if no event arrived.",
    ),
    *_long_run("probes[].", "Long-term load of the monitor's buffer in the evaluated design"),
)
