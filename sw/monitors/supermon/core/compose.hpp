// SPDX-License-Identifier: BSD-3-Clause
// What a supermon has gathered for a query, and the answer that it makes of it.
#pragma once
#include "sw/monitors/supermon/core/surroundings.hpp"

#include <vector>

namespace hypermon::supermon {

struct Gathered {
  std::vector<Document> answers; ///< in the order in which they came
  NodeRuns missing;
};

/// (answer ID ...) with all samples as they are: composing keeps them apart, unless the query wants them combined.
std::string compose(const Query& query, const Gathered& gathered, Surroundings& around);

/// Calls act(sample) for each of an answer's.
template <class Act> void each_sample(const Sexpr& answer, Act&& act) {
  for (const Sexpr part : answer)
    if (part.is_named("sample")) act(part);
}
inline NodeId node_of(const Sexpr& sample) { return NodeId{static_cast<std::uint32_t>(sample[1].number())}; }
inline std::uint64_t serial_of(const Sexpr& sample) { return sample[2].number(); }

} // namespace hypermon::supermon
