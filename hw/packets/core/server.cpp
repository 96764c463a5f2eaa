// SPDX-License-Identifier: BSD-3-Clause
#include "hw/packets/core/server.hpp"

#include <utility>

namespace hypermon::piosim {

using Kind = FileRequest::Kind;

namespace {

/// Offset in the server's file of byte `position` of the data; -1 if there are no data.
std::int64_t place_of(const Transfer& transfer, std::int64_t position) {
  for (const FileRegion& region : transfer.regions) {
    if (position < region.bytes) return region.offset + position;
    position -= region.bytes;
  }
  return -1;
}

DiskOperation::Kind of_disk(Kind kind) {
  return kind == Kind::read    ? DiskOperation::Kind::read
         : kind == Kind::write ? DiskOperation::Kind::write
                               : DiskOperation::Kind::flush;
}

} // namespace

FileServer::FileServer(Station station, Transfers& transfers, const PfsCacheParams& cache, const PfsDiskParams& disk)
    : station_(station), transfers_(transfers), has_cache_(cache.model != CacheModel::none),
      cache_(cache, disk, transfers.params.granularity_bytes.number, transfers.events, *this) {}

void FileServer::request(std::uint32_t number) {
  ++counts_.requests;
  Transfer& transfer = at(number);
  tell_request(number);
  // refused, because there is no space
  if (transfer.bytes == 0 && transfer.kind == Kind::write) return acknowledge(number);
  if (transfer.kind == Kind::flush) return give_jobs(number, open_piece(number, 0), 0);
  if (transfer.kind == Kind::write) {
    if (transfer.small) return offer(number, transfer.bytes);
    if (transfers_.is_pvfs()) transfers_.send(number, Role::ready, transfers_.params.acknowledgement_bytes.number);
    return;
  }
  if (!transfer.small) transfer.message = transfers_.send(number, Role::data, transfer.bytes, 0);
  read_on(number);
}

// Writing ------------------------------------------------------------------------------------------------------------

void FileServer::data(std::uint32_t number, std::int64_t bytes) {
  ++counts_.data_packets;
  Transfer& transfer = at(number);
  transfer.taken += bytes;
  const bool is_last = transfer.taken == transfer.bytes;
  if (is_last) transfers_.reporter.end(transfer.receive_id, IoLayer::bmi, station_);
  if (!transfers_.is_pvfs()) return offer(number, bytes);
  const std::int64_t buffer = transfers_.params.flow_buffer_bytes.number;
  for (transfer.filling += bytes; transfer.filling >= buffer; transfer.filling -= buffer) offer(number, buffer);
  if (is_last && transfer.filling > 0) offer(number, std::exchange(transfer.filling, 0));
}

/// Passes data to the cache, or lets them wait for room. In the paper's simulator later packets then wait in the
/// network.
void FileServer::offer(std::uint32_t number, std::int64_t bytes) {
  const Offer own{number, open_piece(number, bytes)};
  const Transfer& transfer = at(number);
  if (transfers_.is_pvfs() && !transfer.small &&
      transfer.open_pieces == static_cast<std::size_t>(transfers_.params.flow_buffers))
    ++counts_.flow_stalls;
  if (waiting_.empty() && cache_.accepts(bytes)) return put(own);
  waiting_.push_back(own);
  if (!transfers_.is_pvfs()) stop();
}

void FileServer::stop() {
  if (std::exchange(stopped_, true)) return;
  stopped_since_ = transfers_.events.now();
  transfers_.network.stop(station_);
}

void FileServer::has_room() {
  while (!waiting_.empty()) {
    const Offer first = waiting_.front();
    if (!cache_.accepts(at(first.transfer).pieces[first.piece].bytes)) return;
    waiting_.pop_front();
    put(first);
  }
  if (!stopped_) return;
  stopped_ = false;
  counts_.stopped += transfers_.events.now() - stopped_since_;
  transfers_.network.go(station_);
}

bool FileServer::counts_when_accepted(const Transfer& transfer) const {
  return has_cache_ && (transfer.small || transfers_.params.flow_until == FlowUntil::accepted);
}

void FileServer::put(const Offer& own) {
  Transfer& transfer = at(own.transfer);
  const std::int64_t bytes = transfer.pieces[own.piece].bytes;
  transfer.accepted += bytes;
  give_jobs(own.transfer, own.piece, bytes);
  if (!transfers_.is_pvfs()) {
    if (transfer.accepted == transfer.bytes) acknowledge(own.transfer);
  } else if (counts_when_accepted(transfer)) {
    end_trove(transfer.pieces[own.piece]);
    complete(own.transfer, bytes);
  }
}

/// Used with PVFS's protocol. Counts `bytes` more of the transfer as written.
void FileServer::complete(std::uint32_t number, std::int64_t bytes) {
  Transfer& transfer = at(number);
  transfer.complete += bytes;
  if (transfer.complete == transfer.bytes) return acknowledge(number);
  // A buffer is free. The client learns this at once, through TCP's window, whose message back is not modelled
  // (chosen).
  const std::int64_t more = std::min(bytes, transfer.bytes - transfer.available);
  if (more == 0) return;
  transfer.available += more;
  transfers_.network.append(transfer.message, more);
}

void FileServer::acknowledge(std::uint32_t number) {
  Transfer& transfer = at(number);
  transfers_.reporter.end(transfer.flow_id, IoLayer::flow, station_);
  tell_state(transfer, "acknowledge");
  transfers_.send(number, Role::acknowledgement, transfers_.params.acknowledgement_bytes.number);
}

// Reading ------------------------------------------------------------------------------------------------------------

/// Requests the next data from the cache: all regions at once or, for PVFS, as much as the flow has buffers for.
void FileServer::read_on(std::uint32_t number) {
  Transfer& transfer = at(number);
  const PfsParams& params = transfers_.params;
  const bool flows = transfers_.is_pvfs() && !transfer.small;
  while (transfer.taken < transfer.bytes) {
    std::int64_t bytes = transfer.bytes - transfer.taken;
    if (flows) {
      const std::int64_t buffer = params.flow_buffer_bytes.number;
      if (transfer.taken - transfer.accepted > (params.flow_buffers - 1) * buffer) return;
      bytes = std::min(bytes, buffer);
    } else if (!transfer.small) {
      bytes = std::min(transfer.regions[transfer.region].bytes - transfer.in_region, params.granularity_bytes.number);
    }
    transfer.taken += bytes;
    give_jobs(number, open_piece(number, bytes), bytes);
  }
}

void FileServer::part_left(std::uint32_t number, std::int64_t bytes) {
  Transfer& transfer = at(number);
  if (transfer.small) bytes = std::min(bytes, transfer.bytes - transfer.accepted); // the reply is longer than its data
  transfer.accepted += bytes;
  cache_.give_back(bytes);
  if (transfers_.is_pvfs() && !transfer.small) read_on(number);
}

void FileServer::left(std::uint32_t number) {
  Transfer& transfer = at(number);
  StepReporter& reporter = transfers_.reporter;
  reporter.end(transfer.flow_id, IoLayer::flow, station_);
  reporter.end(transfer.state_id, IoLayer::server, station_, StepReporter::As::part);
  reporter.end(transfer.machine_id, IoLayer::server, station_);
  reporter.end(transfer.request_id, IoLayer::req, station_);
}

// Pieces and jobs ----------------------------------------------------------------------------------------------------

std::uint32_t FileServer::open_piece(std::uint32_t number, std::int64_t bytes) {
  Transfer& transfer = at(number);
  ++transfer.open_pieces;
  counts_.most_pending = std::max(counts_.most_pending, ++pending_);
  if (transfer.unused_pieces.empty()) {
    transfer.unused_pieces.push_back(static_cast<std::uint32_t>(transfer.pieces.size()));
    transfer.pieces.emplace_back();
  }
  const std::uint32_t piece = transfer.unused_pieces.back();
  transfer.unused_pieces.pop_back();
  transfer.pieces[piece] = {bytes, 0, {}};
  if (transfers_.reporter.is_on()) {
    const OperationId cause = transfer.flow_id ? transfer.flow_id : transfer.machine_id;
    const char* const name = transfer.kind == Kind::read ? "read" : transfer.kind == Kind::write ? "write" : "flush";
    const std::int64_t offset = place_of(transfer, transfer.in_pieces);
    transfer.pieces[piece].id = transfers_.reporter.begin(
        {{}, cause, IoLayer::trove, station_, name, transfer.kind, transfer.file, offset, bytes});
  }
  transfer.in_pieces += bytes;
  return piece;
}

void FileServer::end_trove(Transfer::Piece& piece) { transfers_.reporter.end(piece.id, IoLayer::trove, station_); }

void FileServer::close_piece(std::uint32_t number, std::uint32_t piece) {
  Transfer& transfer = at(number);
  end_trove(transfer.pieces[piece]);
  --pending_;
  --transfer.open_pieces;
  transfer.unused_pieces.push_back(piece);
}

/// Makes jobs of the next bytes of the regions, divided at region ends and at the granularity.
void FileServer::give_jobs(std::uint32_t number, std::uint32_t piece, std::int64_t bytes) {
  Transfer& transfer = at(number);
  CacheJob job{of_disk(transfer.kind), transfer.file, 0, 0, static_cast<std::uint64_t>(number) << 32U | piece};
  if (transfer.kind == Kind::flush) {
    transfer.pieces[piece].jobs = 1;
    return cache_.add(job);
  }
  std::vector<CacheJob> jobs;
  while (bytes > 0) {
    const FileRegion& region = transfer.regions[transfer.region];
    job.offset = region.offset + transfer.in_region;
    job.bytes = std::min({bytes, region.bytes - transfer.in_region, transfers_.params.granularity_bytes.number});
    bytes -= job.bytes;
    transfer.in_region += job.bytes;
    if (transfer.in_region == region.bytes) {
      ++transfer.region;
      transfer.in_region = 0;
    }
    jobs.push_back(job);
  }
  transfer.pieces[piece].jobs = jobs.size();
  for (const CacheJob& one : jobs) cache_.add(one);
}

void FileServer::cached(const CacheJob& job) {
  const auto number = static_cast<std::uint32_t>(job.tag >> 32U);
  const auto piece = static_cast<std::uint32_t>(job.tag);
  Transfer& transfer = at(number);
  if (transfer.kind == Kind::read && !transfer.small) transfers_.network.append(transfer.message, job.bytes);
  if (--transfer.pieces[piece].jobs > 0) return;
  const std::int64_t bytes = transfer.pieces[piece].bytes;
  close_piece(number, piece);
  if (transfer.kind == Kind::read) {
    if (!transfer.small) return;
    tell_state(transfer, "reply");
    transfers_.send(number, Role::reply, transfers_.params.acknowledgement_bytes.number + transfer.bytes);
    return;
  }
  if (transfer.kind == Kind::flush) return acknowledge(number);
  if (transfers_.is_pvfs() && !counts_when_accepted(transfer)) return complete(number, bytes);
  transfers_.let_go(number);
}

// Observers ----------------------------------------------------------------------------------------------------------

void FileServer::tell_request(std::uint32_t number) {
  if (!transfers_.reporter.is_on()) return;
  Transfer& transfer = at(number);
  StepReporter& reporter = transfers_.reporter;
  const char* const request = transfer.kind == Kind::read ? "read" : transfer.kind == Kind::write ? "write" : "flush";
  const char* const machine = transfer.small                 ? "small_io_sm"
                              : transfer.kind == Kind::read  ? "read_sm"
                              : transfer.kind == Kind::write ? "write_sm"
                                                             : "flush_sm";
  const std::int64_t offset = transfer.regions.empty() ? -1 : transfer.regions.front().offset;
  IoStep step{{},     transfer.client_id, IoLayer::req, station_, request, transfer.kind, transfer.file,
              offset, transfer.bytes};
  transfer.request_id = step.cause = reporter.begin(step);
  step.layer = IoLayer::server;
  step.name = machine;
  transfer.machine_id = step.cause = reporter.begin(step);
  const bool flows = !transfer.small && transfer.bytes > 0;
  tell_state(transfer, flows ? "flow" : "trove");
  if (!flows) return;
  step.layer = IoLayer::flow;
  step.name = "flow";
  transfer.flow_id = step.cause = reporter.begin(step);
  if (transfer.kind == Kind::read) return;
  step.layer = IoLayer::bmi;
  step.name = "receive";
  transfer.receive_id = reporter.begin(step);
}

/// The state machine enters its next state.
void FileServer::tell_state(Transfer& transfer, const char* name) {
  StepReporter& reporter = transfers_.reporter;
  if (!reporter.is_on()) return;
  reporter.end(transfer.state_id, IoLayer::server, station_, StepReporter::As::part);
  const IoStep state{{}, transfer.machine_id, IoLayer::server, station_, name, transfer.kind, transfer.file,
                     -1, transfer.bytes};
  transfer.state_id = reporter.begin(state, StepReporter::As::part);
}

void FileServer::disk_begins(const DiskOperation& operation, Seek seek, const CacheJob& cause) {
  if (!transfers_.reporter.is_on()) return;
  const Transfer& transfer = at(static_cast<std::uint32_t>(cause.tag >> 32U));
  const char* const name = operation.kind == DiskOperation::Kind::flush ? "flush"
                           : seek == Seek::none                         ? "continue"
                           : seek == Seek::track_to_track               ? "track_to_track"
                           : seek == Seek::average                      ? "seek"
                                                                        : "access";
  const OperationId piece = transfer.pieces[static_cast<std::uint32_t>(cause.tag)].id;
  at_disk_ = transfers_.reporter.begin({{},
                                        piece ? piece : transfer.machine_id,
                                        IoLayer::disk,
                                        station_,
                                        name,
                                        transfer.kind,
                                        operation.file,
                                        operation.offset,
                                        operation.bytes});
  transfers_.reporter.busy(station_, IoObserver::Part::disk, true);
}

void FileServer::disk_ends(const DiskOperation& /*operation*/) {
  if (!transfers_.reporter.is_on()) return;
  transfers_.reporter.end(at_disk_, IoLayer::disk, station_);
  transfers_.reporter.busy(station_, IoObserver::Part::disk, false);
}

} // namespace hypermon::piosim
