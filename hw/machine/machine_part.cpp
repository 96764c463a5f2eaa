// SPDX-License-Identifier: BSD-3-Clause
// The machine's sections of parameters, and conditions between them.
#include "base/user_error.hpp"
#include "hw/machine/dimensions.hpp"
#include "hw/machine/machine_params.hpp"
#include "hw/machine/params.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>

namespace hypermon {
namespace {

std::string shown(const std::string& path, const std::string& value) { return path + " = \"" + value + "\": "; }

bool read(const std::string& word, double& value) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc() && end == word.data() + word.size() && std::isfinite(value) && value >= 0;
}

/// Checks pieces in the form of SMPI's options: from:value[:value];..., with `from` increasing.
void check_pieces(const std::string& name, const std::string& text, std::size_t values, const char* like) {
  if (text.empty()) return;
  bool right = !text.ends_with(';');
  double before = -1;
  std::istringstream pieces(text);
  for (std::string piece; right && std::getline(pieces, piece, ';');) {
    std::istringstream words(piece);
    std::size_t count = 0;
    double first = 0;
    for (std::string word; right && std::getline(words, word, ':'); ++count) {
      double value = 0;
      right = read(word, value);
      if (count == 0) first = value;
    }
    right = right && count == values + 1 && !piece.ends_with(':') && first > before && first == std::floor(first);
    before = first;
  }
  if (!right) throw UserError(shown("smpi." + name, text) + "must be pieces in the order of their sizes, like " + like);
}

/// Parses a threshold in bytes. No value: the text is empty, which stands for SimGrid's default.
std::optional<std::int64_t> check_threshold(const std::string& name, const std::string& text) {
  if (text.empty()) return std::nullopt;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0 || value > 2147483647)
    throw UserError(shown("smpi." + name, text) + "must be a number of bytes from 0 to 2147483647");
  return value;
}

void check_smpi(const SmpiParams& smpi) {
  check_pieces("send_cost", smpi.send_cost, 2, "0:1e-6:0;1024:2e-6:1e-10");
  check_pieces("isend_cost", smpi.isend_cost, 2, "0:1e-6:0;1024:2e-6:1e-10");
  check_pieces("receive_cost", smpi.receive_cost, 2, "0:1e-6:0;1024:2e-6:1e-10");
  check_pieces("latency_factor", smpi.latency_factor, 1, "0:1.5;65536:11.6");
  check_pieces("bandwidth_factor", smpi.bandwidth_factor, 1, "0:0.6;65536:0.94");
  if (double value = 0; !smpi.clock_cost.empty() && !read(smpi.clock_cost, value))
    throw UserError(shown("smpi.clock_cost", smpi.clock_cost) + "must be a number of seconds, 0 or more");
  const auto buffered = check_threshold("async_small_thresh", smpi.async_small_thresh);
  const auto detached = check_threshold("send_is_detached_thresh", smpi.send_is_detached_thresh);
  if (buffered && detached && *buffered > *detached)
    throw UserError(shown("smpi.async_small_thresh", smpi.async_small_thresh) +
                    "must not be above smpi.send_is_detached_thresh = " + smpi.send_is_detached_thresh);
}

void check_machine(const Spec& spec) {
  const auto& machine = spec.get<MachineParams>();
  if (machine.topology == Topology::hypercube && !std::has_single_bit(static_cast<std::uint64_t>(spec.nodes)))
    throw UserError("nodes = " + std::to_string(spec.nodes) +
                    ": must be a power of two with machine.topology = \"hypercube\"");
  if (machine.topology == Topology::torus || machine.topology == Topology::fat_tree)
    dimensions_of(spec);
  else if (!machine.places.empty())
    throw UserError(shown("machine.places", machine.places) + "must be empty with machine.topology = \"" +
                    std::string(word(machine.topology)) + "\"; a torus and a fat_tree have places");
  if (machine.links != Links::shared && machine.messages == Messages::nx2)
    throw UserError(shown("machine.links", std::string(word(machine.links))) +
                    "must be shared with machine.messages = nx2, which knows a transfer by its start and size; with "
                    "held links equal transfers do not end together");
  check_smpi(spec.get<SmpiParams>());
  if (machine.topology != Topology::xml) return;
  if (machine.xml.empty()) throw UserError(R"(machine.xml = "": must name a file with machine.topology = "xml")");
  if (machine.messages != Messages::smpi)
    throw UserError(
        shown("machine.messages", std::string(word(machine.messages))) +
        "must be smpi with machine.topology = \"xml\"; the others' message times rest on network.* or packets.*");
  if (machine.links != Links::shared)
    throw UserError(shown("machine.links", std::string(word(machine.links))) +
                    "must be shared with machine.topology = \"xml\", whose file says how each link is shared");
}

std::vector<WithoutEffect> without_effect_on_machine(const Spec& spec) {
  const auto& machine = spec.get<MachineParams>();
  std::vector<WithoutEffect> found;
  if (machine.messages != Messages::smpi)
    found.push_back({{"smpi."}, "machine.messages = " + std::string(word(machine.messages))});
  if (machine.messages == Messages::packets) found.push_back({{"machine.links"}, "machine.messages = packets"});
  const std::string topology = "machine.topology = " + std::string(word(machine.topology));
  if (machine.topology != Topology::torus && machine.topology != Topology::fat_tree)
    found.push_back({{"machine.dimensions"}, topology});
  if (machine.topology != Topology::xml) found.push_back({{"machine.xml", "machine.hosts"}, topology});
  if (machine.beside == 0) found.push_back({{"machine.beside_on_network"}, "machine.beside = 0"});
  return found;
}

} // namespace

Part machine_part() {
  return {.sections = {section<MachineParams>("machine", "Topology of the machine, and protocol of its messages."),
                       section<SmpiParams>("smpi", "Message costs in SimGrid's model (machine.messages = smpi)."),
                       section<NodeParams>("node", "Clock and scheduler of a compute node."),
                       section<NetworkParams>("network", "Message times of the iPSC/2's Direct-Connect network."),
                       section<HostParams>("host", "UNIX host of the machine.")},
          .check = check_machine,
          .without_effect = without_effect_on_machine};
}

} // namespace hypermon
