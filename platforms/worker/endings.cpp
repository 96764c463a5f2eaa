// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/worker/endings.hpp"

#include <algorithm>

namespace hypermon {
namespace {

constexpr std::size_t most = 8; // (chosen) enough, even of thousands

/// "rank 3", "ranks 0, 2 to 5"; `ranks` must be in ascending order.
std::string named(const std::vector<int>& ranks) {
  std::string text;
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    if (last - i < 2) last = i; // two ranks are listed separately
    if (i > 0) text += ", ";
    text += std::to_string(ranks[i]) + (last > i ? " to " + std::to_string(ranks[last]) : "");
    i = last + 1;
  }
  return (ranks.size() > 1 ? "ranks " : "rank ") + text;
}

} // namespace

Endings& endings() {
  static Endings all;
  return all;
}

void Endings::add(int rank, const std::string& did) {
  auto& ranks = ranks_by_what_[did];
  ranks.insert(std::upper_bound(ranks.begin(), ranks.end(), rank), rank);
}

std::map<int, Endings::Ending> Endings::by_rank() const {
  std::map<int, Ending> sorted;
  for (const auto& [did, ranks] : ranks_by_what_) sorted[ranks.front()] = {&did, &ranks};
  return sorted;
}

int Endings::first() const { return by_rank().begin()->first; }

std::string Endings::text() const {
  std::string text;
  std::size_t listed = 0;
  for (const auto& [first, ending] : by_rank()) {
    if (++listed > most) return text + "; others otherwise";
    text += (text.empty() ? "" : "; ") + named(*ending.ranks) + " " + *ending.did;
  }
  return text;
}

} // namespace hypermon
