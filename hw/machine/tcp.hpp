// SPDX-License-Identifier: BSD-3-Clause
// TCP connections between the platform's places: messages arrive whole and in order, at the dates that handshake,
// segments, Nagle's algorithm, acknowledgements and the socket's buffer give (docs/design/tcp.md). No simulation
// kernel: what lies below (links, ports) is Tcp::Below, time is the Agenda's.
#pragma once
#include "base/agenda.hpp"
#include "hw/machine/passages.hpp"
#include "hw/machine/site.hpp"
#include "hw/machine/tcp_end.hpp"

#include <any>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace hypermon {

class Tcp {
public:
  /// Between two places.
  struct Way {
    Time flight;        ///< of the last byte, after it has left
    double bytes_per_s; ///< of its narrowest link
  };
  enum class Port : std::uint8_t { closed, open, silent };

  class Below {
  public:
    virtual ~Below() = default;
    virtual Way way(NetworkId network, const Place& from, const Place& to) = 0;
    /// Moves so many bytes over links that others use, too; calls `left`, later, when the last one has left.
    virtual Passages::Id carry(NetworkId network, const Place& from, const Place& to, std::int64_t bytes, Time flight,
                               std::function<void()> left) = 0;
    /// So many bytes pass the two interfaces, and meet nobody on the links. For the counters.
    virtual Passages::Id pass(NetworkId network, const Place& from, const Place& to, std::int64_t bytes, Time flight,
                              Passages::Span out, Passages::Span in) = 0;
    /// The last byte has left, or arrived.
    virtual void count_sent(Passages::Id passage, std::int64_t segments) = 0;
    virtual void count_received(Passages::Id passage, std::int64_t segments) = 0;
    /// The place's kernel works, beside whatever runs there.
    virtual void interrupt(const Place& place, Time work) = 0;
    virtual Port port(const Address& at) const = 0;
    virtual void deliver(const Address& to, Datagram datagram) = 0;
  };

  Tcp(const TcpParams& params, Agenda& agenda, Below& below) : params_(params), agenda_(agenda), below_(below) {}

  /// A message from a port to another, in so many writes, at least a byte in all. Calls `taken` when the socket has
  /// room for its last byte, or there is no connection any more.
  void stream(NetworkId network, const Address& from, const Address& to, const std::vector<std::int64_t>& writes,
              std::any content, std::function<void()> taken);
  /// The port has been closed: its connections are gone, and what waited in them.
  void close(const Address& at, Closed how);
  std::size_t connections() const { return sockets_.size(); }

private:
  struct Message {
    std::int64_t end; // in its direction's data
    Datagram datagram;
  };
  struct End {
    Address at;
    bool is_there = false; // a socket of its port
    bool sends = false;    // a transfer is on its way out
    bool asks = false;     // a silent computer whether it is there again
    Time begun{};
    Time last_arrival{}; // at the other end, of what has left here
    std::int64_t written = 0;
    std::deque<Message> messages{}; // that have not arrived yet
    TcpSender out;
    TcpReceiver in;
  };
  struct Connection {
    NetworkId network;
    Way way;
    End ends[2];
  };
  using Side = std::size_t;
  static Side other(Side side) { return 1 - side; }
  struct Key { // own first: close() looks for all of a port
    Address own;
    NetworkId network;
    Address peer;
    auto operator<=>(const Key&) const = default;
  };
  using Ptr = std::shared_ptr<Connection>;
  struct Socket {
    Ptr connection;
    Side side;
  };
  struct Transfer {
    std::vector<std::int64_t> segments;
    std::int64_t data;
    std::int64_t bytes; // on the cable
    std::int64_t acknowledges;
    Passages::Id passage = Passages::none;
  };
  struct Interface { // of small transfers: when those before are through
    Time out;
    Time in;
  };

  static Key key(const Ptr& connection, Side side);
  Socket socket(NetworkId network, const Address& from, const Address& to);
  void connect(const Ptr& connection, Side side, std::int64_t attempt);
  void accept(const Ptr& connection, Side side);
  void take_over(const Socket& socket, const Socket& old);
  void add(const Socket& socket);
  void open(const Ptr& connection, Side side);
  void pump(const Ptr& connection, Side side);
  void begin(const Ptr& connection, Side side, const std::shared_ptr<Transfer>& transfer);
  void queue(const Ptr& connection, Side side, const std::shared_ptr<Transfer>& transfer);
  void left(const Ptr& connection, Side side, const std::shared_ptr<Transfer>& transfer, Time arrives);
  void arrive(const Ptr& connection, Side side, const Transfer& transfer);
  void deliver(End& from, End& to);
  void put_off(const Ptr& connection, Side side);
  void acknowledge(const Ptr& connection, Side side, std::int64_t upto);
  void ask_again(const Ptr& connection, Side side, std::int64_t attempt);
  void refuse(const Ptr& connection, Side side);
  void remove(const Ptr& connection, Side side);
  void break_off(const Ptr& connection, Side side);
  static Time patience(Time first, std::int64_t attempt);

  TcpParams params_;
  Agenda& agenda_;
  Below& below_;
  std::map<Key, Socket> sockets_;
  std::map<std::pair<NetworkId, Place>, Interface> interfaces_;
};

} // namespace hypermon
