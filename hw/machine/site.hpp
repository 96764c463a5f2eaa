// SPDX-License-Identifier: BSD-3-Clause
// What a monitor can use on a machine of any kind: the nodes' clocks and counters, networks, storage, and places for
// its own processes. The interface has nothing that a real monitor could not read.
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

/// A computer: a compute node, the machine's host, or a computer beside the machine for the monitor.
struct Place {
  enum class Kind : std::uint8_t { node, host, beside };
  Kind kind = Kind::node;
  std::uint32_t number = 0; ///< among the places of its kind
  static constexpr Place node(NodeId id) { return {Kind::node, index(id)}; }
  auto operator<=>(const Place&) const = default;
};

constexpr auto words_of(Place::Kind) { return words("node", "host", "beside"); }

/// Numbers of the platform's networks and file servers, in the order in which the platform names them.
enum class NetworkId : std::uint32_t {};
enum class ServerId : std::uint32_t {};

/// Address at which a daemon receives: a port at a place, as in TCP and UDP.
struct Address {
  Place place;
  std::uint32_t port = 0;
  auto operator<=>(const Address&) const = default;
};

/// A datagram that arrived. `content` belongs to the sender; only `bytes` take time on the network.
struct Datagram {
  Address from;
  std::int64_t bytes = 0;
  Time sent;
  std::any content{};
  bool reset = false; ///< the last datagram: the connection to `from` is gone, and data on their way there are lost
};

/// Treatment of data that arrive at a port after a daemon has closed it.
enum class Closed : std::uint8_t {
  resets, ///< the process has ended: its computer's kernel resets connections, which the other end notices
  silent, ///< the computer is off: senders get no notice
};

/// Interface of a monitor's process for its body. Every call returns when the simulated machine has completed it.
class Daemon {
public:
  virtual ~Daemon() = default;
  virtual Place place() const = 0;
  virtual Time now() const = 0;
  virtual void sleep_until(Time when) = 0;
  /// Takes CPU time of its place, shared with the place's other processes (hw/machine/cpu.hpp).
  virtual void compute(Time nominal) = 0;
  /// Returns when the last byte has left. Data for a port that is not open are lost; a daemon opens its port with its
  /// first receive().
  virtual void send(NetworkId network, const Address& to, std::int64_t bytes, std::any content = {}) = 0;
  /// Sends a message over the TCP connection between the daemon's own `port` and `to`; the first message makes the
  /// connection. The message is written by system calls of the given numbers of bytes. Returns when the kernel has
  /// accepted the last one, which is at once while the socket's buffer has room. The message arrives whole, as a
  /// datagram from {place, port}, after earlier messages of the connection. If the connection breaks, both ends receive
  /// a datagram with `reset`, and the next message makes a new connection.
  virtual void stream(NetworkId network, std::uint32_t port, const Address& to, std::vector<std::int64_t> writes,
                      std::any content = {}) = 0;
  /// Closes the port until receive() opens it again. Waiting data are lost.
  virtual void close(std::uint32_t port, Closed how = Closed::resets) = 0;
  /// The next datagram at the daemon's own `port`, in the order of arrival; none if there is none by `until`.
  virtual std::optional<Datagram> receive(std::uint32_t port, Time until = Time::never()) = 0;
  /// Returns when the server has acknowledged completion.
  virtual void write(ServerId server, const std::string& file, std::int64_t bytes) = 0;
  virtual void read(ServerId server, const std::string& file, std::int64_t bytes) = 0;
};

class Site {
public:
  virtual ~Site() = default;
  virtual std::int64_t nodes() const = 0;
  virtual const NodeClock& clock(NodeId node) const = 0;
  /// The clock of any computer. Computers that are no compute nodes have exact clocks.
  NodeClock clock_at(const Place& place) const {
    return place.kind == Place::Kind::node ? clock(NodeId{place.number}) : NodeClock();
  }
  /// The counters of the simulated system (base/counters.hpp). A monitor requests those it needs when it starts.
  virtual Counters& counters() = 0;
  /// The log of the samples that the monitor takes (sw/monitors/sample_log.hpp).
  virtual SampleLog& samples() = 0;
  /// The resources that the monitor uses (sw/monitors/footprint.hpp). CPU time and working sets of daemons, and writes
  /// to servers and shared files, are included automatically; a monitor adds buffers in its nodes' memory and its own
  /// disks.
  virtual Footprint& footprint() = 0;
  /// The network or server of that name. Throws UserError with `path`, the parameter that names it, if the platform has
  /// none.
  virtual NetworkId network(const std::string& name, const std::string& path) const = 0;
  virtual ServerId server(const std::string& name, const std::string& path) const = 0;
  /// The file system shared by all computers (hw/nfs/core/shared_files.hpp); null if there is none.
  virtual SharedFiles* shared_files() = 0;
  /// Starts a process, now or at the begin of the run. It ends when its body returns or when the program ends; its
  /// stack is then unwound (destructors run), wherever it waits. Throws UserError with `path` if there is no such
  /// place. A UserError thrown by the body ends the run with status 2.
  virtual void daemon(Place place, const std::string& name, std::function<void(Daemon&)> body,
                      const std::string& path) = 0;
  /// Hands `content` from a process, possibly of the program, to another one on the same computer through a local
  /// socket. May be called from any actor. It arrives at once, as a datagram; false if the port is not open.
  virtual bool hand_over(const Address& to, std::any content) = 0;
  /// From now on daemons on the node are processes among its ranks and share its processors (hw/machine/cpu.hpp), as on
  /// a node with more ranks than processors. Call this before the node's daemons are started.
  virtual void share_processors(NodeId node) = 0;
  /// Adds `bytes` to the working set of the daemons of that name on a node, until the end of the run. No effect on the
  /// host and computers beside the machine, or if the platform models no memory.
  virtual void working_set(Place place, const std::string& name, std::int64_t bytes) = 0;
  /// Daemons continue for `after` beyond the program's end, so that data under way arrive. Monitor::finish() is called
  /// when they have ended.
  virtual void linger(Time after) = 0;
  /// The run directory.
  virtual const std::string& folder() const = 0;
};

} // namespace hypermon
