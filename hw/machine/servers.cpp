// SPDX-License-Identifier: BSD-3-Clause
#include "hw/machine/servers.hpp"
#include "base/listing.hpp"
#include "base/user_error.hpp"
#include "hw/cosim/simgrid_date.hpp"
#include "hw/machine/server_place.hpp"

#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u/Semaphore.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace hypermon {
namespace {

namespace sg4 = simgrid::s4u;
using simgrid::kernel::timer::Timer;

/// A server, and the actors that wait for it.
struct Running {
  std::string name;
  NetworkId network;
  Place place;
  ServerParams params;
  StorageServer server;
  std::map<std::uint64_t, sg4::SemaphorePtr> waiting{};
  std::map<std::pair<Place, std::string>, std::int64_t> read_to{};
  Timer* timer = nullptr;

  /// Sets the timer to the next time at which something ends.
  void arm() {
    if (timer != nullptr) timer->remove();
    timer = nullptr;
    const Time next = server.next();
    if (next == Time::never()) return;
    timer = set_timer(next, [this, next] {
      timer = nullptr;
      for (const StorageServer::Done& done : server.advance(std::max(next, simgrid_now()))) {
        const auto actor = waiting.extract(done.request);
        if (!actor.empty()) actor.mapped()->release();
      }
      arm();
    });
  }
  void await(std::uint64_t request) {
    const auto done = waiting[request] = sg4::Semaphore::create(0);
    arm();
    done->acquire();
  }
};

} // namespace

struct Servers::State {
  Networks& networks;
  std::vector<std::unique_ptr<Running>> servers{};
  Running& at(ServerId server) const { return *servers.at(static_cast<std::size_t>(server)); }
};

Servers::Servers(const Spec& spec, Networks& networks) : state_(new State{networks}) {
  for (std::size_t s = 0; s < static_cast<std::size_t>(spec.get<ServerSection>().count); ++s) {
    const ServerParams& own = spec.get<ServerSection>().instance(s);
    state_->servers.emplace_back(new Running{name_among(spec.get<ServerSection>(), s),
                                             networks.named(own.network, "server.network"), place_of(own), own,
                                             StorageServer(own, spec.get<DiskSection>().instance(s))});
  }
}
Servers::~Servers() = default;

std::size_t Servers::count() const { return state_->servers.size(); }
const std::string& Servers::name(ServerId server) const { return state_->at(server).name; }
NetworkId Servers::network(ServerId server) const { return state_->at(server).network; }
const Place& Servers::place(ServerId server) const { return state_->at(server).place; }
const StorageCounts& Servers::counts(ServerId server) const { return state_->at(server).server.counts(); }

ServerId Servers::named(const std::string& name, const std::string& path) const {
  std::string all;
  for (std::size_t s = 0; s < count(); ++s) {
    const auto id = ServerId{static_cast<std::uint32_t>(s)};
    if (this->name(id) == name) return id;
    add_to_list(all, this->name(id));
  }
  throw UserError(path + " = \"" + name + "\": must be a file server of the platform: " +
                  (all.empty() ? "it has none (server.count = 0)" : all));
}

void Servers::write(ServerId id, const Place& from, const std::string& file, std::int64_t bytes) {
  Running& at = state_->at(id);
  state_->networks.carry_and_land(at.network, from, at.place, at.params.request_bytes.number + bytes);
  if (!at.server.has_room(file, bytes))
    fail_simulation("the disk of file server " + at.name + " is full at " + std::to_string(simgrid_now().seconds()) +
                    " s: " + file + " does not fit into disk.capacity_mb");
  at.await(at.server.write(simgrid_now(), file, bytes));
  state_->networks.carry_and_land(at.network, at.place, from, at.params.reply_bytes.number);
}

std::int64_t Servers::read(ServerId id, const Place& from, const std::string& file, std::int64_t bytes) {
  Running& at = state_->at(id);
  state_->networks.carry_and_land(at.network, from, at.place, at.params.request_bytes.number);
  std::int64_t& begin = at.read_to[{from, file}];
  const std::int64_t there = at.server.readable(file, begin, bytes);
  const std::int64_t at_byte = std::exchange(begin, begin + there);
  at.await(at.server.read(simgrid_now(), file, at_byte, there));
  state_->networks.carry_and_land(at.network, at.place, from, at.params.reply_bytes.number + there);
  return there;
}

void Servers::rewind(ServerId id, const Place& from, const std::string& file) {
  state_->at(id).read_to.erase({from, file});
}

} // namespace hypermon
