# SPDX-License-Identifier: BSD-3-Clause
"""Small profiles as TAU and its older versions write them."""

OURS = (
    "2 templated_functions_MULTI_TIME\n"
    "# Name Calls Subrs Excl Incl ProfileCalls # <metadata><attribute><name>Hostname</name><value>a&amp;b</value>"
    "</attribute></metadata>\n"
    '".TAU application" 1 2 1500 2000000 0 GROUP="TAU_DEFAULT" \n'
    '"EXCHANGE [THROTTLED]" 7 3 1E-06 123.456789 0 GROUP="TAU_DISABLE" \n'
    "0 aggregates\n"
)
OLD = (  # of a TAU of 2004: no metric, no metadata, no groups
    "1 templated_functions\n"
    "# Name Calls Subrs Excl Incl ProfileCalls\n"
    '"main int (int, char **)" 1 5 1.2E+03 3.4 0 \n'
    "0 aggregates\n"
)
OTHERS = (  # with events, another metric, and no blank before the metadata
    "1 templated_functions_MULTI_GET_TIME_OF_DAY\n"
    "# Name Calls Subrs Excl Incl ProfileCalls<metadata></metadata>\n"
    '"MPI_Send()" 4 0 10 10 0 GROUP="MPI"\n'
    "0 aggregates\n"
    "1 userevents\n"
    "# eventname numevents max min mean sumsqr\n"
    '"Message size sent to all nodes" 4 800 8 404 1.2E+06\n'
)
