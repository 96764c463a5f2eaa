// SPDX-License-Identifier: BSD-3-Clause
#include "base/parts.hpp"
#include "base/spec.hpp"
#include "hw/machine/several.hpp"
#include "sw/monitors/supermon/client_params.hpp"
#include "sw/monitors/supermon/design_of.hpp"
#include "sw/monitors/supermon/monhole/monhole_part.hpp"
#include "sw/monitors/supermon/params.hpp"

#include <utility>

namespace hypermon {
namespace {

/// All that can be known before there is a machine.
void check_supermon(const Spec& spec) {
  if (spec.monitor == "supermon") supermon::check_supermon(spec);
}

ResultKeys supermon_results() {
  ResultKeys keys{
      {"root", "", "where the root runs.", result::text},
      {"depth", "", "levels of supermons above the mons."},
      {"busiest_mon_cpu_s", "s", "CPU time of the mon that had most."},
      {"longest_queue", "messages", "that waited at a process."},
      {"longest_queue_s", "s", "when that was; null if none ever waited.", result::or_null()},
      {"queries", "", "that supermons were asked, by clients and by each other."},
      {"timeouts", "", "daemons that a supermon has waited for in vain."},
      {"burials", "", "daemons that a supermon took for dead."},
      {"adoptions", "", "daemons that a supermon has taken over from a dead one."},
      {"late_answers", "", "that came to a supermon when their query was over."},
      {"bytes_saved", "B", "of samples that supermons combined: what they did not pass on."},
      {"incarnations", "", "processes that all daemons were, one after the other."},
      {"failures[].failure", "", "of supermon.failures, in their order.", result::text},
      {"failures[].at_s", "s", "when it begins."},
      {"failures[].daemons", "", "how many it takes away."},
      {"failures[].nodes", "", "that are these, or below them."},
      {"failures[].detected_s", "s", "when a supermon first took one of them for dead; null if none did.",
       result::or_null()},
      {"failures[].gaps", "", "of these nodes that clients saw because of it."},
      {"failures[].longest_gap_s", "s",
       "the longest of these: from the first answer without the node to the first with it; null if none has ended.",
       result::or_null()},
      {"clients[].place", "", "where it runs; of supermon_client, in their order.", result::text},
      {"clients[].queries", "", "that it made."},
      {"clients[].answers", "", "to these."},
      {"clients[].missed_queries", "", "whose date passed while one before was not answered."},
      {"clients[].unanswered", "", "that were not answered in time, or whose connection broke."},
      {"clients[].late_answers", "", "to these."},
      {"clients[].samples", "", "of nodes in its answers."},
      {"clients[].combined_nodes", "", "of nodes in its answers whose samples came combined."},
      {"clients[].missing_nodes", "", "nodes that its answers lacked, each time."},
      {"clients[].answer_bytes", "B", "of all answers that came."},
      {"clients[].first_s", "s", "what the first query took; null if there was no answer.", result::or_null()},
      {"clients[].mean_s", "s", "what one took on the average; null if there was none.", result::or_null()},
      {"clients[].longest_s", "s", "what the longest one took; null if there was none.", result::or_null()},
      {"clients[].gaps", "", "nodes that it missed from an answer on."},
      {"clients[].gaps_under_way", "", "of these, nodes that have not come again."},
      {"clients[].longest_gap_s", "s",
       "from the first answer without a node to the first with it again, at the longest; null if none has ended.",
       result::or_null()},
      {"clients[].cpu_s", "s", "CPU time that it spent on messages."}};
  for (const auto& [kind, whose] : {std::pair{"mons", "mons"}, std::pair{"supermons", "supermons"}}) {
    const std::string of = std::string(" of all ") + whose + ".";
    keys.push_back({std::string(kind) + ".processes", "", "how many " + std::string(whose) + " there are."});
    keys.push_back({std::string(kind) + ".messages", "messages", "sent" + of});
    keys.push_back({std::string(kind) + ".bytes", "B", "that were sent" + of});
    keys.push_back({std::string(kind) + ".cpu_s", "s", "CPU time" + of});
  }
  for (ResultKey& key : keys) {
    key.path = "monitor.supermon." + key.path;
    key.description = "supermon: " + key.description;
  }
  return keys;
}

} // namespace

Part supermon_part() {
  std::vector<SectionKind> sections;
  sections.push_back(section<SupermonParams>("supermon", "Supermon: a tree of daemons that exchange s-expressions."));
  sections.push_back(several<SupermonClientParams>(
      "supermon_client", "Clients of Supermon, which query its root daemon.", [](const Spec& spec, std::size_t one) {
        return beyond_count<SupermonClientSection>(spec, one, "supermon_client.count");
      }));
  sections.push_back(supermon::monhole_section());
  ResultKeys keys = supermon_results();
  for (ResultKey& key : supermon::monhole_results()) keys.push_back(std::move(key));
  return {.kind = Part::Kind::monitor,
          .name = "supermon",
          .sections = std::move(sections),
          .check = check_supermon,
          .results = std::move(keys),
          .monitor = {.ledger_unit = "samples",
                      .losses = {{"tree", "late", "its query had been answered without it"},
                                 {"tree", "died", "with a daemon that died, or its client's connection"},
                                 {"tree", "combined", "with others: their sum or the like arrived instead"},
                                 {"tree", "unfinished", "on its way when the run ended, or its connection broke"}},
                      .takes_samples = true,
                      .sampling_interval = supermon::sampling_interval,
                      .description = "Supermon's tree of daemons"}};
}

} // namespace hypermon
