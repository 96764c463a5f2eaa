# SPDX-License-Identifier: BSD-3-Clause
"""The keys of the output of `hypermon compare --json`. docs/reference/sizing.md lists them, too."""

from hypermon._engine.sizing.keys import Key

COMPARE = (
    Key("kind", "", "runs, or designs (over programs)."),
    Key("compared[]", "", "In the order given; differences are to the first."),
    Key("compared[].name", "", "Of the folder, or its path."),
    Key("compared[].scenario", "", "Of runs: what was run."),
    Key("compared[].workload", "", "Of runs."),
    Key("compared[].nodes", "", "Of runs."),
    Key("compared[].monitor", "", "Of runs."),
    Key("compared[].fingerprint", "", "Of runs: equal if the nodes did exactly the same."),
    Key("compared[].specification", "", "Of runs: hash of all parameters."),
    Key("compared[].command", "", "Of designs: the study that was made of it."),
    Key("notes[]", "", "What to know, in sentences: that programs differ, say."),
    Key("parameters[]", "", "Those that differ; of designs those of all programs."),
    Key("parameters[].path", "", "Of the parameter."),
    Key("parameters[].unit", "", "Of its values."),
    Key("parameters[].values[]", "unit", "One for each of compared; null: not said, of one of several."),
    Key("results[]", "", "Of runs all numbers of the results, the main ones first; of designs some of each program."),
    Key("results[].program", "", "Of designs."),
    Key("results[].nodes", "", "Of designs."),
    Key("results[].path", "", "Of the result, or a name of its own if it is computed from several."),
    Key("results[].label", "", "In words."),
    Key("results[].group", "", "What a main result of runs tells about, such as losses; null: the others."),
    Key("results[].unit", "", "Of values and differences; share: 0 to 1."),
    Key("results[].values[]", "unit", "One for each of compared; null: has none."),
    Key("results[].differences[]", "unit", "Each less the first; null: no numbers."),
    Key("results[].relative[]", "", "The same over the first; null: no numbers, or the first is 0."),
    Key("results[].better", "", "less, more; null: not known, or not judged of these."),
    Key("results[].best[]", "", "Names of those that are better than another; empty: all are as good."),
)
