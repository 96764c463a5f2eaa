// SPDX-License-Identifier: BSD-3-Clause
#include "hw/packets/core/disk.hpp"

#include <cmath>
#include <cstdlib>

namespace hypermon::piosim {

ServerDisk::ServerDisk(const PfsDiskParams& params, Events& events, DiskUser& user)
    : params_(params), rate_(Rate::of_mib_per_s(params.mib_per_s)),
      close_(std::llround(params.close_mib * static_cast<double>(mib))), events_(events), user_(user),
      queue_(make_disk_queue(params)) {}

void ServerDisk::add(const DiskOperation& operation) {
  queue_->add(events_.now(), operation, head_);
  start();
}

Seek ServerDisk::seek(const DiskOperation& operation, const DiskHead& head) const {
  if (params_.model != DiskModel::refined) return Seek::not_modelled;
  if (head.file != operation.file) return Seek::average;
  if (head.offset == operation.offset) return Seek::none;
  return std::abs(operation.offset - head.offset) < close_ ? Seek::track_to_track : Seek::average;
}

Time ServerDisk::duration(const DiskOperation& operation, const DiskHead& head) const {
  if (operation.kind == DiskOperation::Kind::flush || params_.model == DiskModel::ideal) return {};
  if (params_.model == DiskModel::simple) return whole_ns(params_.access_ms) + time_of(operation.bytes, rate_);
  const Seek way = seek(operation, head);
  if (way == Seek::none) return time_of(operation.bytes, rate_);
  // Half a turn and the transfer together are truncated to whole nanoseconds.
  constexpr Wide ns = 1'000'000'000;
  const auto rate = static_cast<Wide>(rate_.bytes_per_s);
  const auto turns = static_cast<Wide>(params_.turns_per_min);
  const Wide both = (30 * ns * rate + static_cast<Wide>(operation.bytes) * ns * turns) / (turns * rate);
  const Time arm = way == Seek::average ? params_.seek_ms : params_.track_to_track_ms;
  return whole_ns(arm) + Time::from_ns(static_cast<std::int64_t>(both));
}

void ServerDisk::start() {
  if (current_ || queue_->empty()) return;
  const DiskOperation next = queue_->take(events_.now(), head_);
  current_ = next;
  const Time takes = duration(next, head_);
  Seek way = Seek::none;
  ++counts_.operations;
  if (next.kind != DiskOperation::Kind::flush) {
    way = seek(next, head_);
    if (way == Seek::average) ++counts_.average_seeks;
    if (way == Seek::track_to_track) ++counts_.short_seeks;
    (next.kind == DiskOperation::Kind::read ? counts_.read_bytes : counts_.written_bytes) += next.bytes;
    head_ = {next.file, next.end()};
  }
  counts_.busy += takes;
  user_.disk_begins(next, way);
  events_.after(takes, *this, 0);
}

void ServerDisk::handle(std::uint32_t /*what*/, std::uint32_t /*which*/) {
  const DiskOperation done = *current_;
  current_.reset();
  user_.disk_done(done);
  start();
}

} // namespace hypermon::piosim
