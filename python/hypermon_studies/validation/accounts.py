# SPDX-License-Identifier: BSD-3-Clause
"""Accounts of the published numbers that predictions miss: possible causes, and the measurement that would decide."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from hypermon_studies.papers import study as papers
from hypermon_studies.papers.study import Item
from hypermon_studies.validation import counts as published


@dataclass(frozen=True)
class Account:
    """Explanation of numbers and facts of one paper that the predictions miss."""

    paper: str
    subject: str
    numbers: str  # a regular expression for the sentences of these numbers in the list of all numbers
    causes: str  # possible causes that the paper's text leaves open
    decides: str  # the measurement that would decide between them

    def covers(self, item: Item) -> bool:
        return item.paper == self.paper and re.match(self.numbers, item.says) is not None

    def select(self, items: Iterable[Item]) -> list[Item]:
        return [item for item in items if self.covers(item)]


def missed(items: Iterable[Item]) -> list[Item]:
    """The predictions that need an account: numbers far off or outside their intervals, and facts that disagree."""
    predicted = [item for item in items if item.kind in papers.EVIDENCE]
    return [item for item in predicted if item.agrees is False or (item.error is not None and published.is_off(item))]


HYPERMON, HPVM, SCMS = "HYPERMON", "HPVM", "SCMS/RMS"
HDTRACE, TAU = "HDTrace", "TAU over Supermon"

ACCOUNTS = (
    Account(
        HYPERMON,
        "a million software events",
        "a million software events",
        "Section 5.1 runs its own loop. Table 2 runs the instrumented kernel, which also finds the event's data. Two"
        " codes explain both costs. An error in the assumed size of Table 2's records would explain them as well.",
        "The time of a million system calls on one node, with and without the kernel's software records.",
    ),
    Account(
        HYPERMON,
        "two nodes at their maximum rates",
        'two nodes at their maximum rates|"or 3.2 Mbytes',
        "The strobes of two nodes share more windows than random phases give, or two nodes emit more slowly than one"
        " node.",
        "The frame count and the nibble count of the same run. Their ratio is the share of merged windows, and the"
        " nibble count is the rate of the nodes.",
    ),
    Account(
        HYPERMON,
        "Simplex: volume and rate of the hardware monitor",
        "Simplex: hardware (logged|rate), [48] nodes",
        "A limit on the time of polling, a limit on the number of polls that software's times hide, or a tree in which"
        " nodes wait less ([mechanisms](studies/mechanisms.md)).",
        "The number of polls of each node in the recorded trace. A limit gives all nodes of a run nearly the same"
        " number for each pivot. Without a limit the number grows with the node's distance from the owner.",
    ),
    Account(
        HYPERMON,
        "Simplex: periodic rates",
        'Simplex: "the event frame rates follow a periodic',
        "Figure 10 averages over about seven pivots, so the period of a pivot disappears. Something slower repeats in"
        " the real program, such as a refactorization after a number of pivots.",
        "The times of pivots in the recorded trace, or the frame rates of Figure 10 in intervals of 10 ms.",
    ),
    Account(
        HYPERMON,
        "Place: time on 4 nodes",
        "Place: hardware time, 4 nodes",
        "Nodes wait for other nodes' events at synchronisations, or the work of the nodes is uneven. Sequences of moves"
        " between synchronisations explain 8 nodes but not 4 ([mechanisms](studies/mechanisms.md)).",
        "The idle time of each of the 4 nodes, from the context switches in the recorded trace. The number of moves of"
        " each node separates uneven work from waiting.",
    ),
    Account(
        HYPERMON,
        "Place: rates and overrun on 8 nodes",
        '"The sustained hardware recording rate of 2.5|"data overruns occur in real applications',
        "The paper computes 2.5 Mbytes/s from the software volume, because the overrun lost frames. The overrun needs"
        " a program that stays away from the frame FIFO for milliseconds; the paper does not say how long it did.",
        "The times at which the drain program reads the frame FIFO, or its count of frames in each group. The longest"
        " gap between two reads decides the overrun.",
    ),
    Account(
        HYPERMON,
        "Place: random rates, and 16 nodes",
        'Place: "the event rates ... are random"|Place on 16 nodes',
        "The cooling schedule of Place on 16 nodes is not published, and the simulated schedule is too even. The bursts"
        " of 2 to 3 Mbytes/s need cheaper messages than NX/2's published times, or events other than those of updates.",
        "The types of the events in one burst of 20 ms, which say whether updates cause it. The number of accepted"
        " moves and the run time on 16 nodes give the mean rate.",
    ),
    Account(
        HYPERMON,
        "MatMul: time on 4 nodes",
        "MatMul: hardware time, 4 nodes",
        "The interval is narrower than 0.3 % of the time. Two runs of the real program may differ by more than that;"
        " the paper has one run for each cell.",
        "The run time of five repetitions without a monitor.",
    ),
    Account(
        HPVM,
        "collective times of the nodes (Figure 3)",
        "difference between|largest:|least time in collective",
        "Nodes of different speed, other users of some nodes, or columns of uneven work. All simulated nodes are"
        " alike, and panels that are dealt out in turn give even work.",
        "The user CPU time of each rank beside its time in collective calls. With uneven work the sum of both is equal"
        " on all nodes, and CPU time differs. On slower nodes a single rank also needs more than 831 s.",
    ),
    Account(
        HPVM,
        "12 nodes (Figure 2)",
        '12 nodes: "to 102|"around 20% of the runtime',
        "80 % of 102 s outside collective calls are 979 s of work on 12 nodes, against 831 s on one node. No"
        " distribution of the columns increases work. Slower nodes or other users of the four further nodes would.",
        "The run time of Cholesky on each of the 12 nodes alone.",
    ),
    Account(
        HPVM,
        "network contention",
        "network contention",
        "Blocked messages that keep the links behind them (wormhole routing), switches with fewer cables between them"
        " than"
        " assumed, or a neighbour on more hosts. The simulated links divide their bandwidth evenly"
        " without blocking. The known facts about the network do not state its topology, on which blocking depends.",
        "The routes of Cholesky's 8 hosts and of the neighbour's hosts, and the bandwidth of one pair of hosts whose"
        " route shares a single cable with the neighbour. Even division leaves such a pair a fair share; blocking"
        " leaves it less, and also slows pairs whose routes share no cable with the neighbour.",
    ),
    Account(
        SCMS,
        "least loaded node, 1 to 4 nodes, and the minimum near 10 nodes",
        'least loaded node, [124] nodes?|"quite high for a small number',
        "The paper names the overhead of the hierarchy. A cost that each call or each node has once cannot explain it:"
        " a call of two nodes begins like a call of one node, so it cannot end earlier. Explanations that remain are a"
        " wait that messages of other nodes end (a daemon that polls, a delayed acknowledgement), and an order of"
        " measurements in which early runs pay for cold caches of diskless nodes"
        " ([few nodes](studies/scms.md#few-nodes)).",
        "The time of each of the 3 to 5 repetitions on one node. Multiples of 40 ms show delayed acknowledgements,"
        " evenly spread times show polling, and a slow first repetition shows cold caches. A second measurement from 8"
        " nodes down to one separates the order from the number of nodes.",
    ),
    Account(
        SCMS,
        "least loaded node, 32 nodes (Table 1)",
        "least loaded node, 32 nodes",
        "The scheduler sends requests without waiting for each reply, or one SMA has at least 32 agents. Both give"
        " nearly the published time ([pipelined requests](studies/scms.md#pipelined-requests-and-answers)).",
        "The number of agents under each SMA. The time of a call for one node behind an inner SMA gives the cost of a"
        " level of the tree.",
    ),
    Account(
        SCMS,
        "11 KB of each node, 32 nodes (Table 2)",
        "SCMS/RMS, 32 nodes",
        "Answers leave an SMA in parts while others arrive, or all 32 nodes have one SMA and the client does not"
        " interpret all bytes. Parts give nearly the published time with constants of 8 and 16 nodes.",
        "The arrival times of the client's segments during one call. With parts, data of the first nodes arrive while"
        " other nodes still send. The number of agents under each SMA excludes the other cause.",
    ),
    Account(
        SCMS,
        "PCP, 32 nodes",
        "PCP, 32 nodes",
        "A cost for each open connection, or a block that grows with each fetched host ([PCP](design/pcp.md)).",
        "The time of each host within one fetch. With a cost for each connection the first host is as slow as the"
        " last one.",
    ),
    Account(
        HDTRACE,
        "checkpoints, pending operations and stalls",
        '"up to 8 concurrent|"short phases of stalled|"while the original run is|"An I/O checkpoint takes',
        "The real disk or its cache is sometimes slower than the network. A disk of 60 MiB/s gives the published"
        " number of pending operations and a stall; the paper does not say what made it slow.",
        "The rate of the servers' local file system in a sequential write as large as a checkpoint, and the duration of"
        " each TROVE operation in the published trace.",
    ),
    Account(
        HDTRACE,
        "first 4 bytes",
        '"and 1.02ms for the first 4 bytes"',
        "1.02 ms is less than four edges of 0.2875 ms, which the published configuration has. A misprint or another"
        " configuration explains it.",
        "The configuration file of that simulation.",
    ),
    Account(
        HDTRACE,
        "writing the diagonal",
        '"the time to write out the matrix diagonal|"to 3.4 ms"|"with an average of 69 ms"',
        "The cost of a small operation in PVFS is calibrated for none of these numbers. The kernel's TCP and the"
        " server's event loop are not described.",
        "The duration of one write of 4 bytes on the real machine. 126 of them are the diagonal without the hint.",
    ),
    Account(
        HDTRACE,
        "the diagonal in 3 ms",
        '"writing out the matrix diagonal could finish in 3ms"',
        "The paper prints 3 ms in whole milliseconds here, and 3.01 ms in section 7. The second one lies in the"
        " interval.",
        "None is necessary: both sentences describe one result.",
    ),
    Account(
        TAU,
        "post mortem, 512 ranks",
        "post mortem:.*N=512",
        "An LU that gains more from its cache at 512 ranks than assumed, timers that cost more with shorter iterations,"
        " or interrupts of the operating system that hit more ranks. Processes that wait for the only clock of their"
        " node explain a part ([a shared clock](studies/tau.md#a-shared-clock)).",
        "The run time of LU without instrumentation at 512 ranks, which Figure 2 draws without a number. Its ratio to"
        " the time at 128 ranks says whether LU is faster or its timers are slower than predicted. The cost of"
        " gettimeofday on one core and on all eight cores at once decides about the clock.",
    ),
    Account(
        TAU,
        "MCR",
        'MCR: "LU-(NFS|ToS)',
        "MCR's file server was about twice as fast as Atlas's, and its write into the monhole several times as fast;"
        " both are"
        " computed with Atlas's costs.",
        "The time of one create and one rename over NFS on MCR, and of one write to the monhole.",
    ),
    Account(
        TAU,
        "shares of the system calls (Table 1)",
        "(writev|write|close|select|open|rename): share of the time",
        "The simulated close waits longer behind other processes' changes of the directory. A server that writes data"
        " beside its journal, or that has more threads, would answer a close earlier. The differences of write and"
        " writev are at most 0.07 s of 26 s, which is within the scatter of two runs.",
        "The number of the server's threads, and the waiting time of WRITE requests at the server.",
    ),
)
