// SPDX-License-Identifier: BSD-3-Clause
#include "hw/packets/core/clients.hpp"

#include <utility>

namespace hypermon::piosim {

using Kind = FileRequest::Kind;

FileClients::FileClients(const PfsParams& params, const PfsCacheParams& cache, const PfsDiskParams& disk,
                         std::size_t stations, Station first_server, Events& events, Network& network,
                         Stations& processors, const IoObservers& observers)
    : params_(params), events_(events), processors_(processors),
      files_(params, disk), transfers_{params_, events, network, *this, StepReporter(events, observers, stations)} {
  for (std::int64_t s = 0; s < params.servers; ++s)
    servers_.emplace_back(Station{static_cast<std::uint32_t>(first_server) + static_cast<std::uint32_t>(s)}, transfers_,
                          cache, disk);
}

void FileClients::submit(FileRequest request, Done done) {
  Call call;
  for (const FileRegion& region : request.regions) call.answer.bytes += region.bytes;
  const std::int64_t asked = call.answer.bytes;
  if (request.kind == Kind::write) files_.take_room(request.file, request.regions);
  if (request.kind == Kind::read) files_.crop(request.file, request.regions);
  call.answer.bytes = 0;
  for (const FileRegion& region : request.regions) call.answer.bytes += region.bytes;
  if (request.kind == Kind::write && call.answer.bytes < asked) call.answer.error = FileAnswer::Error::no_space;
  if (transfers_.reporter.is_on()) {
    const char* const name = request.kind == Kind::read ? "read" : request.kind == Kind::write ? "write" : "flush";
    const std::int64_t offset = request.regions.empty() ? -1 : request.regions.front().offset;
    call.id = transfers_.reporter.begin(
        {{}, request.cause, IoLayer::client, Station{request.node}, name, request.kind, request.file, offset, asked});
  }
  call.request = std::move(request);
  call.done = std::move(done);
  step(calls_.add(std::move(call)), Step::request);
}

void FileClients::step(std::uint32_t number, Step step) {
  processors_.work(Station{calls_[number].request.node}, 1, *this,
                   static_cast<std::uint64_t>(number) << 2U | static_cast<std::uint64_t>(step));
}

void FileClients::worked(std::uint64_t tag) {
  const auto number = static_cast<std::uint32_t>(tag >> 2U);
  Call& call = calls_[number];
  switch (static_cast<Step>(tag & 3U)) {
  case Step::request:
    make_transfers(number);
    if (call.transfers.empty()) return finish(number); // the file has no data in these regions
    return send_requests(number);
  case Step::data:
    call.awaited = 2 * call.transfers.size(); // data that leave, and acknowledgements
    for (const std::uint32_t transfer : std::vector(call.transfers))
      send_data(transfer, transfers_.all[transfer].bytes);
    return;
  case Step::end:
    return finish(number);
  }
}

void FileClients::make_transfers(std::uint32_t number) {
  const FileRequest& request = calls_[number].request;
  for (StripPattern::Share& share : files_.pattern(request.file).shares(request.regions))
    add_transfer(number, std::move(share));
  if (request.kind == Kind::flush)
    for (std::uint32_t s = 0; s < servers_.size(); ++s) add_transfer(number, {s, 0, {}});
  if (request.kind == Kind::write && request.regions.empty()) add_transfer(number, {0, 0, {}}); // to be refused
}

void FileClients::add_transfer(std::uint32_t number, StripPattern::Share share) {
  Call& call = calls_[number];
  Transfer transfer;
  transfer.call = number;
  transfer.server = share.server;
  transfer.client = {Station{call.request.node}, call.request.rank};
  transfer.station = servers_[share.server].station();
  transfer.file = call.request.file;
  transfer.kind = call.request.kind;
  transfer.bytes = share.bytes;
  transfer.small = transfers_.is_pvfs() && share.bytes > 0 && share.bytes <= params_.small_io_bytes.number &&
                   share.regions.size() <= static_cast<std::size_t>(params_.regions_per_request);
  transfer.regions = std::move(share.regions);
  transfer.client_id = call.id;
  call.transfers.push_back(transfers_.all.add(std::move(transfer)));
}

/// A datatype takes as many bytes as one region (chosen).
std::int64_t FileClients::request_bytes(const Call& call, const Transfer& transfer) const {
  auto regions = static_cast<std::int64_t>(transfer.regions.size());
  if (call.request.datatype) regions = std::min<std::int64_t>(regions, 1);
  const std::int64_t data = transfer.small && transfer.kind == Kind::write ? transfer.bytes : 0;
  return params_.request_bytes.number + regions * params_.region_bytes.number + data;
}

void FileClients::send_requests(std::uint32_t number) {
  Call& call = calls_[number];
  call.awaited = call.transfers.size();
  for (const std::uint32_t transfer : std::vector(call.transfers))
    transfers_.send(transfer, Role::request, request_bytes(call, transfers_.all[transfer]));
}

void FileClients::send_data(std::uint32_t number, std::int64_t available) {
  Transfer& transfer = transfers_.all[number];
  transfer.available = available;
  const std::uint32_t message = transfers_.send(number, Role::data, transfer.bytes, available);
  transfers_.all[number].message = message;
}

/// One awaited message has arrived. After the last one the call continues with step `then`.
void FileClients::one_less(std::uint32_t number, Step then) {
  if (--calls_[number].awaited == 0) step(number, then);
}

void FileClients::part_left(std::uint64_t tag, std::int64_t bytes) {
  const Role role = Transfers::role_of(tag);
  const std::uint32_t number = Transfers::transfer_of(tag);
  if (role != Role::data && role != Role::reply) return;
  if (transfers_.all[number].kind == Kind::read) server_of(number).part_left(number, bytes);
}

void FileClients::left(std::uint64_t tag) {
  const std::uint32_t number = Transfers::transfer_of(tag);
  const Role role = Transfers::role_of(tag);
  transfers_.has_left(number, role);
  const Transfer& transfer = transfers_.all[number];
  const bool simulated_write = !transfers_.is_pvfs() && transfer.kind == Kind::write && transfer.bytes > 0;
  switch (role) {
  case Role::request:
    // The paper's simulator sends the data when all requests have left, whatever their result.
    if (simulated_write) one_less(transfer.call, Step::data);
    return;
  case Role::data:
    if (transfer.kind == Kind::read) return server_of(number).left(number);
    if (simulated_write) one_less(transfer.call, Step::end);
    return;
  case Role::acknowledgement:
  case Role::reply:
    return server_of(number).left(number);
  case Role::ready:
    return;
  }
}

void FileClients::part_arrived(std::uint64_t tag, std::int64_t bytes) {
  const std::uint32_t number = Transfers::transfer_of(tag);
  if (Transfers::role_of(tag) != Role::data || transfers_.all[number].kind != Kind::write) return;
  server_of(number).data(number, bytes);
}

void FileClients::arrived(std::uint64_t tag) {
  const std::uint32_t number = Transfers::transfer_of(tag);
  switch (Transfers::role_of(tag)) {
  case Role::request:
    return server_of(number).request(number);
  case Role::ready: {
    const std::int64_t window = params_.flow_buffers * params_.flow_buffer_bytes.number;
    return send_data(number, std::min(transfers_.all[number].bytes, window));
  }
  case Role::data:
    if (transfers_.all[number].kind == Kind::read) over_for_client(number);
    return;
  case Role::acknowledgement:
  case Role::reply:
    return over_for_client(number);
  }
}

void FileClients::over_for_client(std::uint32_t number) {
  Transfer& transfer = transfers_.all[number];
  const std::uint32_t call = transfer.call;
  const bool read_of_simulator = transfer.kind == Kind::read && !transfers_.is_pvfs();
  transfer.client_done = true;
  transfers_.let_go(number);
  if (!read_of_simulator) return one_less(call, Step::end);
  if (--calls_[call].awaited == 0) finish(call); // no further step follows
}

void FileClients::finish(std::uint32_t number) {
  Call call = std::move(calls_[number]);
  calls_.remove(number);
  if (call.request.kind == Kind::write)
    for (const FileRegion& region : call.request.regions)
      files_.written(call.request.file, region.offset + region.bytes);
  transfers_.reporter.end(call.id, IoLayer::client, Station{call.request.node});
  call.done(call.answer);
}

} // namespace hypermon::piosim
