// SPDX-License-Identifier: BSD-3-Clause
// The client libraries of the parallel file system: calls become requests to servers, data and acknowledgements (facts,
// piosim_rules and hdtrace). Time passes on the network, at the stations' processors and in the servers.
#pragma once
#include "hw/packets/core/files.hpp"
#include "hw/packets/core/server.hpp"
#include "hw/packets/core/stations.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

namespace hypermon::piosim {

class FileClients : MessageUser, JobUser {
public:
  /// `first_server`: the station of server 0, which the other servers follow.
  FileClients(const PfsParams& params, const PfsCacheParams& cache, const PfsDiskParams& disk, std::size_t stations,
              Station first_server, Events& events, Network& network, Stations& processors,
              const IoObservers& observers);

  using Done = std::function<void(FileAnswer)>;
  void submit(FileRequest request, Done done);
  Files& files() { return files_; }
  const Files& files() const { return files_; }
  const std::deque<FileServer>& servers() const { return servers_; }
  /// Number of calls that have not returned.
  std::size_t under_way() const { return calls_.size(); }

private:
  struct Call {
    FileRequest request{};
    Done done{};
    FileAnswer answer{};
    std::vector<std::uint32_t> transfers{};
    std::size_t awaited = 0; // number of messages before the next step
    OperationId id{};
  };
  enum class Step : std::uint8_t { request, data, end };

  void part_left(std::uint64_t tag, std::int64_t bytes) override;
  void left(std::uint64_t tag) override;
  void part_arrived(std::uint64_t tag, std::int64_t bytes) override;
  void arrived(std::uint64_t tag) override;
  void worked(std::uint64_t tag) override;

  void step(std::uint32_t call, Step step);
  void make_transfers(std::uint32_t call);
  void add_transfer(std::uint32_t call, StripPattern::Share share);
  void send_requests(std::uint32_t call);
  void send_data(std::uint32_t transfer, std::int64_t available);
  void one_less(std::uint32_t call, Step then);
  void over_for_client(std::uint32_t transfer);
  void finish(std::uint32_t call);
  std::int64_t request_bytes(const Call& call, const Transfer& transfer) const;
  FileServer& server_of(std::uint32_t transfer) { return servers_[transfers_.all[transfer].server]; }

  PfsParams params_;
  Events& events_;
  Stations& processors_;
  Files files_;
  Transfers transfers_;
  std::deque<FileServer> servers_;
  Pool<Call> calls_;
};

} // namespace hypermon::piosim
