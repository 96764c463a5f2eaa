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

/// Who asks the root for what, and when.
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
            "Kinds of clients: supermon_client[1].period_s is a parameter of the second one.", "chosen"}
          .same_of_all(),
      Field{"clients", &P::clients, range(1, 1000), "", "So many of that kind, each with a connection of its own.",
            "chosen"},
      Field{"place", &P::place, any_value(), "",
            "Where it runs: beside, the first computer beside the machine, or a node's number; empty: beside if the "
            "network reaches one there, else node 0.",
            "ToS sec. 3: anywhere on the network"},
      Field{"period_s", &P::period_s, range(1e-6, 1e6),
            "From one query to the next. A date that passes while a query is not answered is missed.",
            "ToS sec. 5: 1 Hz"},
      Field{"begin_s", &P::begin_s, range(0, 1e6), "Of the first query.", "chosen"},
      Field{"end_s", &P::end_s, range(0, 1e6), "No query after that; 0: to the end of the run.", "chosen"},
      Field{"nodes", &P::nodes, any_value(), "", "That it asks for: all, or numbers and ranges like 0,4-7.", "chosen"},
      Field{"counters", &P::counters, any_value(), "",
            "That it asks for: all of supermon.counters, some of them, or none.",
            "Supermon's site: mon keeps of each client which data it wants"},
      Field{"monhole", &P::monhole, any_value(), "", "It asks for what is in the monholes, too.", "ToS sec. 3.3"},
      Field{"share", &P::share, range(1e-6, 1), "", "Of its nodes, rounded up, that one query is for; 1: all of them.",
            "ToS sec. 7: fewer nodes touched per query, by sampling"},
      Field{"sampling", &P::sampling,
            "With share below 1, which nodes. random: drawn for each query. rotate: the next ones, in their order.",
            "chosen"},
      Field{"combine", &P::combine,
            "What supermons make of the values of all nodes below them: none: they are passed on. Else one number for "
            "each counter, and of profiles for each routine: sum, mean, min or max.",
            "ToS sec. 7: less data per node, by aggregation"},
      Field{"byte_ns", &P::byte_ns, range(0, 1e9),
            "What the client does with each byte of an answer, beside parsing it: time in which it asks for nothing.",
            "chosen: a slow sink has more"},
      Field{"log", &P::log, any_value(), "",
            "Its answers are kept in the run directory, answers/client0.sexp: a line each, (at DATE_PS ANSWER).",
            "chosen"});
}
static_assert(all_members_described<SupermonClientParams>());

} // namespace hypermon
