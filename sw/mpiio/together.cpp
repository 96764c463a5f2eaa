// SPDX-License-Identifier: BSD-3-Clause
// Collective accesses: each rank announces its part of the file, and the last rank decides as in ROMIO: independent
// accesses, or two phases (core/two_phase.hpp), whose exchange uses messages in the library's own communicator.
#include "sw/mpiio/library.hpp"

#include <algorithm>

namespace hypermon::mpiio {
namespace {

constexpr int tag = 1;

/// The first rank of each node, at most cb_nodes ranks.
std::vector<int> aggregators(const Handle& handle) {
  std::vector<int> found;
  std::vector<std::size_t> nodes;
  const auto& members = handle.opening->members;
  const std::int64_t most = handle.hints.cb_nodes;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (most > 0 && static_cast<std::int64_t>(found.size()) == most) break;
    const std::size_t node = index(rank_table().all()[static_cast<std::size_t>(members[i])].kernel->node());
    if (std::find(nodes.begin(), nodes.end(), node) != nodes.end()) continue;
    nodes.push_back(node);
    found.push_back(static_cast<int>(i));
  }
  return found;
}

bool by_two_phases(Switch hint, const std::vector<Access>& accesses) {
  const auto has_bytes = [](const Access& a) { return a.bytes > 0; };
  const auto is_ascending = [](const Access& a) { return a.bytes == 0 || a.in_file.is_ascending(); };
  if (hint == Switch::disable || !std::ranges::any_of(accesses, has_bytes) ||
      !std::ranges::all_of(accesses, is_ascending))
    return false;
  return hint == Switch::enable || TwoPhase::interleave(accesses);
}

/// Message buffers of one round. If file contents are not kept, all messages share one buffer.
class Messages {
public:
  explicit Messages(bool keeps_bytes) : keeps_bytes_(keeps_bytes) {}
  char* room(std::int64_t bytes) {
    if (keeps_bytes_) return own_.emplace_back(static_cast<std::size_t>(bytes)).data();
    if (static_cast<std::int64_t>(nothing.size()) < bytes) nothing.resize(static_cast<std::size_t>(bytes));
    return nothing.data();
  }

private:
  static inline std::vector<char> nothing;
  bool keeps_bytes_;
  std::vector<std::vector<char>> own_;
};

/// One rank in a two-phase access.
class Exchange {
public:
  Exchange(Handle& handle, const TwoPhase& plan, const Access& access, FileRequest::Kind kind)
      : handle_(handle), plan_(plan), access_(access), kind_(kind), aggregators_(aggregators(handle)),
        comm_(library().exchange(handle)), me_(static_cast<int>(handle.index)) {
    const auto mine = std::find(aggregators_.begin(), aggregators_.end(), me_);
    if (mine != aggregators_.end()) own_ = mine - aggregators_.begin();
  }

  int run() {
    for (std::int64_t round = 0; round < plan_.rounds(); ++round) {
      if (library().params().agreement == Agreement::messages) tell_sizes();
      const int code = kind_ == FileRequest::Kind::write ? write(round) : read(round);
      if (code_ == MPI_SUCCESS) code_ = code;
    }
    return code_;
  }

private:
  struct Packed {
    std::size_t process;
    DataRange part;
    char* data;
  };

  bool keeps_bytes() const { return handle_.file().contents.keeps_bytes(); }
  SharedFile& file() const { return handle_.file(); }

