// SPDX-License-Identifier: BSD-3-Clause
// NX/2's messages: short ones leave at once, long ones are asked for, granted and then sent; what is on the wire is
// matched with SimGrid's transfers.
#include "hw/cosim/simgrid_date.hpp"
#include "sw/nx2/interrupt.hpp"

#include <simgrid/s4u/Semaphore.hpp>

#include <algorithm>

namespace hypermon {
namespace sg4 = simgrid::s4u;

std::shared_ptr<Message> Nx2::prepare(int source, int destination, int tag, Context context, std::int64_t bytes,
                                      bool blocks, bool synchronous) {
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

void Nx2::send(const std::shared_ptr<Message>& message) {
  matchers_[static_cast<std::size_t>(message->destination)].send(message);
  if (traffic_) [[unlikely]]
    traffic_->sent(message->source, message->bytes);
  if (!io_observers_.empty()) [[unlikely]]
    tell_begins(*message);
  before_wire_.emplace(wire(*message, message->bytes), message);
  if (!message->is_short) later(now() + flight(*message), [this, message] { request_arrives(message); });
}

void Nx2::tell_begins(Message& message) {
  const RankState& sender = ranks_[static_cast<std::size_t>(message.source)];
  message.told = io_observers_.number();
  const MessageStep step{.id = message.told,
                         .cause = OperationId::of_call(sender.rank, sender.call_number),
                         .receivers = {},
                         .algorithm = sender.algorithm,
                         .step = sender.algorithm_step,
                         .from = message.source,
                         .to = message.destination,
                         .bytes = message.bytes};
  io_observers_.tell([&](IoObserver& o) { o.begins(now(), step); });
}

Nx2::Wire Nx2::wire(const Message& message, std::int64_t bytes) const {
  return {place_of(message.source), place_of(message.destination),
          static_cast<double>(bytes) + Machine::smpi_header_bytes};
}

void Nx2::shorten(const std::shared_ptr<Message>& message, std::int64_t bytes) {
  take_from_wire(message);
  before_wire_.emplace(wire(*message, bytes), message);
}

void Nx2::take_from_wire(const std::shared_ptr<Message>& message) {
  const auto [first, last] = before_wire_.equal_range(wire(*message, message->bytes));
  const auto it = std::find_if(first, last, [&](const auto& entry) { return entry.second == message; });
  if (it != last) before_wire_.erase(it);
}

bool Nx2::withdraw(const std::shared_ptr<Message>& message) {
  if (!matcher(message->destination).withdraw(message)) return false;
  if (!message->is_short) take_from_wire(message); // a short one is under way
  message->is_cancelled = true;
  return true;
}

Time Nx2::flight(const Message& message) const {
  return machine_.control_flight(place_of(message.source), place_of(message.destination));
}

std::shared_ptr<const Message> Nx2::probe(int rank, const Receive& wanted) const {
  return matchers_[static_cast<std::size_t>(rank)].probe(wanted);
}

void Nx2::await_notice(int rank) {
  auto& semaphore = awaiting_notice_[static_cast<std::size_t>(rank)];
  semaphore = sg4::Semaphore::create(0);
  semaphore->acquire();
  semaphore = nullptr;
}

void Nx2::give_notice(int rank) {
  if (const auto& semaphore = awaiting_notice_[static_cast<std::size_t>(rank)]) semaphore->release();
}

void Nx2::post(int rank, const std::shared_ptr<Receive>& receive) {
  matchers_[static_cast<std::size_t>(rank)].post(receive);
}

void Nx2::later(Time when, const std::function<void()>& action) {
  ++timers_;
  set_timer(when, [this, action] {
    --timers_;
    ++progress_;
    action();
  });
}

void Nx2::request_arrives(const std::shared_ptr<Message>& message) {
  message->request_noticed = true;
  interrupt(kernel(message->destination), now(), [&](NodeKernel& k) {
    k.emit(Point::request_arrived, describe(*message, message->source));
    if (message->receive.lock()) grant(k, message);
  });
  give_notice(message->destination);
}

void Nx2::grant(NodeKernel& k, const std::shared_ptr<Message>& message) {
  message->granted = true;
  k.spend(overhead(message->bytes));
  ++timers_;
  k.then([this, message](Time end) {
    --timers_;
    later(end + flight(*message), [this, message] {
      if (message->grant)
        message->grant->release();
      else
        interrupt(kernel(message->source), now(), [&](NodeKernel& sender) { take_grant(sender, *message); });
    });
  });
  k.emit(Point::grant_sent, describe(*message, message->source));
}

void Nx2::take_grant(NodeKernel& k, const Message& message) const {
  k.emit(Point::grant_received, describe(message, message.destination));
  k.spend(overhead(message.bytes));
}

Nx2::Messages::node_type Nx2::take(Messages& messages, const Machine::Transfer& transfer) {
  const Wire wire{transfer.from, transfer.to, transfer.size};
  const auto it = messages.lower_bound(wire);
  if (it == messages.end() || it->first != wire) return {}; // SMPI's own
  return messages.extract(it);
}

void Nx2::transfer_begins(const Machine::Transfer& transfer) {
  ++transfers_;
  ++progress_;
  if (traffic_) [[unlikely]]
    traffic_->begins(transfer.from, transfer.to);
  if (auto m = take(before_wire_, transfer)) on_wire_.insert(std::move(m));
}

void Nx2::transfer_ends(const Machine::Transfer& transfer) {
  --transfers_;
  ++progress_;
  if (traffic_) [[unlikely]]
    traffic_->ends(transfer.from, transfer.to, transfer.size);
  if (const auto m = take(on_wire_, transfer)) data_arrive(*m.mapped());
}

void Nx2::data_arrive(Message& message) {
  message.arrived = true;
  if (message.told) [[unlikely]]
    io_observers_.tell([&](IoObserver& o) { o.ends(now(), message.told); });
  if (traffic_) [[unlikely]]
    traffic_->received(message.destination, message.bytes);
  const auto receive = message.receive.lock();
  if (!receive || !receive->blocked) note_arrival(message);
  if (!message.is_short && !message.grant)
    interrupt(kernel(message.source), now(), [&](NodeKernel& k) { finish_departure(k, message); });
}

void Nx2::note_arrival(Message& message) {
  message.arrival_noticed = true;
  interrupt(kernel(message.destination), now(), [&](NodeKernel& k) { take_delivery(k, message); });
  give_notice(message.destination);
}

void Nx2::unblock(Receive& receive) {
  receive.blocked = false;
  if (receive.message && receive.message->arrived && !receive.message->arrival_noticed) note_arrival(*receive.message);
}

void Nx2::take_delivery(NodeKernel& k, const Message& message) const {
  k.spend(overhead(message.bytes));
  k.emit(message.is_short ? Point::message_arrived : Point::data_done, describe(message, message.source), message.id,
         MessageSide::receive);
}

void Nx2::finish_departure(NodeKernel& k, const Message& message) const {
  k.emit(Point::dma_done, describe(message, message.destination));
}

} // namespace hypermon
