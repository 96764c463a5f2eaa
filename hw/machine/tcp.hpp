// SPDX-License-Identifier: BSD-3-Clause
// TCP connections between the platform's places. Messages arrive whole and in order, at times that follow from
// handshake, segments, Nagle's algorithm, acknowledgements and the socket's buffer (docs/design/tcp.md). No simulation
// kernel: links and ports are behind Tcp::Below, and time comes from the Agenda.
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
  /// Path between two places.
  struct Way {
    Time flight;        ///< time of flight of the last byte, after it has left
    double bytes_per_s; ///< bandwidth of its narrowest link
  };
  enum class Port : std::uint8_t { closed, open, silent };

  class Below {
  public:
    virtual ~Below() = default;
    virtual Way way(NetworkId network, const Place& from, const Place& to) = 0;
    /// Moves bytes over links that are shared with other traffic; calls `left`, later, when the last byte has left.
    virtual Passages::Id carry(NetworkId network, const Place& from, const Place& to, std::int64_t bytes, Time flight,
                               std::function<void()> left) = 0;
    /// Counts bytes at the two interfaces without sharing the links with other traffic.
    virtual Passages::Id pass(NetworkId network, const Place& from, const Place& to, std::int64_t bytes, Time flight,
                              Passages::Span out, Passages::Span in) = 0;
    /// The last byte has left, or arrived.
    virtual void count_sent(Passages::Id passage, std::int64_t segments) = 0;
    virtual void count_received(Passages::Id passage, std::int64_t segments) = 0;
    /// The place's kernel works, in competition with whatever runs there.
    virtual void interrupt(const Place& place, Time work) = 0;
    virtual Port port(const Address& at) const = 0;
    virtual void deliver(const Address& to, Datagram datagram) = 0;
  };

  Tcp(const TcpParams& params, Agenda& agenda, Below& below) : params_(params), agenda_(agenda), below_(below) {}

  /// Sends a message from one port to another in the given writes, at least one byte in all. Calls `taken` when the
  /// socket has room for its last byte, or when the connection is gone.
  void stream(NetworkId network, const Address& from, const Address& to, const std::vector<std::int64_t>& writes,
              std::any content, std::function<void()> taken);
  /// The port has been closed. Its connections and their waiting data are gone.
  void close(const Address& at, Closed how);
  std::size_t connections() const { return sockets_.size(); }

private:
  struct Message {
    std::int64_t end; // position in its direction's data
    Datagram datagram;
  };
  struct End {
    Address at;
    bool is_there = false; // whether its port still has the socket
    bool sends = false;    // a transfer is leaving
    bool asks = false;     // retransmits to a silent computer
    Time begun{};
    Time last_arrival{}; // arrival at the other end of the last data sent from here
    std::int64_t written = 0;
    std::deque<Message> messages{}; // messages that have not arrived
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
  struct Key { // own address first, so that close() finds all connections of a port
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
    std::int64_t bytes; // including headers on the cable
    std::int64_t acknowledges;
    Passages::Id passage = Passages::none;
  };
  struct Interface { // for small transfers: time at which earlier ones have passed
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
