// SPDX-License-Identifier: BSD-3-Clause
// One rank's access, request after request. It is a state machine driven by the file system's answers, so that the rank
// may go on meanwhile.
#include "sw/mpiio/io_request.hpp"
#include "sw/mpiio/library.hpp"

#include <simgrid/s4u/Semaphore.hpp>

namespace hypermon::mpiio {
namespace {

std::vector<FileRegion> regions_of(const std::vector<Run>& runs) {
  std::vector<FileRegion> regions;
  regions.reserve(runs.size());
  for (const Run& run : runs) regions.push_back({run.offset, run.bytes});
  return regions;
}

Strategy strategy(const Handle& handle, FileRequest::Kind kind) {
  const Hints& h = handle.hints;
  const bool writes = kind == FileRequest::Kind::write;
  if (writes ? h.posix_write : h.posix_read) return Strategy::pieces;
  if (writes ? h.listio_write || h.dtype_write : h.listio_read || h.dtype_read) return Strategy::datatype;
  const bool sieves = !writes || library().params().locks;
  const Switch hint = writes ? h.ds_write : h.ds_read;
  if (hint == Switch::enable && sieves) return Strategy::sieving;
  switch (library().params().noncontiguous) {
  case Noncontiguous::pieces:
    return Strategy::pieces;
  case Noncontiguous::datatype:
    return Strategy::datatype;
  case Noncontiguous::sieving:
    if (sieves && hint != Switch::disable) return Strategy::sieving;
    break;
  case Noncontiguous::lists:
    break;
  }
  return Strategy::lists;
}

class Operation : public std::enable_shared_from_this<Operation> {
public:
  Operation(const Handle& handle, const Access& access, FileRequest::Kind kind, IoRequest& result)
      : file_(handle.opening->file), access_(access), first_(request_for(handle, kind)), result_(&result),
        requests_(access, strategy(handle, kind),
                  {library().file_system().regions_per_request(),
                   writes() ? handle.hints.ind_wr_buffer_size : handle.hints.ind_rd_buffer_size}),
        is_atomic_(handle.opening->is_atomic) {}

  void start() {
    sieves_ = requests_.strategy() == Strategy::sieving && writes();
    const auto self = shared_from_this();
    if (is_atomic_ || sieves_)
      file_->lock([self] { self->run(); });
    else
      run();
  }

private:
  bool writes() const { return first_.kind == FileRequest::Kind::write; }

  /// Continues until the answer to a request comes later.
  void run() {
    runs_ = true;
    do {
      answered_ = false;
      request_ = requests_.next();
      if (!request_ || result_->code != MPI_SUCCESS) return finish();
      if (sieves_ && request_->data.bytes() < request_->regions[0].bytes)
        read_before();
      else
        access();
    } while (answered_);
    runs_ = false;
  }

  void submit(FileRequest::Kind kind, std::vector<FileRegion> regions, void (Operation::*then)(const FileAnswer&)) {
    FileRequest request = first_;
    request.kind = kind;
    request.regions = std::move(regions);
    request.datatype = requests_.strategy() == Strategy::datatype;
    library().file_system().submit(std::move(request),
                                   [self = shared_from_this(), then](const FileAnswer& a) { (self.get()->*then)(a); });
  }

  void read_before() {
    const Run run = request_->regions[0];
    const std::int64_t there = std::clamp<std::int64_t>(file_->contents.size() - run.offset, 0, run.bytes);
    if (there == 0) return access();
    ++library().counts().sieved_reads;
    submit(FileRequest::Kind::read, {{run.offset, there}}, &Operation::was_read);
  }
  void was_read(const FileAnswer&) { access(); }

  void access() {
    ++library().counts().requests[static_cast<std::size_t>(requests_.strategy())];
    submit(first_.kind, regions_of(request_->regions), &Operation::accessed);
  }

  void accessed(const FileAnswer& answer) {
    DataRange data = request_->data;
    if (answer.error != FileAnswer::Error::none) {
      result_->code = MPI_ERR_NO_SPACE;
      data.end = requests_.strategy() == Strategy::sieving
                     ? access_.within(0, request_->regions[0].offset + answer.bytes).end
                     : data.begin + answer.bytes;
      data.end = std::max(data.begin, data.end);
    }
    move(data);
    result_->bytes += data.bytes();
    answered_ = true;
    if (!runs_) run();
  }

  void move(DataRange data) {
    if (data.bytes() == 0) return;
    FileContents& contents = file_->contents;
    if (!writes()) {
      file_->read_bytes += data.bytes();
      return access_.read(contents, data);
    }
    file_->written_bytes += data.bytes();
    if (contents.keeps_bytes()) return access_.write(contents, data);
    if (requests_.strategy() == Strategy::contiguous || access_.in_file.is_ascending())
      contents.reach(access_.in_file.at(access_.first + data.end - 1).offset + 1);
    else
      for_each_run(access_.in_file, access_.first + data.begin, access_.first + data.end,
                   [&](Run run) { contents.reach(run.offset + run.bytes); });
  }

  void finish() {
    if (is_atomic_ || sieves_) file_->unlock();
    result_->complete();
  }

  std::shared_ptr<SharedFile> file_;
  Access access_;
  FileRequest first_; // without regions
  IoRequest* result_;
  Requests requests_;
  bool is_atomic_;
  bool sieves_ = false;
  std::optional<Request> request_;
  bool runs_ = false;
  bool answered_ = false;
};

} // namespace

FileRequest request_for(const Handle& handle, FileRequest::Kind kind) {
  const RankState& self = rank_table().self();
  FileRequest request;
  request.kind = kind;
  request.node = static_cast<std::uint32_t>(index(self.kernel->node()));
  request.rank = self.of_kernel;
  request.file = handle.file().id;
  request.cause = OperationId::of_call(self.rank, self.call.number);
  return request;
}

FileAnswer submit_and_wait(FileRequest request) {
  FileAnswer got;
  const auto known = simgrid::s4u::Semaphore::create(0);
  library().file_system().submit(std::move(request), [&](const FileAnswer& answer) {
    got = answer;
    known->release();
  });
  known->acquire();
  return got;
}

namespace {
void start(const Handle& handle, const Access& access, FileRequest::Kind kind, IoRequest& request) {
  if (access.bytes == 0) return request.complete();
  std::make_shared<Operation>(handle, access, kind, request)->start();
}
} // namespace

Outcome access_alone(Handle& handle, const Access& access, FileRequest::Kind kind) {
  IoRequest request;
  start(handle, access, kind, request);
  request.wait();
  return {request.code, request.bytes};
}

MPI_Request begin_access(Handle& handle, const Access& access, FileRequest::Kind kind) {
  IoRequest& request = io_requests().make();
  start(handle, access, kind, request);
  return mpi_request(request);
}

} // namespace hypermon::mpiio
