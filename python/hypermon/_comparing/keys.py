# SPDX-License-Identifier: BSD-3-Clause
"""The keys of the output of `hypermon compare --json`. docs/reference/sizing.md lists them, too."""

from hypermon._engine.sizing.keys import Key

COMPARE = (
    Key("kind", "", "`runs`, or `designs` for designs that are compared over programs."),
    Key("compared[]", "", "Compared runs or designs, in the order of the request. The first is the reference."),
    Key("compared[].name", "", "Name of the folder, or its path where names would be equal."),
    Key("compared[].scenario", "", "Name of the run's scenario; missing for designs."),
    Key("compared[].workload", "", "Workload of the run; missing for designs."),
    Key("compared[].nodes", "", "Number of nodes of the run; missing for designs."),
    Key("compared[].monitor", "", "Monitor of the run; missing for designs."),
    Key(
        "compared[].fingerprint",
        "",
        "Fingerprint of the run; equal if the nodes did exactly the same. Missing for designs.",
    ),
    Key("compared[].specification", "", "Hash of all parameters of the run; missing for designs."),
    Key("compared[].command", "", "Command of the study that evaluated the design; missing for runs."),
    Key("notes[]", "", "Further remarks, in sentences, for example that the programs differ."),
    Key("parameters[]", "", "Parameters that differ between the runs, or between the designs for every program."),
    Key("parameters[].path", "", "Path of the parameter."),
    Key("parameters[].unit", "", "Unit of the parameter's values."),
    Key(
        "parameters[].values[]",
        "unit",
        "Values of the parameter, one for each compared run or design; null if it does not have the parameter.",
    ),
    Key(
        "results[]",
        "",
        "Results: all numbers of the runs, the main ones first; or some numbers of each program under each design.",
    ),
    Key("results[].program", "", "Program of the result; missing for runs."),
    Key("results[].nodes", "", "Number of nodes of the program; missing for runs."),
    Key("results[].path", "", "Path of the result, or a name if it is computed from several."),
    Key("results[].label", "", "Name of the result for a reader, such as median latency."),
    Key("results[].group", "", "Subject of a main result of runs, such as losses; null for other results."),
    Key("results[].unit", "", "Unit of the result's values and differences; `share` stands for numbers from 0 to 1."),
    Key(
        "results[].values[]", "unit", "Values of the result, one for each compared run or design; null if it has none."
    ),
    Key(
        "results[].differences[]",
        "unit",
        "Values minus the first value; null if one of the two is missing or not a number.",
    ),
    Key(
        "results[].relative[]",
        "",
        "Differences divided by the first value; null if one of the two is missing or not a number, or the first is 0.",
    ),
    Key("results[].better", "", "Better direction, `less` or `more`; null if it is unknown or not judged here."),
    Key("results[].best[]", "", "Names of the best runs or designs; empty if all are equally good or none is judged."),
)
