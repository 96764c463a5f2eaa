// SPDX-License-Identifier: BSD-3-Clause
// A program script: the actions of each rank of an MPI program as NumPy arrays in one file (docs/reference/scripts.md).
// The recorder (sw/mpi/script_recorder.hpp) writes it, the interpreter (trace.cpp) reads it, and Python imports other
// tools' traces to it (hypermon.importing).
#pragma once
#include "sw/workloads/common/npz_file.hpp"
#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <string_view>

namespace hypermon {

/// Kind of an action. Files contain the operations' names, so the numbers may change.
enum class Operation : std::uint8_t {
  compute, // size: ps on the node's own crystal
  flops,   // number: floating-point operations, at the speed of the machine's host
  sleep,   // number: seconds
  event,   // size: the program's value
  emit,    // list: kind and data of hypermon_emit
  pcontrol,
  wtime,
  send,
  ssend,
  isend,
  issend,
  recv,
  irecv,
  sendrecv,    // the sending half
  sendrecv_in, // the receiving half, which is the next action
  wait,
  waitall,
  waitany,
  test, // request -1: null request
  cancel,
  iprobe,
  probe,
  barrier,
  bcast,
  reduce,
  allreduce,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  reduce_scatter,
  scan,
  exscan,
  comm_dup,
  comm_split,
  comm_create,
  comm_free,
  file_open,
  file_close,
  file_delete,
  file_set_size,
  file_preallocate,
  file_set_info,
  file_set_view,
  file_sync,
  file_seek,
  file_seek_shared,
  read,
  read_at,
  read_all,
  read_at_all,
  read_shared,
  read_ordered,
  iread,
  iread_at,
  iread_all,
  iread_at_all,
  iread_shared,
  write,
  write_at,
  write_all,
  write_at_all,
  write_shared,
  write_ordered,
  iwrite,
  iwrite_at,
  iwrite_all,
  iwrite_at_all,
  iwrite_shared
};

// clang-format off
inline constexpr std::array<std::string_view, 73> operation_names{
    "compute", "flops", "sleep", "event", "emit", "pcontrol", "wtime", "send", "ssend", "isend", "issend", "recv",
    "irecv", "sendrecv", "sendrecv_in", "wait", "waitall", "waitany", "test", "cancel", "iprobe", "probe", "barrier",
    "bcast", "reduce", "allreduce", "gather", "gatherv", "scatter", "scatterv", "allgather", "allgatherv", "alltoall",
    "alltoallv", "reduce_scatter", "scan", "exscan", "comm_dup", "comm_split", "comm_create", "comm_free",
    "file_open", "file_close", "file_delete", "file_set_size", "file_preallocate", "file_set_info", "file_set_view",
    "file_sync", "file_seek", "file_seek_shared", "read", "read_at", "read_all", "read_at_all", "read_shared",
    "read_ordered", "iread", "iread_at", "iread_all", "iread_at_all", "iread_shared", "write", "write_at",
    "write_all", "write_at_all", "write_shared", "write_ordered", "iwrite", "iwrite_at", "iwrite_all",
    "iwrite_at_all", "iwrite_shared"};
// clang-format on
static_assert(operation_names.size() == static_cast<std::size_t>(Operation::iwrite_shared) + 1);

/// A row of the array `actions`. Members that an operation does not need are 0; peer, tag, request and list are then
/// -1.
struct Action {
  static constexpr std::int32_t any = -1;      // peer or tag
  static constexpr std::int32_t nobody = -2;   // peer: MPI_PROC_NULL
  static constexpr std::int32_t no_color = -3; // peer of comm_split: MPI_UNDEFINED
  static constexpr std::uint16_t self = 65535; // communicator: MPI_COMM_SELF

  Operation operation{};
  std::uint8_t element = 1;       // bytes of an item of the data
  std::uint16_t communicator = 0; // 0: MPI_COMM_WORLD
  std::int32_t peer = -1;         // peer, root, colour, or number of a file
  std::int32_t tag = -1;          // tag or key; for a file: MPI_MODE_*, whence, or number of items in memory
  std::int32_t request = -1;      // request, or the new communicator
  std::int64_t size = 0;          // bytes of the data; for all-to-all: to one rank; of a file: offset or size; or the
                                  // bits of number()
  std::int64_t list = -1;         // index into `lists`: its length, then its values

  double number() const { return std::bit_cast<double>(size); }

  static constexpr const char* type =
      "[('operation', '|u1'), ('element', '|u1'), ('communicator', '<u2'), ('peer', '<i4'), ('tag', '<i4'), "
      "('request', '<i4'), ('size', '<i8'), ('list', '<i8')]";
};
static_assert(sizeof(Action) == 32);

/// A row of the array `ranks`.
struct RankOfScript {
  std::int64_t first = 0;   // index of its first action
  std::int64_t actions = 0; // number of its actions
  std::int64_t send_bytes = 0;
  std::int64_t receive_bytes = 0; // size of the largest buffers for its calls
  std::int64_t requests = 0;      // largest request + 1
  static constexpr const char* type = "[('first', '<i8'), ('actions', '<i8'), ('send_bytes', '<i8'), "
                                      "('receive_bytes', '<i8'), ('requests', '<i8')]";
};

/// Reads a script. Throws std::runtime_error with the file's name.
class ScriptFile {
public:
  explicit ScriptFile(const std::string& path)
      : file_(path), actions_(file_.array("actions", Action::type)), ranks_(file_.array("ranks", RankOfScript::type)),
        lists_(file_.array("lists", "'<i8'")) {
    using Name = std::array<char, 16>;
    std::vector<Name> names;
    file_.read(file_.array("operations", "'|S16'"), 0, UINT8_MAX, names);
    for (const Name& name : names) {
      const std::string text(name.data(), strnlen(name.data(), name.size()));
      const auto* const found = std::find(operation_names.begin(), operation_names.end(), text);
      if (found == operation_names.end()) file_.fail("no operation is called " + text);
      operations_.push_back(static_cast<Operation>(found - operation_names.begin()));
    }
  }
  std::int64_t ranks() const { return static_cast<std::int64_t>(ranks_.items); }
  RankOfScript rank(int number) const {
    std::vector<RankOfScript> row;
    file_.read(ranks_, static_cast<std::uint64_t>(number), 1, row);
    if (row.empty()) file_.fail("has no rank " + std::to_string(number));
    return row.front();
  }
  /// At most `most` actions from index `first` on.
  void read(std::int64_t first, std::int64_t most, std::vector<Action>& actions) const {
    file_.read(actions_, static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(most), actions);
    for (Action& action : actions) {
      const auto code = static_cast<std::size_t>(action.operation);
      if (code >= operations_.size()) file_.fail("an action of operation " + std::to_string(code));
      action.operation = operations_[code];
    }
  }
  std::vector<std::int64_t> list(std::int64_t index) const {
    std::vector<std::int64_t> length;
    std::vector<std::int64_t> values;
    file_.read(lists_, static_cast<std::uint64_t>(index), 1, length);
    if (length.empty()) file_.fail("no list at " + std::to_string(index));
    file_.read(lists_, static_cast<std::uint64_t>(index) + 1, static_cast<std::uint64_t>(length.front()), values);
    return values;
  }
  [[noreturn]] void fail(const std::string& what) const { file_.fail(what); }

private:
  NpzFile file_;
  NpzFile::Array actions_;
  NpzFile::Array ranks_;
  NpzFile::Array lists_;
  std::vector<Operation> operations_; // by the file's codes
};

} // namespace hypermon
