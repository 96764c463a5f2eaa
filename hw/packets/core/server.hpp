// SPDX-License-Identifier: BSD-3-Clause
// A server of the file system: its handling of requests and data.
#pragma once
#include "hw/packets/core/cache.hpp"
#include "hw/packets/core/transfer.hpp"

#include <cstdint>
#include <deque>

namespace hypermon::piosim {

struct ServerCounts {
  std::uint64_t requests = 0;
  std::uint64_t data_packets = 0;
  Time stopped;                   ///< time for which its interface accepted no packets because there was no room
  std::uint64_t most_pending = 0; ///< most pieces at TROVE at one time
  std::uint64_t flow_stalls = 0;  ///< number of times that all buffers of a flow waited for TROVE
};

class FileServer : CacheUser {
public:
  FileServer(Station station, Transfers& transfers, const PfsCacheParams& cache, const PfsDiskParams& disk);

  /// The request has arrived, with the data of a small write.
  void request(std::uint32_t transfer);
  /// Data to be written have arrived.
  void data(std::uint32_t transfer, std::int64_t bytes);
  /// `bytes` of the read data or of the reply have begun to leave.
  void part_left(std::uint32_t transfer, std::int64_t bytes);
  /// The last byte for the client has begun to leave.
  void left(std::uint32_t transfer);

  const ServerCounts& counts() const { return counts_; }
  const ServerCache& cache() const { return cache_; }
  Station station() const { return station_; }

private:
  struct Offer {
    std::uint32_t transfer;
    std::uint32_t piece;
  };

  void cached(const CacheJob& job) override;
  void has_room() override;
  void disk_begins(const DiskOperation& operation, Seek seek, const CacheJob& cause) override;
  void disk_ends(const DiskOperation& operation) override;

  Transfer& at(std::uint32_t transfer) { return transfers_.all[transfer]; }
  std::uint32_t open_piece(std::uint32_t transfer, std::int64_t bytes);
  void close_piece(std::uint32_t transfer, std::uint32_t piece);
  void end_trove(Transfer::Piece& piece);
  void give_jobs(std::uint32_t transfer, std::uint32_t piece, std::int64_t bytes);
  void offer(std::uint32_t transfer, std::int64_t bytes);
  void put(const Offer& offer);
  void complete(std::uint32_t transfer, std::int64_t bytes);
  void read_on(std::uint32_t transfer);
  void acknowledge(std::uint32_t transfer);
  bool counts_when_accepted(const Transfer& transfer) const;
  void stop();
  void tell_request(std::uint32_t transfer);
  void tell_state(Transfer& transfer, const char* name);

  Station station_;
  Transfers& transfers_;
  bool has_cache_;
  ServerCache cache_;
  std::deque<Offer> waiting_; // offers that wait for room
  bool stopped_ = false;
  Time stopped_since_;
  std::uint64_t pending_ = 0;
  OperationId at_disk_;
  ServerCounts counts_;
};

} // namespace hypermon::piosim
