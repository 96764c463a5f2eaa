// SPDX-License-Identifier: BSD-3-Clause
// What a rank does in a collective call, written down as a list, and when: a list of jobs and of posts (messages that
// are sent and awaited together), gone through one after the other on the fake network's terms.
#pragma once
#include "tests/messages/fake_network.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <vector>

namespace hypermon::messages::test {

struct Doing {
  std::int64_t job_ns = 0; // or a post:
  struct Send {
    int to;
    std::int64_t bytes;
    int channel = 0;
  };
  struct Receive {
    int from;
    int channel = 0;
  };
  std::vector<Send> sends{};
  std::vector<Receive> receives{};
};
using List = std::vector<Doing>;

inline List operator+(List one, const List& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

/// By rank: the time at which its list of operations, begun at `begin`, ends.
inline std::vector<std::int64_t> naive_ends(const std::vector<List>& lists, std::vector<std::int64_t> at,
                                            const Costs& costs) {
  const auto ranks = lists.size();
  std::vector<std::size_t> next(ranks, 0);
  std::vector<bool> posted(ranks, false);
  std::vector<std::int64_t> free(ranks, 0);
  // by receiver, sender and channel: times of arrival
  std::map<std::tuple<std::size_t, int, int>, std::deque<std::int64_t>> boxes;
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (std::size_t r = 0; r < ranks; ++r) {
      while (next[r] < lists[r].size()) {
        const Doing& d = lists[r][next[r]];
        if (!posted[r]) {
          std::int64_t left = at[r] + d.job_ns;
          for (const auto& s : d.sends) {
            free[r] = std::max(free[r], at[r]) + s.bytes * costs.ns_per_byte;
            left = free[r];
            boxes[{static_cast<std::size_t>(s.to), static_cast<int>(r), s.channel}].push_back(left + costs.latency_ns);
          }
          if (d.receives.empty()) at[r] = left;
          posted[r] = true;
          goes_on = true;
          if (d.receives.empty()) {
            ++next[r], posted[r] = false;
            continue;
          }
          at[r] = left;
        }
        if (!std::ranges::all_of(d.receives, [&](const auto& w) { return !boxes[{r, w.from, w.channel}].empty(); }))
          break;
        for (const auto& w : d.receives) {
          auto& box = boxes[{r, w.from, w.channel}];
          at[r] = std::max(at[r], box.front());
          box.pop_front();
        }
        ++next[r], posted[r] = false;
        goes_on = true;
      }
    }
  }
  for (std::size_t r = 0; r < ranks; ++r)
    if (next[r] < lists[r].size()) throw std::logic_error("rank " + std::to_string(r) + " waits for ever");
  return at;
}

} // namespace hypermon::messages::test
