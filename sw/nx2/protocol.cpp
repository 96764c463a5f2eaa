// SPDX-License-Identifier: BSD-3-Clause
// NX/2's messages: short ones leave at once, long ones are requested, granted and then sent. Messages on the wire are
// matched with SimGrid's transfers.
#include "sw/nx2/protocol.hpp"
#include "hw/cosim/simgrid_date.hpp"
#include "sw/nx2/calls.hpp"

#include <simgrid/s4u/Semaphore.hpp>

#include <algorithm>

namespace hypermon {
namespace sg4 = simgrid::s4u;

MessageProtocol::MessageProtocol(OperatingSystem& os, Machine& machine, MpiLayer& mpi)
    : os_(os), machine_(machine), mpi_(mpi), matchers_(os.ranks.all().size()), awaiting_notice_(os.ranks.all().size()) {
  the_protocol = this;
  use_mpi(nx2_mpi);
  mpi.counts.ask_for_transfers([this](const Traffic::Moved& f) {
    machine_.for_transfers_under_way(
        [&f](const Machine::Transfer& transfer, double moved) { f(transfer.from, transfer.to, moved); });
  });
  mpi.counts.ask_for_queues([this](int rank) {
    const Matcher& own = matcher(rank);
    return MessageCounts::Queues{own.posted(), own.unexpected(), own.buffered_bytes()};
  });
}

MessageProtocol::~MessageProtocol() { the_protocol = nullptr; }

void MessageProtocol::start() {
  machine_.watch_transfers([this](const Machine::Transfer& t) { transfer_begins(t); },
                           [this](const Machine::Transfer& t) { transfer_ends(t); });
}

std::shared_ptr<Message> MessageProtocol::prepare(int source, int destination, int tag, Context context,
                                                  std::int64_t bytes, bool blocks, bool synchronous) {
  auto message = std::make_shared<Message>();
  message->id = next_message_++;
  message->context = context;
  message->source = source;
  message->destination = destination;
  message->tag = tag;
  message->bytes = bytes;
  message->is_short = is_short(bytes) && !synchronous;
  if (blocks && !message->is_short) message->grant = sg4::Semaphore::create(0);
  return message;
}

void MessageProtocol::send(const std::shared_ptr<Message>& message) {
  matchers_[static_cast<std::size_t>(message->destination)].send(message);
  if (Traffic* traffic = mpi_.counts.counted()) [[unlikely]]
    traffic->sent(message->source, message->bytes);
  if (!mpi_.io_observers.empty()) [[unlikely]]
    tell_begins(*message);
  before_wire_.emplace(wire(*message, message->bytes), message);
  if (!message->is_short) later(simgrid_now() + flight(*message), [this, message] { request_arrives(message); });
}

void MessageProtocol::tell_begins(Message& message) {
  const RankState& sender = os_.ranks.all()[static_cast<std::size_t>(message.source)];
  message.reported_as = mpi_.io_observers.number();
  const MessageStep step{.id = message.reported_as,
                         .cause = OperationId::of_call(sender.rank, sender.call.number),
                         .receivers = {},
                         .algorithm = sender.algorithm.name,
                         .step = sender.algorithm.number,
                         .from = message.source,
                         .to = message.destination,
                         .bytes = message.bytes};
  mpi_.io_observers.notify([&](IoObserver& o) { o.begins(simgrid_now(), step); });
}

MessageProtocol::Wire MessageProtocol::wire(const Message& message, std::int64_t bytes) const {
  return {os_.ranks.place_of(message.source), os_.ranks.place_of(message.destination),
          static_cast<double>(bytes) + Machine::smpi_header_bytes};
}

void MessageProtocol::shorten(const std::shared_ptr<Message>& message, std::int64_t bytes) {
  take_from_wire(message);
  before_wire_.emplace(wire(*message, bytes), message);
}

void MessageProtocol::take_from_wire(const std::shared_ptr<Message>& message) {
  const auto [first, last] = before_wire_.equal_range(wire(*message, message->bytes));
  const auto it = std::find_if(first, last, [&](const auto& entry) { return entry.second == message; });
  if (it != last) before_wire_.erase(it);
}

bool MessageProtocol::withdraw(const std::shared_ptr<Message>& message) {
  if (!matcher(message->destination).withdraw(message)) return false;
  if (!message->is_short) take_from_wire(message); // a short message is under way already
  message->is_cancelled = true;
  return true;
}

Time MessageProtocol::flight(const Message& message) const {
  return machine_.control_flight(os_.ranks.place_of(message.source), os_.ranks.place_of(message.destination));
}

std::shared_ptr<const Message> MessageProtocol::probe(int rank, const Receive& wanted) const {
  return matchers_[static_cast<std::size_t>(rank)].probe(wanted);
}

void MessageProtocol::await_notice(int rank) {
  auto& semaphore = awaiting_notice_[static_cast<std::size_t>(rank)];
  semaphore = sg4::Semaphore::create(0);
  semaphore->acquire();
  semaphore = nullptr;
}

void MessageProtocol::give_notice(int rank) {
  if (const auto& semaphore = awaiting_notice_[static_cast<std::size_t>(rank)]) semaphore->release();
}

void MessageProtocol::post(int rank, const std::shared_ptr<Receive>& receive) {
  matchers_[static_cast<std::size_t>(rank)].post(receive);
}

void MessageProtocol::later(Time when, const std::function<void()>& action) {
  os_.wake_ups.sets_timer();
  set_timer(when, [this, action] {
    os_.wake_ups.timer_is_done();
    os_.wake_ups.notes_progress();
    action();
  });
}

void MessageProtocol::request_arrives(const std::shared_ptr<Message>& message) {
  message->request_noticed = true;
  os_.kernels.interrupt(kernel(message->destination), simgrid_now(), [&](NodeKernel& k) {
    k.emit(Point::request_arrived, describe(*message, message->source));
    if (message->receive.lock()) grant(k, message);
  });
  give_notice(message->destination);
}

void MessageProtocol::grant(NodeKernel& k, const std::shared_ptr<Message>& message) {
  message->granted = true;
  k.spend(overhead(message->bytes));
  os_.wake_ups.sets_timer();
  k.then([this, message](Time end) {
    os_.wake_ups.timer_is_done();
    later(end + flight(*message), [this, message] {
      if (message->grant)
        message->grant->release();
      else
        os_.kernels.interrupt(kernel(message->source), simgrid_now(),
                              [&](NodeKernel& sender) { take_grant(sender, *message); });
    });
  });
  k.emit(Point::grant_sent, describe(*message, message->source));
}

void MessageProtocol::take_grant(NodeKernel& k, const Message& message) const {
  k.emit(Point::grant_received, describe(message, message.destination));
  k.spend(overhead(message.bytes));
}

MessageProtocol::Messages::node_type MessageProtocol::take(Messages& messages, const Machine::Transfer& transfer) {
  const Wire wire{transfer.from, transfer.to, transfer.size};
  const auto it = messages.lower_bound(wire);
  if (it == messages.end() || it->first != wire) return {}; // a transfer of SMPI's own
  return messages.extract(it);
}

void MessageProtocol::transfer_begins(const Machine::Transfer& transfer) {
  os_.wake_ups.transfer_begins();
  if (Traffic* traffic = mpi_.counts.counted()) [[unlikely]]
    traffic->begins(transfer.from, transfer.to);
  if (auto m = take(before_wire_, transfer)) on_wire_.insert(std::move(m));
}

void MessageProtocol::transfer_ends(const Machine::Transfer& transfer) {
  os_.wake_ups.transfer_ends();
  if (Traffic* traffic = mpi_.counts.counted()) [[unlikely]]
    traffic->ends(transfer.from, transfer.to, transfer.size);
  if (const auto m = take(on_wire_, transfer)) data_arrive(*m.mapped());
}

void MessageProtocol::data_arrive(Message& message) {
  message.arrived = true;
  if (message.reported_as) [[unlikely]]
    mpi_.io_observers.notify([&](IoObserver& o) { o.ends(simgrid_now(), message.reported_as); });
  if (Traffic* traffic = mpi_.counts.counted()) [[unlikely]]
    traffic->received(message.destination, message.bytes);
  const auto receive = message.receive.lock();
  if (!receive || !receive->blocked) note_arrival(message);
  if (!message.is_short && !message.grant)
    os_.kernels.interrupt(kernel(message.source), simgrid_now(), [&](NodeKernel& k) { finish_departure(k, message); });
}

void MessageProtocol::note_arrival(Message& message) {
  message.arrival_noticed = true;
  os_.kernels.interrupt(kernel(message.destination), simgrid_now(), [&](NodeKernel& k) { take_delivery(k, message); });
  give_notice(message.destination);
}

void MessageProtocol::unblock(Receive& receive) {
  receive.blocked = false;
  if (receive.message && receive.message->arrived && !receive.message->arrival_noticed) note_arrival(*receive.message);
}

void MessageProtocol::take_delivery(NodeKernel& k, const Message& message) const {
  k.spend(overhead(message.bytes));
  k.emit(message.is_short ? Point::message_arrived : Point::data_done, describe(message, message.source), message.id,
         MessageSide::receive);
}

void MessageProtocol::finish_departure(NodeKernel& k, const Message& message) const {
  k.emit(Point::dma_done, describe(message, message.destination));
}

} // namespace hypermon
