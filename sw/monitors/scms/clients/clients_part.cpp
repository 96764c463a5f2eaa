#include "sw/monitors/scms/clients/clients_part.hpp"
#include "platforms/machine/index_list.hpp"
#include "sw/model/spec.hpp"
#include "sw/model/user_error.hpp"
#include "sw/monitors/scms/clients/params_fields.hpp"

namespace hypermon::scms {

std::vector<SectionKind> client_sections() {
  std::vector<SectionKind> sections;
  sections.push_back(section<ScmsClientParams>("scms_client", "A client of SCMS/RMS."));
  return sections;
}

void check_clients(const Spec& spec, const Tree& tree) {
  const auto& params = spec.get<ScmsClientParams>();
  all_or_index_list("scms_client.nodes", params.nodes, spec.nodes, "numbers of nodes");
  if (params.sma >= tree.smas())
    throw UserError("scms_client.sma = " + std::to_string(params.sma) + ": there are SMAs 0 to " +
                    std::to_string(tree.smas() - 1));
}

std::vector<ResultKey> client_results() {
  return {{"monitor.clients[].requests", "", "scms: that were answered."},
          {"monitor.clients[].missing", "values", "scms: that were not to be had."},
          {"monitor.clients[].mean_s", "s", "scms: from a request to its answer, on the average; null without any."},
          {"monitor.clients[].longest_s", "s", "scms: the longest; null without any."},
          {"monitor.clients[].mean_age_s", "s",
           "scms: of values, when the answer is there, on the average; null without any."},
          {"monitor.clients[].oldest_s", "s", "scms: the oldest; null without any."}};
}

} // namespace hypermon::scms
