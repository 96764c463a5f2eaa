// SPDX-License-Identifier: BSD-3-Clause
// Data that a supermon has gathered for a query, and the answer that it composes from them.
#pragma once
#include "sw/monitors/supermon/core/surroundings.hpp"

#include <vector>

namespace hypermon::supermon {

struct Gathered {
  std::vector<Document> answers; ///< in the order of arrival
  NodeRuns missing;
};

/// (answer ID ...) with all samples. They stay separate, unless the query requests that they are combined.
std::string compose(const Query& query, const Gathered& gathered, Surroundings& around);

/// Calls act(sample) for each sample of an answer.
template <class Act> void each_sample(const Sexpr& answer, Act&& act) {
  for (const Sexpr part : answer)
    if (part.is_named("sample")) act(part);
}
inline NodeId node_of(const Sexpr& sample) { return NodeId{static_cast<std::uint32_t>(sample[1].number())}; }
inline std::uint64_t serial_of(const Sexpr& sample) { return sample[2].number(); }

} // namespace hypermon::supermon
