#include "platforms/site/simulated_site.hpp"
#include "sw/model/user_error.hpp"

#include <stdexcept>

namespace hypermon {
namespace {

namespace sg4 = simgrid::s4u;

/// A daemon, as its actor sees it.
class ActorDaemon final : public Daemon {
public:
  ActorDaemon(Nx2& os, Networks& networks, Servers& servers, Place place)
      : os_(os), networks_(networks), servers_(servers), place_(place) {}

  Place place() const override { return place_; }
  Time now() const override { return Nx2::now(); }
  void sleep_until(Time when) override {
    if (when > now()) sg4::this_actor::sleep_until(when.seconds());
  }
  void compute(Time nominal) override {
    if (place_.kind != Place::Kind::node) return sleep_until(now() + nominal);
    os_.work_in_kernel(NodeId{place_.number}, nominal);
  }
  void send(NetworkId network, const Address& to, std::int64_t bytes, std::any content) override {
    networks_.send(network, {place_, 0}, to, bytes, std::move(content));
  }
  std::optional<Datagram> receive(std::uint32_t port, Time until) override {
    return networks_.receive({place_, port}, until);
  }
  void write(ServerId server, const std::string& file, std::int64_t bytes) override {
    servers_.write(server, place_, file, bytes);
  }
  void read(ServerId server, const std::string& file, std::int64_t bytes) override {
    servers_.read(server, place_, file, bytes);
  }

private:
  Nx2& os_;
  Networks& networks_;
  Servers& servers_;
  Place place_;
};

} // namespace

void SimulatedSite::daemon(Place place, const std::string& name, std::function<void(Daemon&)> body,
                           const std::string& path) {
  parts_.networks.places().check(place, path);
  if (daemons_.empty()) watch_the_end();
  const auto actor = sg4::Actor::init(name, parts_.networks.host(place));
  actor->daemonize();
  daemons_.push_back(actor);
  actor->start([this, place, name, body = std::move(body)] {
    ActorDaemon self(parts_.os, parts_.networks, parts_.servers, place);
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

void SimulatedSite::watch_the_end() {
  parts_.os.watch_for_deadlock();
  // No daemon: the run goes on until it is done.
  sg4::Actor::init("end of daemons", parts_.networks.host(Place::of(NodeId{0})))->start([this] {
    parts_.os.await_program_end();
    if (linger_ > Time{}) sg4::this_actor::sleep_until((Nx2::now() + linger_).seconds());
    for (const auto& daemon : daemons_) daemon->kill();
  });
}

} // namespace hypermon
