// SPDX-License-Identifier: BSD-3-Clause
// Counts SMPI's messages (machine.messages = smpi) for counters: all that its requests send and receive, including
// those of collectives and of one-sided calls. smpi_requests.cpp reports the requests, SimGrid reports the transfers.
//
// A message is sent when its request has been started: its rank has handed it over and paid for that. The transfer
// begins when the receive is posted, too, whatever the message's length. It begins at once for one-sided calls, and
// where the receiver's node accepts short messages early (smpi.async_small_thresh). The message is received when its
// transfer ends.
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
  /// An SMPI request, and SimGrid's communication that carries a message. Only their addresses are known.
  using Request = const void*;
  using Carrier = const void*;
  /// Rank of a process with a SimGrid number; none if it is not a rank.
  using RankOf = std::function<std::optional<int>(aid_t)>;
  /// The current MPI call of a rank, for observers of its next message. The `algorithm` is the name of that function.
  using CallOf = std::function<MessageStep(int rank)>;

  /// `places`: host of each rank. `traffic` counts messages and transfers. `observers` are notified of messages, from
  /// the start of the request to the end of the transfer. All must outlive this object.
  SmpiMessages(Traffic& traffic, std::vector<const simgrid::s4u::Host*> places, RankOf rank_of,
               const IoObservers& observers, CallOf call_of);

  // Reports of SMPI's actions.
  /// `flags`: SMPI's flags of the request.
  void made(Request request, aid_t from, aid_t to, std::int64_t bytes, unsigned flags);
  /// A request is started in its rank's actor: called before and after.
  void starts(Request request);
  void started(Request request);
  /// SMPI checks whether a request that seeks a partner matches a waiting request, whose communication is `carrier`,
  /// and then checks the same pair from the other side. They match if both checks succeed.
  void compared(Request own, Request other, Carrier carrier, bool fits);
  /// MPI_Cancel was called for the request.
  void cancelled(Request request);
  /// `start`: begin of the transfer in seconds. `size` includes SMPI's header.
  void transfer_ended(Carrier carrier, double start, double size);
  /// Calls f for each transfer under way, with its ends and the bytes transferred until now.
  void for_transfers_under_way(const Traffic::Moved& f) const;

  // Current state of a rank.
  std::uint64_t posted(int rank) const { return entry(rank).posted; }
  std::uint64_t unexpected(int rank) const { return entry(rank).unexpected; }
  /// Data for which no receive is posted. Data of sends that have returned count at the sender; data that the
  /// receiver's node accepted early count at the receiver.
  std::int64_t buffered_bytes(int rank) const { return entry(rank).buffered_bytes; }

private:
  struct Message {
    int from;
    int to;
    std::int64_t bytes;
    double sent; // time when it was handed over, in seconds
    bool copied; // the send does not wait for the receive
    bool early;  // the transfer does not wait for the receive either
    std::optional<int> buffered_at{};
    OperationId reported_as{};
  };
  using MessagePtr = std::shared_ptr<Message>;
  struct Made {
    aid_t from;
    aid_t to;
    std::int64_t bytes;
    unsigned flags;
    Request partner = nullptr; // found while the request was being started
    Carrier carrier = nullptr;
    std::deque<MessagePtr> sent{}; // messages without a posted receive
    int posted = 0;                // number of receive requests without a message
  };
  struct OfRank {
    std::uint64_t posted = 0;
    std::uint64_t unexpected = 0;
    std::int64_t buffered_bytes = 0;
  };
  /// The last check succeeded; the check from the other side is awaited.
  struct Checked {
    Request own;
    Request other;
    Carrier carrier;
  };

  void started_send(Made& own);
  void started_receive(Made& own);
  void begins(const MessagePtr& message, Carrier carrier);
  void goes_early(const MessagePtr& message);
  void report_begin(Message& message);
  void ends(Message& message);
  void buffer(Message& message, int rank);
  void release(Message& message);
  static double wire_size(const Message& message);
  Made* find(Request request);
  const OfRank& entry(int rank) const { return ranks_[static_cast<std::size_t>(rank)]; }
  OfRank& entry(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  const simgrid::s4u::Host* place(int rank) const { return places_[static_cast<std::size_t>(rank)]; }

  Traffic& traffic_;
  std::vector<const simgrid::s4u::Host*> places_;
  RankOf rank_of_;
  const IoObservers& observers_;
  CallOf call_of_;
  std::int64_t copied_below_; // smpi/send-is-detached-thresh
  std::int64_t early_below_;  // smpi/async-small-thresh
  std::vector<OfRank> ranks_;
  std::unordered_map<Request, Made> requests_; // SMPI may reuse an address: then the entry is made again
  std::optional<Checked> checked_;
  std::unordered_map<Carrier, MessagePtr> carried_; // under way
  std::list<MessagePtr> early_;                     // messages under way whose carrier is not known yet
};

/// Symbols of libsimgrid that smpi_requests.cpp overrides.
namespace smpi_symbols {
inline constexpr const char* made = "_ZN7simgrid4smpi7RequestC1EPKviPNS0_8DatatypeElliPNS0_4CommEjPNS0_2OpE";
inline constexpr const char* start = "_ZN7simgrid4smpi7Request5startEv";
inline constexpr const char* match_send = "_ZN7simgrid4smpi7Request10match_sendEPvS2_PNS_6kernel8activity8CommImplE";
inline constexpr const char* match_recv = "_ZN7simgrid4smpi7Request10match_recvEPvS2_PNS_6kernel8activity8CommImplE";
} // namespace smpi_symbols
/// True if this SimGrid has all these symbols.
bool smpi_shows_messages();

/// Observer of SMPI's requests; null: messages are not counted.
extern SmpiMessages* watched_smpi_messages;

} // namespace hypermon
