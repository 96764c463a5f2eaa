// SPDX-License-Identifier: BSD-3-Clause
// What a monitor finds on the machine, whatever the machine is: the nodes' clocks and counters, networks, storage, and
// room for processes of its own. What a real monitor could not read is not here.
#pragma once
#include "base/choice.hpp"
#include "base/time.hpp"
#include "hw/machine/node_clock.hpp"

#include <any>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hypermon {

class Counters;
class Footprint;
class SampleLog;
class SharedFiles;

/// A computer: a compute node, the machine's host, or one that stands beside the machine for the monitor.
struct Place {
  enum class Kind : std::uint8_t { node, host, beside };
  Kind kind = Kind::node;
  std::uint32_t number = 0; ///< among those of its kind
  static constexpr Place of(NodeId node) { return {Kind::node, index(node)}; }
  auto operator<=>(const Place&) const = default;
};

constexpr auto words_of(Place::Kind) { return words("node", "host", "beside"); }

/// One of the platform's networks, and one of its file servers, by the order in which the platform names them.
enum class NetworkId : std::uint32_t {};
enum class ServerId : std::uint32_t {};

/// Where a daemon receives: a number at a place, as of TCP and UDP.
struct Address {
  Place place;
  std::uint32_t port = 0;
  auto operator<=>(const Address&) const = default;
};

/// What arrived. `content` is the sender's; only `bytes` take time on the network.
struct Datagram {
  Address from;
  std::int64_t bytes = 0;
  Time sent;
  std::any content{};
  bool reset = false; ///< nothing more: the connection to `from` is gone, what was on its way there is lost
};

/// What becomes of what arrives at a port that a daemon has closed.
enum class Closed : std::uint8_t {
  resets, ///< the process has ended: its computer's kernel resets connections, and the other end is told
  silent, ///< the computer is off: whoever sends there learns nothing
};

/// A process of a monitor, seen from its body: every call returns when the simulated machine has done it.
class Daemon {
public:
  virtual ~Daemon() = default;
  virtual Place place() const = 0;
  virtual Time now() const = 0;
  virtual void sleep_until(Time when) = 0;
  /// Takes so much CPU time of its place, as the place's processors share it (hw/machine/cpu.hpp).
  virtual void compute(Time nominal) = 0;
  /// Returns when the last byte has left. What arrives at a port that nobody opened is lost: a daemon opens its port
  /// with its first receive().
  virtual void send(NetworkId network, const Address& to, std::int64_t bytes, std::any content = {}) = 0;
  /// A message over the TCP connection between the daemon's own `port` and `to`, which the first message makes: a write
  /// (system call) of so many bytes each. Returns when the kernel has taken the last one: at once, while there is room
  /// in the socket's buffer. It arrives whole, as a datagram from {place, port}, behind what was sent over the
  /// connection before; if the connection breaks, both ends receive a datagram that says so (`reset`), and the next
  /// message makes it anew.
  virtual void stream(NetworkId network, std::uint32_t port, const Address& to, std::vector<std::int64_t> writes,
                      std::any content = {}) = 0;
  /// Nothing is received there any more, and what waits there is lost, until receive() opens it again.
  virtual void close(std::uint32_t port, Closed how = Closed::resets) = 0;
  /// The next datagram at the daemon's own `port`, in the order of their arrival; none if it is not there by `until`.
  virtual std::optional<Datagram> receive(std::uint32_t port, Time until = Time::never()) = 0;
  /// Returns when the server has said that it is done.
  virtual void write(ServerId server, const std::string& file, std::int64_t bytes) = 0;
  virtual void read(ServerId server, const std::string& file, std::int64_t bytes) = 0;
};

class Site {
public:
  virtual ~Site() = default;
  virtual std::int64_t nodes() const = 0;
  virtual const NodeClock& clock(NodeId node) const = 0;
  /// What the simulated system counts (base/counters.hpp): a monitor says at its start what it wants.
  virtual Counters& counters() = 0;
  /// What became of samples that the monitor takes (sw/monitors/sample_log.hpp).
  virtual SampleLog& samples() = 0;
  /// What the monitor takes of the machine (sw/monitors/footprint.hpp): daemons' CPU time and working sets, and what is
  /// written to servers and shared files, are in it; a monitor adds buffers in its nodes' memory, and disks of its own.
  virtual Footprint& footprint() = 0;
  /// By name. Throws UserError with `path`, the parameter that names it, if the platform has none of that name.
  virtual NetworkId network(const std::string& name, const std::string& path) const = 0;
  virtual ServerId server(const std::string& name, const std::string& path) const = 0;
  /// The file system that all computers share (hw/nfs/core/shared_files.hpp); null: there is none.
  virtual SharedFiles* shared_files() = 0;
  /// Starts a process, now or at the run's begin; it ends with its body, or with the program: its stack is unwound then
  /// (destructors run), wherever it waits. Throws UserError with `path` if there is no such place. A UserError that its
  /// body throws ends the run with status 2.
  virtual void daemon(Place place, const std::string& name, std::function<void(Daemon&)> body,
                      const std::string& path) = 0;
  /// From any actor, a process of the program's too: what a process hands to another of its computer, over a socket of
  /// the kernel's. It is at the port at once, as a datagram; false: nobody has opened it.
  virtual bool hand_over(const Address& to, std::any content) = 0;
  /// From now on daemons on the node are processes among its ranks: its processors are shared (hw/machine/cpu.hpp), as
  /// they are where more ranks than processors run. Before its daemons are started.
  virtual void share_processors(NodeId node) = 0;
  /// Daemons of that name have a working set of so many more bytes on the node, as long as the run lasts. Of host and
  /// computers beside, and where the platform models no memory, nothing.
  virtual void working_set(Place place, const std::string& name, std::int64_t bytes) = 0;
  /// Daemons go on for so long after the program's end: for what is under way to arrive. Monitor::finish() is called
  /// when they have ended.
  virtual void linger(Time after) = 0;
  /// The run directory.
  virtual const std::string& folder() const = 0;
};

} // namespace hypermon
