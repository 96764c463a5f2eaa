// SPDX-License-Identifier: BSD-3-Clause
#include "tests/piosim/world.hpp"

#include <algorithm>
#include <utility>

namespace hypermon::piosim {

PiosimParams paper() {
  PiosimParams params;
  params.packets.network = PacketModel::packets;
  params.pfs.servers = 1;
  return params;
}

NetworkGraph star_of(const PiosimParams& params, std::size_t clients) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < clients; ++c) names.push_back("node" + std::to_string(c));
  for (std::size_t s = 0; s < params.pfs.stations(); ++s) names.push_back("server" + std::to_string(s));
  return star_graph(params.packets, names);
}

World::World(const PiosimParams& params, std::size_t clients) : World(params, star_of(params, clients), clients) {}

World::World(const PiosimParams& params, NetworkGraph graph, std::size_t clients)
    : piosim_(
          params, std::move(graph), clients, observers_, [this] { return now_; }, [] {}) {}

void World::at(Time date, std::function<void()> action) { planned_.push_back({date, std::move(action)}); }

void World::run() {
  for (;;) {
    const auto first = std::ranges::min_element(planned_, {}, &Planned::date);
    const Time planned = first == planned_.end() ? Time::never() : first->date;
    const Time next = std::min(planned, piosim_.next());
    if (next == Time::never()) return;
    now_ = next;
    if (planned <= piosim_.next()) {
      const auto action = std::move(first->action);
      planned_.erase(first);
      action();
    } else {
      piosim_.advance(now_);
    }
  }
}

Time World::call(FileRequest::Kind kind, const std::string& file, const std::vector<FileRegion>& regions,
                 FileAnswer* answer, std::uint32_t client) {
  FileRequest request;
  request.kind = kind;
  request.node = client;
  request.file = piosim_.file(file);
  request.regions = regions;
  const Time begin = now_;
  bool done = false;
  piosim_.submit(std::move(request), [&](FileAnswer became) {
    done = true;
    if (answer != nullptr) *answer = became;
  });
  while (!done) {
    now_ = piosim_.next();
    piosim_.advance(now_);
  }
  return now_ - begin;
}

void World::rest(Time duration) {
  const Time until = now_ + duration;
  while (piosim_.next() <= until) {
    now_ = piosim_.next();
    piosim_.advance(now_);
  }
  now_ = until;
}

} // namespace hypermon::piosim
