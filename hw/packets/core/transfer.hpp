// SPDX-License-Identifier: BSD-3-Clause
// State of a transfer between a client and a server of the file system, for one call of the client's library.
#pragma once
#include "hw/packets/core/network.hpp"
#include "hw/packets/core/parallel_file_system.hpp"
#include "hw/packets/core/params.hpp"
#include "hw/packets/core/pool.hpp"
#include "hw/packets/core/step_reporter.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace hypermon::piosim {

/// Purpose of a message.
enum class Role : std::uint8_t { request, data, ready, acknowledgement, reply };
constexpr std::size_t roles = 5;

struct Transfer {
  std::uint32_t call = 0;
  std::uint32_t server = 0;
  Endpoint client{};
  Station station{}; // the server's station
  FileId file{};
  FileRequest::Kind kind{};
  std::vector<FileRegion> regions{}; // regions in the server's part of the file
  std::int64_t bytes = 0;
  bool small = false;       // the data are in the request or the reply
  bool client_done = false; // the transfer is finished for the client

  // Progress of the data through the server.
  std::size_t region = 0;     // number of complete regions and, in the next one,
  std::int64_t in_region = 0; // bytes that have been divided into jobs of the cache
  std::int64_t taken = 0;     // bytes that have arrived, or that have been requested from the cache for reading
  std::int64_t in_pieces = 0;
  std::int64_t accepted = 0;  // bytes accepted by the cache, or bytes read that have left
  std::int64_t complete = 0;  // bytes that count as written
  std::int64_t available = 0; // bytes that the sender may send
  std::int64_t filling = 0;   // bytes in the flow's buffer that is not yet full
  std::uint32_t message = 0;  // number of the message that carries the data

  /// A unit of work for TROVE: a packet, or a flow's buffer.
  struct Piece {
    std::int64_t bytes = 0;
    std::size_t jobs = 0; // unfinished jobs of the cache
    OperationId id{};
  };
  std::vector<Piece> pieces{};
  std::vector<std::uint32_t> unused_pieces{};
  std::size_t open_pieces = 0;

  // For observers:
  OperationId client_id{};
  OperationId request_id{};
  OperationId machine_id{};
  OperationId state_id{};
  OperationId flow_id{};
  OperationId receive_id{};
  std::array<OperationId, roles> sends{};
};

/// Shared state of the clients and servers of a file system.
struct Transfers {
  const PfsParams& params;
  Events& events;
  Network& network;
  MessageUser& user; // user of all messages
  StepReporter reporter;
  Pool<Transfer> all{};

  bool is_pvfs() const { return params.protocol == FileProtocol::pvfs; }
  static std::uint64_t tag(std::uint32_t transfer, Role role) {
    return static_cast<std::uint64_t>(transfer) << 3U | static_cast<std::uint64_t>(role);
  }
  static std::uint32_t transfer_of(std::uint64_t tag) { return static_cast<std::uint32_t>(tag >> 3U); }
  static Role role_of(std::uint64_t tag) { return static_cast<Role>(tag & 7U); }

  /// Sends a message to the server or from it; returns the message's number.
  std::uint32_t send(std::uint32_t number, Role role, std::int64_t bytes, std::int64_t available) {
    Transfer& transfer = all[number];
    const bool to_server = role == Role::request || (role == Role::data && transfer.kind == FileRequest::Kind::write);
    const Endpoint from = to_server ? transfer.client : transfer.station;
    const Endpoint to = to_server ? transfer.station : transfer.client;
    if (reporter.is_on()) {
      const auto cause = to_server ? transfer.client_id : transfer.machine_id;
      transfer.sends[static_cast<std::size_t>(role)] =
          reporter.begin({{}, cause, IoLayer::bmi, from.station, "send", transfer.kind, transfer.file, -1, bytes});
    }
    return network.send(from, to, bytes, available, user, tag(number, role));
  }
  std::uint32_t send(std::uint32_t number, Role role, std::int64_t bytes) { return send(number, role, bytes, bytes); }
  void has_left(std::uint32_t number, Role role) {
    Transfer& transfer = all[number];
    const bool to_server = role == Role::request || (role == Role::data && transfer.kind == FileRequest::Kind::write);
    reporter.end(transfer.sends[static_cast<std::size_t>(role)], IoLayer::bmi,
                 to_server ? transfer.client.station : transfer.station);
  }
  /// Removes the transfer if it is no longer needed.
  void let_go(std::uint32_t number) {
    if (all[number].client_done && all[number].open_pieces == 0) all.remove(number);
  }
};

} // namespace hypermon::piosim
