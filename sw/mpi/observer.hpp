// SPDX-License-Identifier: BSD-3-Clause
// Interface for observers of the program's MPI calls. They see every call of a function in mpi_functions.inc at its
// entry and exit, for every implementation (sw/nx2 or SMPI). Calls that MPI itself makes are not reported.
#pragma once
#include "base/time.hpp"
#include "sw/instrumentation/mpi_functions.hpp"
#include "sw/mpi/file_library.hpp"
#include "sw/os/program_observer.hpp"

#include <smpi/smpi.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hypermon {

struct RankState;

/// The data that a rank provides in a call, or the room for data that it receives.
struct MpiPart {
  std::optional<int> peer;     ///< point-to-point: rank in the communicator, or MPI_ANY_SOURCE, MPI_PROC_NULL
  std::optional<int> tag;      ///< or MPI_ANY_TAG
  std::int64_t bytes = 0;      ///< total; over all blocks for collectives with a block for each rank
  std::int64_t count = 0;      ///< elements in all blocks
  std::int64_t type_bytes = 0; ///< size of an element; 0 for MPI_Alltoallw, whose blocks differ
  std::vector<std::int64_t> bytes_by_rank; ///< collectives with a block for each rank
};

/// One call. Members of the first group are known at its entry, those of the second at its exit.
class MpiCall {
public:
  MpiCall(MpiFunction function, const void* site) : function_(function), site_(site) {}
  MpiCall(const MpiCall&) = delete;
  MpiCall& operator=(const MpiCall&) = delete;

  MpiFunction function() const { return function_; }
  std::string_view name() const { return hypermon::name(function_); }
  /// Return address of the call in the program.
  const void* site() const { return site_; }
  /// MPI_COMM_NULL for calls without communicator.
  MPI_Comm comm() const { return comm_; }
  int comm_size() const { return comm_size_; }
  /// Data of point-to-point and collective calls; for one-sided calls the peer is the target. For MPI_Bcast and
  /// reductions, `sent` is the buffer on every rank. Under MPI_IN_PLACE nothing is sent or received: see in_place().
  const MpiPart& sent() const { return sent_; }
  const MpiPart& received() const { return received_; }
  std::optional<int> root() const { return root_; }
  std::optional<MPI_Op> op() const { return op_; }
  bool in_place() const { return in_place_; }
  /// Bytes, peer and tag as one number each: of the sent data if there are any, else of the received data.
  std::int64_t bytes() const { return sent_.bytes > 0 ? sent_.bytes : received_.bytes; }
  std::optional<int> peer() const { return sent_.peer ? sent_.peer : received_.peer; }
  std::optional<int> tag() const { return sent_.tag ? sent_.tag : received_.tag; }
  /// Requests given to the call, as at its entry: SMPI may reuse a handle after completion.
  const std::vector<MPI_Request>& requests() const { return requests_; }

  /// A completed request: its index in requests() (0 for a blocking receive or a probe) and its status. The status has
  /// source, tag and bytes (`count`) even if the program ignores it.
  struct Completed {
    std::size_t index;
    MPI_Status status;
  };
  const std::vector<Completed>& completed() const { return completed_; }
  /// The call was refused: it had no effect, and the data about its arguments may be wrong.
  bool failed() const { return failed_; }
  /// Data of an MPI_File_* function; null for other functions.
  const FileCall* file() const { return file_ ? &*file_ : nullptr; }
  /// Request made by the call, if it returns one.
  std::optional<MPI_Request> new_request() const {
    return made_request_ != nullptr ? std::optional(*made_request_) : std::nullopt;
  }
  /// Communicator made by the call, if it returns one (MPI_COMM_NULL on ranks outside of it).
  std::optional<MPI_Comm> new_comm() const { return made_comm_ != nullptr ? std::optional(*made_comm_) : std::nullopt; }