  void tell_sizes() {
    std::vector<int> out(handle_.opening->members.size());
    std::vector<int> in(out.size());
    library().messages().Alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, comm_);
  }
  void begin_message(bool out, char* data, std::int64_t bytes, int peer) {
    requests_.push_back(MPI_REQUEST_NULL);
    const int n = static_cast<int>(bytes);
    if (out) {
      library().messages().Isend(data, n, MPI_BYTE, peer, tag, comm_, &requests_.back());
      ++library().counts().exchanged_messages;
      library().counts().exchanged_bytes += bytes;
    } else {
      library().messages().Irecv(data, n, MPI_BYTE, peer, tag, comm_, &requests_.back());
    }
  }
  void await_messages() {
    library().messages().Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    requests_.clear();
  }
  /// The calling rank's messages with aggregators: calls f(aggregator, part) for each one with a part of the rank's
  /// data.
  template <class F> void for_each_aggregator(std::int64_t round, F&& f) const {
    for (std::int64_t a = 0; a < plan_.aggregators(); ++a) {
      const DataRange part = plan_.part(handle_.index, a, round);
      if (part.bytes() > 0) f(a, part);
    }
  }
  template <class F> void for_each_process(std::int64_t round, F&& f) const {
    for (std::size_t p = 0; p < handle_.opening->members.size(); ++p) {
      const DataRange part = plan_.part(p, *own_, round);
      if (part.bytes() > 0) f(p, part);
    }
  }
  FileAnswer ask(FileRequest::Kind kind, std::vector<FileRegion> regions) const {
    FileRequest request = request_for(handle_, kind);
    request.regions = std::move(regions);
    return submit_and_wait(std::move(request));
  }
  /// Reads the part of the region that the file has.
  void read_there(Run run) const {
    const std::int64_t there = std::clamp<std::int64_t>(file().contents.size() - run.offset, 0, run.bytes);
    if (there > 0) ask(FileRequest::Kind::read, {{run.offset, there}});
  }

  int write(std::int64_t round) {
    std::optional<TwoPhase::Region> region;
    if (own_) region = plan_.region(*own_, round);
    const bool sieves = region && region->has_holes && handle_.hints.ds_write != Switch::disable;
    const bool reads_all = library().params().two_phase_reads == ReadsBefore::always;
    if (sieves && !reads_all) read_before(*region);
    Messages messages(keeps_bytes());
    std::vector<Packed> came;
    if (own_)
      for_each_process(round, [&](std::size_t p, DataRange part) {
        came.push_back({p, part, messages.room(part.bytes())});
        if (static_cast<int>(p) != me_)
          begin_message(false, came.back().data, part.bytes(), static_cast<int>(p));
        else if (keeps_bytes())
          access_.pack(part, came.back().data);
      });
    for_each_aggregator(round, [&](std::int64_t a, DataRange part) {
      const int aggregator = aggregators_[static_cast<std::size_t>(a)];
      if (aggregator == me_) return;
      char* const data = messages.room(part.bytes());
      if (keeps_bytes()) access_.pack(part, data);
      begin_message(true, data, part.bytes(), aggregator);
    });
    await_messages();
    if (region && reads_all && handle_.hints.ds_write != Switch::disable) read_before(*region);
    return region ? write_region(*region, sieves, came) : MPI_SUCCESS;
  }

  void read_before(const TwoPhase::Region& region) const {
    ++library().counts().collective_reads_before;
    read_there(region.run);
  }

  int write_region(const TwoPhase::Region& region, bool sieves, const std::vector<Packed>& came) const {
    std::int64_t written = region.run.offset; // everything before is written
    if (sieves || !region.has_holes) {
      ++library().counts().collective_requests;
      const FileAnswer answer = ask(FileRequest::Kind::write, {{region.run.offset, region.run.bytes}});
      written += answer.bytes;
    } else {
      written = write_pieces(came);
    }
    for (const auto& [process, part, data] : came) {
      const Access& a = plan_.access(process);
      const DataRange done{part.begin, std::clamp(a.within(0, written).end, part.begin, part.end)};
      file().written_bytes += done.bytes();
      if (keeps_bytes()) a.write_packed(file().contents, done, data);
    }
    if (written > region.run.offset) file().contents.reach(written);
    return written < region.run.offset + region.run.bytes ? MPI_ERR_NO_SPACE : MPI_SUCCESS;
  }

