// SPDX-License-Identifier: BSD-3-Clause
// An NFS server and the clients of its computers, call by call. No simulation kernel: the network is Nfs::Below, time
// is the Agenda's.
//
// A call waits for a slot of its computer's table, goes to the server, waits for a thread, and for the journal if it
// changes a directory; then it is served, done, and answered. A server that is down forgets what it was asked and hears
// nothing; who is not answered asks again, as hard mounts do.
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
  std::uint64_t calls = 0; ///< done
  Time served;
  Time waited;  ///< at the server, before that
  Time longest; ///< from the client's call to its answer
};

struct Counts {
  std::array<ProcedureCounts, procedures> by_procedure;
  Time journal_busy;
  std::uint64_t longest_queue = 0;   ///< calls that were at the server at once
  std::uint64_t retransmissions = 0; ///< of requests
  std::uint64_t duplicates = 0;      ///< requests that the server knew
  std::uint64_t lost = 0;            ///< requests that came while it was down, or were there when it went
  std::uint64_t not_responding = 0;  ///< calls of which a client said so
  Time first_not_responding = Time::never();
  Time longest_not_responding; ///< that such a call took
};

class Nfs {
public:
  class Below {
  public:
    virtual ~Below() = default;
    /// Moves so many bytes between the client's computer and the server's; `arrived` is called when all are there.
    virtual void carry(Client client, bool to_server, std::int64_t bytes, std::function<void()> arrived) = 0;
  };
  Nfs(const NfsParams& params, std::vector<Outage> outages, Agenda& agenda, Below& below);

  struct Request {
    Procedure procedure{};
    std::int64_t bytes = 0;      ///< of the request
    std::int64_t data_bytes = 0; ///< that it writes or reads
    bool stable = true;          ///< of a write: it is on stable storage before the answer
  };
  /// `done`: the server has done it, and says how many bytes its answer has. `answered`: that has come.
  void call(Client client, const Request& request, std::function<std::int64_t()> done, std::function<void()> answered);
  /// A directory as its client's kernel locks it: one process at a time, in the order in which they come. Without
  /// directory_lock everybody has it at once.
  void lock(Client client, const std::string& directory, std::function<void()> granted);
  void unlock(Client client, const std::string& directory);

  const Counts& counts() const { return counts_; }
  /// Calls that nobody has answered yet.
  std::size_t under_way() const { return under_way_; }

private:
  struct Call {
    Client client;
    Request request;
    std::function<std::int64_t()> done;
    std::function<void()> answered;
    Time begun{};
    Time arrived{};
    std::int64_t cascade = 0; // of retransmissions, and how many of it there were
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
  std::map<std::pair<Client, std::string>, std::deque<std::function<void()>>> locks_; // the first one has it
  bool is_down_ = false;
  std::uint64_t life_ = 0; // of the server, between outages
  std::int64_t free_threads_;
  bool journal_taken_ = false;
  std::deque<Ptr> queue_;       // for a thread
  std::deque<Ptr> for_journal_; // with a thread
  std::vector<Ptr> served_;
  std::size_t under_way_ = 0;
};

} // namespace hypermon::nfs
