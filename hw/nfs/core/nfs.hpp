// SPDX-License-Identifier: BSD-3-Clause
// An NFS server and the clients of its computers, call by call. No simulation kernel: the network is Nfs::Below, and
// time is the Agenda's.
//
// A call waits for a slot in its computer's table and travels to the server. There it waits for a thread and, if it
// changes a directory, for the journal; then it is served, completed and answered. A server that is down forgets its
// calls and receives nothing. Clients repeat unanswered calls, as hard mounts do.
#pragma once
#include "base/agenda.hpp"
#include "hw/nfs/core/outages.hpp"
#include "hw/nfs/core/params.hpp"
#include "hw/nfs/core/rpc.hpp"

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace hypermon::nfs {

/// A computer that has mounted the file system.
enum class Client : std::uint32_t {};

struct ProcedureCounts {
  std::uint64_t calls = 0; ///< completed calls
  Time served;
  Time waited;  ///< waiting time at the server, before the service
  Time longest; ///< longest time from the client's call to its answer
};

struct Counts {
  std::array<ProcedureCounts, procedures> by_procedure;
  Time journal_busy;
  std::uint64_t longest_queue = 0;   ///< most calls at the server at one time
  std::uint64_t retransmissions = 0; ///< repeated requests
  std::uint64_t duplicates = 0;      ///< requests that the server had received before
  std::uint64_t lost = 0; ///< requests that arrived while the server was down or that were there when it went down
  std::uint64_t not_responding = 0; ///< calls for which a client reported that the server is not responding
  Time first_not_responding = Time::never();
  Time longest_not_responding; ///< longest duration of a call without a response
};

class Nfs {
public:
  class Below {
  public:
    virtual ~Below() = default;
    /// Moves bytes between the client's computer and the server's; calls `arrived` when all of them have arrived.
    virtual void carry(Client client, bool to_server, std::int64_t bytes, std::function<void()> arrived) = 0;
  };
  Nfs(const NfsParams& params, std::vector<Outage> outages, Agenda& agenda, Below& below);

  struct Request {
    Procedure procedure{};
    std::int64_t bytes = 0;      ///< size of the request
    std::int64_t data_bytes = 0; ///< bytes that it writes or reads
    bool stable = true;          ///< a write that must be on stable storage before the answer
  };
  /// `done` is called when the server has completed the call, and returns the size of its answer. `answered` is called
  /// when that has arrived.
  void call(Client client, const Request& request, std::function<std::int64_t()> done, std::function<void()> answered);
  /// Acquires a directory as a client's kernel locks it: one process at a time, in the order of requests. Without
  /// directory_lock it is granted at once.
  void lock(Client client, const std::string& directory, std::function<void()> granted);
  void unlock(Client client, const std::string& directory);

  const Counts& counts() const { return counts_; }
  /// Number of calls without an answer.
  std::size_t under_way() const { return under_way_; }

private:
  struct Call {
    Client client;
    Request request;
    std::function<std::int64_t()> done;
    std::function<void()> answered;
    Time begun{};
    Time arrived{};
    std::int64_t cascade = 0; // cascades of retransmissions so far; sent_again counts within the current one
    std::int64_t sent_again = 0;
    Time patience{};
    bool is_at_server = false;
    bool is_done = false;
    bool is_answered = false;
    bool not_responding = false;
  };
  using Ptr = std::shared_ptr<Call>;
  struct Table {
    std::int64_t used = 0;
    std::deque<Ptr> waiting;
  };

  ProcedureCounts& counts_of(const Call& call) {
    return counts_.by_procedure[static_cast<std::size_t>(call.request.procedure)];
  }
  void begin(const Ptr& call);
  void send(const Ptr& call);
  void arm(const Ptr& call);
  void time_out(const Ptr& call);
  void arrive(const Ptr& call);
  void dispatch();
  bool needs_journal(const Call& call) const;
  void serve(const Ptr& call);
  void finish(const Ptr& call);
  void answer(const Ptr& call);
  void go_down();
  Time service(const Call& call) const;

  NfsParams params_;
  Agenda& agenda_;
  Below& below_;
  Counts counts_;
  std::map<Client, Table> tables_;
  std::map<std::pair<Client, std::string>, std::deque<std::function<void()>>> locks_; // the first one has the lock
  bool is_down_ = false;
  std::uint64_t life_ = 0; // counts the server's periods of operation between outages
  std::int64_t free_threads_;
  bool journal_taken_ = false;
  std::deque<Ptr> queue_;       // calls that wait for a thread
  std::deque<Ptr> for_journal_; // calls with a thread that wait for the journal
  std::vector<Ptr> served_;
  std::size_t under_way_ = 0;
};

} // namespace hypermon::nfs