  /// Writes only the data, in lists of regions, without the gaps. Returns the end of what was written.
  std::int64_t write_pieces(const std::vector<Packed>& came) const {
    std::vector<FileRegion> all;
    for (const auto& [process, part, _] : came) {
      const Access& a = plan_.access(process);
      for_each_run(a.in_file, a.first + part.begin, a.first + part.end, [&](Run run) {
        all.push_back({run.offset, run.bytes});
      });
    }
    std::sort(all.begin(), all.end());
    const auto most = static_cast<std::size_t>(library().file_system().regions_per_request());
    std::int64_t end = 0;
    for (std::size_t i = 0; i < all.size(); i += most) {
      const std::vector<FileRegion> list(all.begin() + static_cast<std::ptrdiff_t>(i),
                                         all.begin() + static_cast<std::ptrdiff_t>(std::min(i + most, all.size())));
      ++library().counts().collective_requests;
      std::int64_t left = ask(FileRequest::Kind::write, list).bytes;
      for (const FileRegion& r : list) {
        const std::int64_t done = std::min(left, r.bytes);
        left -= done;
        end = r.offset + done;
        if (done < r.bytes) return end;
      }
    }
    return end;
  }

  int read(std::int64_t round) {
    Messages messages(keeps_bytes());
    std::vector<Packed> mine;
    for_each_aggregator(round, [&](std::int64_t a, DataRange part) {
      const int aggregator = aggregators_[static_cast<std::size_t>(a)];
      mine.push_back({0, part, messages.room(part.bytes())});
      if (aggregator != me_) begin_message(false, mine.back().data, part.bytes(), aggregator);
    });
    if (own_)
      if (const auto region = plan_.region(*own_, round)) {
        ++library().counts().collective_requests;
        read_there(region->run);
        for_each_process(round, [&](std::size_t p, DataRange part) {
          const bool is_own = static_cast<int>(p) == me_;
          char* const data = is_own ? data_of(mine, part) : messages.room(part.bytes());
          if (keeps_bytes()) plan_.access(p).read_packed(file().contents, part, data);
          if (!is_own) begin_message(true, data, part.bytes(), static_cast<int>(p));
        });
      }
    await_messages();
    for (const Packed& packed : mine) {
      file().read_bytes += packed.part.bytes();
      if (keeps_bytes())
        access_.unpack(packed.part, packed.data);
      else
        access_.read(file().contents, packed.part); // zeros
    }
    return MPI_SUCCESS;
  }
  static char* data_of(const std::vector<Packed>& all, DataRange part) {
    return std::ranges::find_if(all, [&](const Packed& p) { return p.part.begin == part.begin; })->data;
  }

  Handle& handle_;
  const TwoPhase& plan_;
  const Access& access_;
  FileRequest::Kind kind_;
  std::vector<int> aggregators_;
  MPI_Comm comm_;
  int me_;
  std::optional<std::int64_t> own_; // number of this rank among the aggregators, if it is one
  std::vector<MPI_Request> requests_;
  int code_ = MPI_SUCCESS;
};

/// Alignment of the aggregators' domains to the end of a server's stripe.
std::int64_t alignment(const Handle& handle) {
  return handle.hints.striping_unit > 0 ? handle.hints.striping_unit : library().file_system().stripe_bytes();
}

} // namespace

Outcome access_together(Handle& handle, const Access& access, FileRequest::Kind kind) {
  const bool writes = kind == FileRequest::Kind::write;
  const auto plan = library().meet(handle, {.access = access}, [&](Meeting& m) {
    std::vector<Access> all;
    for (const CallArguments& arguments : m.arguments) all.push_back(*arguments.access);
    if (!by_two_phases(writes ? handle.hints.cb_write : handle.hints.cb_read, all)) return;
    const auto n = static_cast<std::int64_t>(aggregators(handle).size());
    m.two_phase = std::make_unique<TwoPhase>(std::move(all),
                                             TwoPhase::Settings{n, handle.hints.cb_buffer_size, alignment(handle)});
    ++library().counts().two_phase_calls;
    library().counts().two_phase_rounds += m.two_phase->rounds();
  });
  if (!plan->two_phase) return access_alone(handle, access, kind);
  const int code = Exchange(handle, *plan->two_phase, access, kind).run();
  const auto end = library().meet(handle, {.a = code}, [](Meeting& m) {
    for (const CallArguments& arguments : m.arguments) m.code = std::max(m.code, static_cast<int>(arguments.a));
  });
  if (end->code != MPI_SUCCESS) return {end->code, 0};
  return {MPI_SUCCESS, access.bytes};
}

} // namespace hypermon::mpiio
