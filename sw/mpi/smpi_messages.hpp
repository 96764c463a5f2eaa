// SPDX-License-Identifier: BSD-3-Clause
// SMPI's messages (machine.messages = smpi), counted for those who read counters: what its requests send and receive,
// those of its collectives and of one-sided calls included. smpi_requests.cpp tells of them, SimGrid of the transfers.
//
// A message is sent when its request has been started: its rank has handed it over and paid for that. Its transfer
// begins when the receive is posted, too (SMPI's, however short the message is), or at once where the receiver's node
// takes short messages early (smpi.async_small_thresh) and for one-sided calls. It is received when its transfer ends.
#pragma once
#include "hw/packets/core/io_observers.hpp"
#include "sw/mpi/traffic.hpp"

#include <smpi/smpi.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace hypermon {

class SmpiMessages {
public:
  /// A request of SMPI's, and SimGrid's communication that carries a message: known by their addresses alone.
  using Request = const void*;
  using Carrier = const void*;
  /// Of a process, by SimGrid's number; none if it is not a rank.
  using RankOf = std::function<std::optional<int>(aid_t)>;
  /// What is to be told of a rank's next message: the call that it is in. Its `algorithm` is that function's name.
  using CallOf = std::function<MessageStep(int rank)>;

  /// `places`: of each rank. `traffic`: where messages and transfers are counted. `observers`: told of messages, from
  /// their being handed over to the end of their transfers. All must live longer.
  SmpiMessages(Traffic& traffic, std::vector<const simgrid::s4u::Host*> places, RankOf rank_of,
               const IoObservers& observers, CallOf call_of);

  // What SMPI does.
  /// `flags`: SMPI's.
  void made(Request request, aid_t from, aid_t to, std::int64_t bytes, unsigned flags);
  /// The request is started, from its rank's actor: before and after.
  void starts(Request request);
  void started(Request request);
  /// SMPI asks of a request that looks for a partner and of one that waits (its communication: `carrier`) whether they
  /// belong together, then once more the other way round. They do if both answers are yes.
  void compared(Request own, Request other, Carrier carrier, bool fits);
  /// MPI_Cancel was called.
  void cancelled(Request request);
  /// `start`: when the transfer began, in seconds; `size` with SMPI's header.
  void transfer_ended(Carrier carrier, double start, double size);
  /// Where each transfer under way goes, and how many of its bytes have passed by now.
  void for_transfers_under_way(const Traffic::Moved& f) const;

  // What is there now, of a rank.
  std::uint64_t posted(int rank) const { return of(rank).posted; }
  std::uint64_t unexpected(int rank) const { return of(rank).unexpected; }
  /// Data that no receive is posted for: of sends that have returned without one, where they were sent; what the
  /// receiver's node took early, there.
  std::int64_t buffered_bytes(int rank) const { return of(rank).buffered_bytes; }

private:
  struct Message {
    int from;
    int to;
    std::int64_t bytes;
    double sent; // when it was handed over, in seconds
    bool copied; // its send does not wait for the receive
    bool early;  // nor does its transfer
    std::optional<int> buffered_at{};
    OperationId told{};
  };
  using MessagePtr = std::shared_ptr<Message>;
  struct Made {
    aid_t from;
    aid_t to;
    std::int64_t bytes;
    unsigned flags;
    Request partner = nullptr; // found while it was being started
    Carrier carrier = nullptr;
    std::deque<MessagePtr> sent{}; // that no receive is posted for
    int posted = 0;                // of a receive: that no message was sent for
  };
  struct OfRank {
    std::uint64_t posted = 0;
    std::uint64_t unexpected = 0;
    std::int64_t buffered_bytes = 0;
  };
  /// The last answer was yes: the other one is awaited.
  struct Asked {
    Request own;
    Request other;
    Carrier carrier;
  };

  void started_send(Made& own);
  void started_receive(Made& own);
  void begins(const MessagePtr& message, Carrier carrier);
  void goes_early(const MessagePtr& message);
  void tell_begins(Message& message);
  void ends(Message& message);
  void buffer(Message& message, int rank);
  void release(Message& message);
  static double wire_size(const Message& message);
  Made* find(Request request);
  const OfRank& of(int rank) const { return ranks_[static_cast<std::size_t>(rank)]; }
  OfRank& of(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  const simgrid::s4u::Host* place(int rank) const { return places_[static_cast<std::size_t>(rank)]; }

  Traffic& traffic_;
  std::vector<const simgrid::s4u::Host*> places_;
  RankOf rank_of_;
  const IoObservers& observers_;
  CallOf call_of_;
  std::int64_t copied_below_; // smpi/send-is-detached-thresh
  std::int64_t early_below_;  // smpi/async-small-thresh
  std::vector<OfRank> ranks_;
  std::unordered_map<Request, Made> requests_; // an address that SMPI uses again is made again
  std::optional<Asked> asked_;
  std::unordered_map<Carrier, MessagePtr> carried_; // under way
  std::list<MessagePtr> early_;                     // under way, of which nobody has said who carries them
};

/// Symbols of libsimgrid that smpi_requests.cpp stands before.
namespace smpi_symbols {
inline constexpr const char* made = "_ZN7simgrid4smpi7RequestC1EPKviPNS0_8DatatypeElliPNS0_4CommEjPNS0_2OpE";
inline constexpr const char* start = "_ZN7simgrid4smpi7Request5startEv";
inline constexpr const char* match_send = "_ZN7simgrid4smpi7Request10match_sendEPvS2_PNS_6kernel8activity8CommImplE";
inline constexpr const char* match_recv = "_ZN7simgrid4smpi7Request10match_recvEPvS2_PNS_6kernel8activity8CommImplE";
} // namespace smpi_symbols
/// Has this SimGrid all of them?
bool smpi_shows_messages();

/// Who is told; null: nobody asks.
extern SmpiMessages* watched_smpi_messages;

} // namespace hypermon
