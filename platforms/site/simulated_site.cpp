// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/site/simulated_site.hpp"
#include "base/user_error.hpp"
#include "hw/cosim/sleep.hpp"

#include <simgrid/Exception.hpp>
#include <simgrid/s4u/Actor.hpp>

#include <stdexcept>

namespace hypermon {
namespace {

namespace sg4 = simgrid::s4u;

/// Interface of a daemon for its actor.
class ActorDaemon final : public Daemon {
public:
  /// `task`: the daemon's task on its node's processors; none if these are not shared or not modelled.
  ActorDaemon(const SimulatedSite::Parts& parts, Place place, std::optional<TaskId> task, std::uint32_t process)
      : parts_(parts), place_(place), task_(task), process_(process) {}

  Place place() const override { return place_; }
  Time now() const override { return simgrid_now(); }
  void sleep_until(Time when) override {
    if (when > now()) actor_sleeps_until(when.seconds());
  }
  void compute(Time nominal) override {
    parts_.footprint.work(place_, nominal);
    if (place_.kind != Place::Kind::node) return sleep_until(now() + nominal);
    const NodeId node{place_.number};
    if (task_) return parts_.processors.compute(node, *task_, parts_.machine.clock(node).stretch(nominal));
    const struct AtWork { // its destructor runs even if the actor is killed
      std::int64_t& count;
      explicit AtWork(std::int64_t& c) : count(++c) {}
      ~AtWork() { --count; }
    } at_work(parts_.processes.at_work(node));
    parts_.os.kernels.work(node, nominal, parts_.processes.work_of(node, process_));
  }
  void send(NetworkId network, const Address& to, std::int64_t bytes, std::any content) override {
    parts_.networks.send(network, {place_, 0}, to, bytes, std::move(content));
  }
  void stream(NetworkId network, std::uint32_t port, const Address& to, std::vector<std::int64_t> writes,
              std::any content) override {
    parts_.networks.stream(network, {place_, port}, to, writes, std::move(content));
  }
  void close(std::uint32_t port, Closed how) override { parts_.networks.close({place_, port}, how); }
  std::optional<Datagram> receive(std::uint32_t port, Time until) override {
    return parts_.networks.receive({place_, port}, until);
  }
  void write(ServerId server, const std::string& file, std::int64_t bytes) override {
    parts_.footprint.store(bytes);
    parts_.servers.write(server, place_, file, bytes);
  }
  void read(ServerId server, const std::string& file, std::int64_t bytes) override {
    parts_.servers.read(server, place_, file, bytes);
  }

private:
  const SimulatedSite::Parts& parts_;
  Place place_;
  std::optional<TaskId> task_;
  std::uint32_t process_;
};

} // namespace

void SimulatedSite::daemon(Place place, const std::string& name, std::function<void(Daemon&)> body,
                           const std::string& path) {
  parts_.networks.places().check(place, path);
  if (daemons_.empty()) watch_the_end();
  const auto actor = sg4::Actor::init(name, parts_.networks.host(place));
  actor->daemonize();
  daemons_.push_back(actor);
  const std::uint32_t process = parts_.processes.number(name);
  actor->start([this, place, name, task = task_of(place, name), process, body = std::move(body)] {
    ActorDaemon self(parts_, place, task, process);
    try {
      body(self);
    } catch (const simgrid::ForcefulKillException&) {
      throw; // the program has ended
    } catch (const UserError& error) {
      fail_user(error);
    } catch (const std::exception& error) {
      fail_simulation("the monitor's daemon " + name + " failed: " + error.what());
    }
  });
}

std::optional<TaskId> SimulatedSite::task_of(Place place, const std::string& name) {
  if (place.kind != Place::Kind::node || !parts_.processors.is_shared(NodeId{place.number})) return std::nullopt;
  // With kernel_first a rank of equal priority would keep the processor until it waits.
  const bool goes_first = parts_.processors.design().policy == CpuPolicy::kernel_first;
  return parts_.processors.add(NodeId{place.number}, {.name = name, .priority = goes_first ? 1 : 0});
}

void SimulatedSite::watch_the_end() {
  parts_.os.deadlocks.watch(parts_.os.ranks.place_of(0), parts_.os.kernels.tick());
  // This actor is no SimGrid daemon, so that the run continues until it ends.
  sg4::Actor::init("end of daemons", parts_.networks.host(Place::node(NodeId{0})))->start([this] {
    parts_.os.program.await_program_end();
    if (linger_ > Time{}) actor_sleeps_until((simgrid_now() + linger_).seconds());
    for (const auto& daemon : daemons_) daemon->kill();
  });
}

} // namespace hypermon
