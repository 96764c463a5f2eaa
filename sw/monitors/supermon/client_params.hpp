// SPDX-License-Identifier: BSD-3-Clause
// Parameters of Supermon's clients.
#pragma once
#include "base/field.hpp"
#include "base/quantity.hpp"
#include "base/several.hpp"
#include "sw/monitors/supermon/core/combined.hpp"
#include "sw/monitors/supermon/core/sampling.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

/// Queries of clients to the root: their contents and times.
struct SupermonClientParams {
  std::int64_t count = 1;
  std::int64_t clients = 1;
  std::string place;
  Seconds period_s = 1;
  Seconds begin_s = 1;
  Seconds end_s = 0;
  std::string nodes = "all";
  std::string counters = "all";
  bool monhole = true;
  double share = 1;
  supermon::NodeSampling sampling = supermon::NodeSampling::random;
  supermon::Combining combine = supermon::Combining::none;
  Nanoseconds byte_ns = 0;
  bool log = false;
};
using SupermonClientSection = Several<SupermonClientParams>;

constexpr auto fields_of(const SupermonClientParams*) {
  using P = SupermonClientParams;
  return fields(
      Field{"count", &P::count, range(1, 64), "kinds",
            "Number of kinds of Supermon clients; supermon_client[1].period_s belongs to the second kind.", "chosen"}
          .same_of_all(),
      Field{"clients", &P::clients, range(1, 1000), "",
            "Number of Supermon clients of this kind, each with its own connection.", "chosen"},
      Field{"place", &P::place, any_value(), "",
            "Computer that runs the Supermon client: beside (the first one beside the machine) or a node's number. "
            "Empty: beside, if the network reaches such a computer; otherwise node 0.",
            "ToS sec. 3: anywhere on the network"},
      Field{"period_s", &P::period_s, range(1e-6, 1e6),
            "Time between two queries of the Supermon client. A query that is due while the previous one is unanswered "
            "is missed.",
            "ToS sec. 5: 1 Hz"},
      Field{"begin_s", &P::begin_s, range(0, 1e6), "Time of the Supermon client's first query.", "chosen"},
      Field{"end_s", &P::end_s, range(0, 1e6),
            "Time after which the Supermon client makes no query. 0: it goes on to the end of the run.", "chosen"},
      Field{"nodes", &P::nodes, any_value(), "",
            "Nodes that the Supermon client queries: all, or numbers and ranges like 0,4-7.", "chosen"},
      Field{"counters", &P::counters, any_value(), "",
            "Counters that the Supermon client queries: all of supermon.counters, some of them, or none.",
            "Supermon's site: mon remembers the data that each client wants"},
      Field{"monhole", &P::monhole, any_value(), "",
            "Let the Supermon client query the contents of the monholes, the node daemons' inlets, too.",
            "ToS sec. 3.3"},
      Field{"share", &P::share, range(1e-6, 1), "",
            "Share of the Supermon client's nodes, rounded up, that one query covers. 1: all of them. A smaller share "
            "costs less and leaves values stale for longer.",
            "ToS sec. 7: fewer nodes touched per query, by sampling"},
      Field{"sampling", &P::sampling,
            "Choice of nodes with supermon_client.share below 1. random: drawn for each query. rotate: the next ones "
            "in order.",
            "chosen"},
      Field{"combine", &P::combine,
            "Reduction in the supermons over all nodes below them. none: all values are passed on. sum, mean, min, "
            "max: one number per counter, and per routine of profiles.",
            "ToS sec. 7: less data per node, by aggregation"},
      Field{"byte_ns", &P::byte_ns, range(0, 1e9),
            "Time in which the Supermon client processes one byte of an answer, in addition to parsing it. It sends no "
            "query meanwhile; a larger value models a slow sink.",
            "chosen: a slow sink has more"},
      Field{"log", &P::log, any_value(), "",
            "Write the Supermon client's answers to answers/client0.sexp in the run directory, one line each: (at "
            "TIME_PS ANSWER).",
            "chosen"});
}
static_assert(all_members_described<SupermonClientParams>());

} // namespace hypermon
