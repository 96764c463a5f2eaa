// Who dies when, as scms.failures says.
#pragma once
#include "sw/model/spec.hpp"
#include "sw/monitors/scms/core/tree.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hypermon::scms {

struct Failure {
  enum class Kind : std::uint8_t { agent, node, sma };
  std::string text; ///< as its user has written it
  Kind kind;
  std::uint32_t number; ///< of the node, or among the SMAs: 0 is the root
  Time begin;
  Time end;
};

/// In the order of the text. Throws UserError if it cannot be read, names somebody who is not there, or has a node die
/// on which a program runs.
std::vector<Failure> failures_of(const Spec& spec, const Tree& tree);

} // namespace hypermon::scms
