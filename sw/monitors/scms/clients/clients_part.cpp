// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/clients/clients_part.hpp"
#include "base/plain_number.hpp"
#include "base/spec.hpp"
#include "base/user_error.hpp"
#include "hw/machine/computers.hpp"
#include "hw/machine/front_end.hpp"
#include "hw/machine/index_list.hpp"
#include "hw/machine/several.hpp"
#include "sw/monitors/scms/clients/client_spec.hpp"
#include "sw/monitors/scms/clients/params.hpp"
#include "sw/monitors/scms/clients/schedule.hpp"
#include "sw/monitors/scms/design_of.hpp"

namespace hypermon::scms {
namespace {

void check_one(const Spec& spec, const Tree& tree, const ScmsClientParams& own, const std::string& path) {
  nodes_of_client(own, spec.nodes, path);
  if (own.sma >= tree.smas())
    throw UserError(path + ".sma = " + std::to_string(own.sma) + ": there are SMAs 0 to " +
                    std::to_string(tree.smas() - 1));
  const NetworkId network = network_of(spec);
  Places(spec).check_reaches(network, place_beside(spec, network, own.place, path + ".place"),
                             path + ".place = \"" + own.place + "\"");
  if (own.outstanding > 1 && own.ask == ScmsAsk::one_by_one)
    throw UserError(path + ".outstanding = " + std::to_string(own.outstanding) + ": must be 1 with " + path +
                    ".ask = one_by_one");
  if (own.end_s.number > 0 && own.end_s.number <= own.begin_s.number)
    throw UserError(path + ".end_s = " + plain_number(own.end_s.number) + ": must be later than " + path +
                    ".begin_s = " + plain_number(own.begin_s.number));
  if (own.kind == ScmsClientKind::program && own.program.empty())
    throw UserError(path + ".program: must be given with " + path + ".kind = program");
}

} // namespace

std::vector<SectionKind> client_sections() {
  std::vector<SectionKind> sections;
  sections.push_back(several<ScmsClientParams>(
      "scms_client", "Clients of SCMS/RMS, which query its agents through RMI.", [](const Spec& spec, std::size_t one) {
        return beyond_count<ScmsClientSection>(spec, one, "scms_client.count");
      }));
  return sections;
}

void check_clients(const Spec& spec, const Tree& tree) {
  schedule_of(spec.get<ScmsPluginParams>(), spec.nodes);
  const auto& all = spec.get<ScmsClientSection>();
  for (std::size_t c = 0; c < static_cast<std::size_t>(all.count); ++c)
    check_one(spec, tree, all.of(c), path_of("scms_client", all, c));
}

ResultKeys client_results() {
  return {
      {"monitor.clients[].kind", "", "scms: of scms_client.kind, in their order; without those of no period.",
       result::text},
      {"monitor.clients[].clients", "", "scms: of that kind."},
      {"monitor.clients[].calls", "calls", "scms: that were answered: a choice of a node, or a reading of all."},
      {"monitor.clients[].missed_calls", "calls", "scms: whose date passed while earlier ones were not answered."},
      {"monitor.clients[].requests", "", "scms: of these calls."},
      {"monitor.clients[].values", "values", "scms: that came."},
      {"monitor.clients[].missing", "values",
       "scms: that did not: their node is dead, not below the SMA, or nobody pushes them."},
      {"monitor.clients[].unprovided", "values", "scms: whose plug-in is not loaded there."},
      {"monitor.clients[].failed", "values", "scms: whose plug-in crashed."},
      {"monitor.clients[].first_s", "s", "scms: what the first call took; null if there was none.", result::or_null()},
      {"monitor.clients[].mean_s", "s", "scms: what one took on the average; null if there was none.",
       result::or_null()},
      {"monitor.clients[].longest_s", "s", "scms: what the longest one took; null if there was none.",
       result::or_null()},
      {"monitor.clients[].latency_us", "us",
       "scms: time of the calls of a client: p50, p99, max and distribution; null if it made none.",
       result::or_null(result::object)},
      {"monitor.clients[].mean_age_s", "s",
       "scms: of values when their call is answered, on the average; null if there was none.", result::or_null()},
      {"monitor.clients[].oldest_s", "s", "scms: of the oldest value; null if there was none.", result::or_null()},
      {"monitor.clients[].age_us", "us",
       "scms: time from the reading of a value until its call is answered: p50, p99, max and distribution; null if no "
       "value arrived.",
       result::or_null(result::object)},
      {"monitor.clients[].choices", "", "scms: nodes that a scheduler chose."},
      {"monitor.clients[].judged", "", "scms: of these: what it chose by is one counter, so that the truth is known."},
      {"monitor.clients[].right", "",
       "scms: of these: no node that had answered had less, in truth, when it was chosen."},
      {"monitor.clients[].mean_better", "",
       "scms: how many nodes had less than the chosen one then, on the average; null if there was none.",
       result::or_null(result::real)},
      {"monitor.clients[].mean_regret", "",
       "scms: what the chosen one had more than the least then, on the average; null if there was none.",
       result::or_null(result::real)},
      {"monitor.clients[].status", "",
       "scms: what your own client returned; null if there was none, or it has not ended.", result::or_null()},
      {"monitor.clients[].messages", "messages", "scms: that they sent."},
      {"monitor.clients[].bytes", "B", "scms: that they sent."},
      {"monitor.clients[].cpu_s", "s", "scms: CPU time of all of them, messages alone."}};
}

} // namespace hypermon::scms
