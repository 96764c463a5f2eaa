// SPDX-License-Identifier: BSD-3-Clause
// Algorithms without a tree: direct messages, rings, chains, and operations answered by the global view.
#include "sw/messages/core/algorithms.hpp"

namespace hypermon::messages {

Task virtual_call(const Member& m, int first, int last) {
  co_await m.step();
  const int part = m.all.enter(m.rank);
  if (!m.all.have_entered(first, last, part))
    co_await Callback([&](Wire::Done done) { m.all.when_entered(first, last, part, std::move(done)); });
}

Task all_reduce_root_computes(const Member& m, std::int64_t bytes) {
  const char* const name = "allreduce/root_computes";
  co_await m.step();
  if (m.size() == 1) co_return;
  if (m.rank != 0) {
    AtOnce both = m.at_once(name, 0);
    both.send(0, bytes + collective_header);
    both.receive(0);
    co_await both;
    co_return;
  }
  AtOnce in = m.at_once(name, 0);
  for (int r = 1; r < m.size(); ++r) in.receive(r);
  co_await in;
  if (m.combining.as_paper)
    co_await m.step();
  else
    co_await combine(m, bytes, m.size() - 1);
  AtOnce out = m.at_once(name, 1);
  for (int r = 1; r < m.size(); ++r) out.send(r, bytes + collective_header);
  co_await out;
}

Task barrier_direct(const Member& m) {
  constexpr std::int64_t bytes = 30;
  co_await m.step();
  if (m.size() == 1) co_return;
  if (m.rank != 0) {
    AtOnce both = m.at_once("barrier/direct", 0);
    both.send(0, bytes);
    both.receive(0);
    co_await both;
    co_return;
  }
  AtOnce in = m.at_once("barrier/direct", 0);
  for (int r = 1; r < m.size(); ++r) in.receive(r);
  co_await in;
  co_await m.step();
  AtOnce out = m.at_once("barrier/direct", 1);
  for (int r = 1; r < m.size(); ++r) out.send(r, bytes);
  co_await out;
}

Task barrier_dissemination(const Member& m) {
  co_await m.step();
  for (int distance = 1, round = 0; distance < m.size(); distance <<= 1, ++round) {
    AtOnce both = m.at_once("barrier/dissemination", round);
    both.receive((m.rank + distance) % m.size());
    both.send((m.rank - distance + m.size()) % m.size(), collective_header);
    co_await both;
    co_await m.step();
  }
}

Task gather_direct(const Member& m, std::int64_t bytes, int root) {
  co_await m.step();
  AtOnce all = m.at_once("gather/direct", 0);
  if (m.rank != root)
    all.send(root, bytes + collective_header);
  else
    for (int r = 0; r < m.size(); ++r)
      if (r != root) all.receive(r);
  co_await all;
}

Task scatter_direct(const Member& m, std::vector<std::int64_t> bytes, int root) {
  co_await m.step();
  AtOnce all = m.at_once("scatter/direct", 0);
  if (m.rank != root)
    all.receive(root);
  else
    for (int r = 0; r < m.size(); ++r)
      if (r != root) all.send(r, bytes[static_cast<std::size_t>(r)] + collective_header);
  co_await all;
}

Task all_gather_direct(const Member& m, std::int64_t bytes) {
  co_await m.step();
  AtOnce all = m.at_once("allgather/direct", 0);
  for (int r = 0; r < m.size(); ++r)
    if (r != m.rank) all.send(r, bytes + collective_header);
  for (int r = 0; r < m.size(); ++r)
    if (r != m.rank) all.receive(r);
  co_await all;
}

Task all_gather_ring(const Member& m, std::vector<std::int64_t> bytes) {
  co_await m.step();
  const int size = m.size();
  for (int round = 0; round + 1 < size; ++round) {
    const int passed_on = (m.rank - round + size) % size;
    AtOnce both = m.at_once("allgather/ring", round);
    both.send((m.rank + 1) % size, bytes[static_cast<std::size_t>(passed_on)] + collective_header, Phase::more);
    both.receive((m.rank - 1 + size) % size, Phase::more);
    co_await both;
    co_await m.step();
  }
}

Task broadcast_scatter_ring(const Member& m, std::int64_t bytes, int root) {
  const std::int64_t piece = bytes / m.size() + bytes % m.size();
  co_await m.step();
  co_await scatter_binary_tree(m, piece, root);
  co_await m.step();
  co_await all_gather_ring(m, std::vector<std::int64_t>(static_cast<std::size_t>(m.size()), piece));
}

Task broadcast_scatter_barrier_ring(const Member& m, std::int64_t bytes, int root, Task barrier) {
  const std::int64_t piece = bytes / m.size() + bytes % m.size();
  co_await m.step();
  co_await scatter_binary_tree(m, piece, root);
  co_await m.step();
  co_await barrier;
  co_await m.step();
  co_await all_gather_ring(m, std::vector<std::int64_t>(static_cast<std::size_t>(m.size()), piece));
}

Task all_to_all_direct(const Member& m, std::vector<std::int64_t> bytes) {
  co_await m.step();
  AtOnce all = m.at_once("alltoall/direct", 0);
  for (int r = 0; r < m.size(); ++r)
    if (r != m.rank) all.send(r, bytes[static_cast<std::size_t>(r)] + collective_header);
  for (int r = 0; r < m.size(); ++r)
    if (r != m.rank) all.receive(r);
  co_await all;
}

Task all_to_all_pairwise(const Member& m, std::vector<std::int64_t> bytes) {
  const int size = m.size();
  co_await m.step();
  for (int distance = 1; distance < size; ++distance) {
    const int to = (m.rank + distance) % size;
    co_await m.exchange(to, bytes[static_cast<std::size_t>(to)], (m.rank - distance + size) % size, "alltoall/pairwise",
                        distance - 1);
  }
}

Task scan_chain(const Member& m, std::int64_t bytes) {
  co_await m.step();
  if (m.rank > 0) {
    AtOnce in = m.at_once("scan/chain", m.rank - 1);
    in.receive(m.rank - 1);
    co_await in;
    co_await combine(m, bytes, 1);
  }
  if (m.rank + 1 == m.size()) co_return;
  AtOnce out = m.at_once("scan/chain", m.rank);
  out.send(m.rank + 1, bytes + collective_header);
  co_await out;
}

} // namespace hypermon::messages
