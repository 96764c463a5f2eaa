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
  if (own.outstanding > 1 && own.ask != ScmsAsk::together)
    throw UserError(path + ".outstanding = " + std::to_string(own.outstanding) + ": must be 1 without " + path +
                    ".ask = together");
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
    check_one(spec, tree, all.instance(c), path_of("scms_client", all, c));
}

} // namespace hypermon::scms