  // --- for the interface layer: setters for the descriptions in mpi_functions.inc
  // ---------------------------------
  MpiCall& nothing() { return *this; }
  MpiCall& on(MPI_Comm comm);
  MpiCall& from_root(int root);
  MpiCall& placed(const void* buffer);
  MpiCall& combines(const void* buffer, MPI_Op op);
  MpiCall& aims(int target);
  MpiCall& sends(int count, MPI_Datatype type, int to, int tag);
  MpiCall& receives(int count, MPI_Datatype type, int from, int tag);
  MpiCall& takes(int count, MPI_Datatype type);
  MpiCall& gives(int count, MPI_Datatype type);
  MpiCall& gets(int count, MPI_Datatype type) { return takes(count, type); }
  template <class Counts, class Types> MpiCall& gives_each(Counts counts, Types types) {
    if (!in_place_) blocks(sent_, counts, types);
    return *this;
  }
  template <class Counts, class Types> MpiCall& gets_each(Counts counts, Types types) {
    blocks(received_, counts, types);
    return *this;
  }
  template <class Counts> MpiCall& gives_at_root(Counts counts, MPI_Datatype type) {
    if (is_root()) blocks(sent_, counts, type);
    return *this;
  }
  template <class Counts> MpiCall& gets_at_root(Counts counts, MPI_Datatype type) {
    if (is_root()) blocks(received_, counts, type);
    return *this;
  }
  MpiCall& makes(const MPI_Request* request);
  MpiCall& makes(const MPI_Comm* comm);
  MpiCall& uses(int count, const MPI_Request* requests);
  MpiCall& one(MPI_Status*& status); ///< status of the only or the one completed request; reported even if the program
                                     ///< ignores it
  MpiCall& all(MPI_Status*& statuses);
  MpiCall& if_set(const int* flag);
  MpiCall& at(const int* index);
  MpiCall& some(const int* count, const int* indices);
  // MPI_File_*
  MpiCall& on_file(MPI_File file);
  MpiCall& opens(const char* name, int amode, MPI_Info info, const MPI_File* made);
  MpiCall& hints(MPI_Info info);
  MpiCall& gives_offset(MPI_Offset offset, int whence = 0);
  MpiCall& views(MPI_Datatype etype, MPI_Datatype filetype);
  MpiCall& reads(FilePointer pointer, int count, MPI_Datatype type);
  MpiCall& writes(FilePointer pointer, int count, MPI_Datatype type);
  MpiCall& accessed(MPI_Status*& status); ///< reported even if the program ignores it
  /// The call has returned: fills in what is known at the exit.
  void finish(int status);

private:
  template <class Counts, class Types> void blocks(MpiPart& part, Counts counts, Types types);
  bool is_root() const;
  MpiCall& accesses(FileCall::Access access, FilePointer pointer, int count, MPI_Datatype type);
  void finish_file();

  MpiFunction function_;
  const void* site_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  int comm_size_ = 0;
  MpiPart sent_;
  MpiPart received_;
  std::optional<int> root_;
  std::optional<MPI_Op> op_;
  bool in_place_ = false;
  bool failed_ = false;
  std::vector<MPI_Request> requests_;
  std::vector<Completed> completed_;
  // Where the call stores its results.
  const MPI_Request* made_request_ = nullptr;
  const MPI_Comm* made_comm_ = nullptr;
  const MPI_Status* status_ = nullptr;
  const MPI_Status* statuses_ = nullptr;
  const int* flag_ = nullptr;
  const int* index_ = nullptr;
  const int* count_ = nullptr;
  const int* indices_ = nullptr;
  MPI_Status own_status_{};
  std::vector<MPI_Status> own_statuses_;
  std::optional<FileCall> file_;
  MPI_File handle_ = MPI_FILE_NULL;
  const MPI_File* made_file_ = nullptr;
  const MPI_Status* file_status_ = nullptr;
};

class MpiObserver : public ProgramObserver {
public:
  /// Called in the rank's actor at the call's entry and exit, with the same MpiCall. Must not call MPI. The rank has
  /// reached the time Execution::date().
  virtual void enter(const RankState& rank, const MpiCall& call) = 0;
  virtual void leave(const RankState& rank, const MpiCall& call) = 0;
};

/// The communicator's members as ranks of MPI_COMM_WORLD. Takes no simulated time.
std::vector<int> world_ranks(MPI_Comm comm);

} // namespace hypermon
