// SPDX-License-Identifier: BSD-3-Clause
// The simulator's MPI-IO: the data that its functions share.
#pragma once
#include "base/json.hpp"
#include "base/results.hpp"
#include "sw/mpi/file_library.hpp"
#include "sw/mpi/interface.hpp"
#include "sw/mpi/layer.hpp"
#include "sw/mpiio/core/requests.hpp"
#include "sw/mpiio/file_report.hpp"
#include "sw/mpiio/host_file.hpp"
#include "sw/mpiio/opening.hpp"
#include "sw/mpiio/params.hpp"
#include "sw/os/operating_system.hpp"

#include <filesystem>
#include <set>

namespace hypermon::mpiio {

class Library : public FileLibrary {
public:
  /// `folder`: the program's working folder, if it has one. Throws UserError if files that must exist cannot be made,
  /// or if the machine has no file system.
  Library(const Spec& spec, OperatingSystem& os, const MpiLayer& mpi, std::optional<std::filesystem::path> folder);
  ~Library() override;

  void add_calls(MpiTable& table) override;
  MPI_Comm describe(MPI_File file, FileCall& call) const override;
  void describe_access(MPI_File file, FilePointer pointer, FileCall& call) const override;
  void returned(const RankState& rank, MPI_File file, FileCall& call) const override;
  MPI_Errhandler handler(MPI_File file) const override;
  int call_handler(MPI_Errhandler handler, MPI_File file, int code) const override;
  /// Call at the end of the run.
  void report(Results& results);
  void keep_files(const std::filesystem::path& directory) const;

  const MpiioParams& params() const { return params_; }
  ParallelFileSystem& file_system() const { return *file_system_; }
  /// Functions of the library that carries messages.
  const MpiTable& messages() const { return messages_; }
  FileReport& counts() { return report_; }

  /// Null if the handle is not an open file.
  Handle* find(MPI_File file) const;
  /// Called by each rank of the communicator that opens a file. Ranks belong to the same opening if each of them makes
  /// its n-th call with these members.
  Handle& open(RankState& self, MPI_Comm comm);
  void close(Handle& handle);
  bool exists(const std::string& name) const;
  /// Finds or makes the file with that name. Returns MPI's error code. `writes`: whether it is opened for writing.
  int make(const std::string& name, bool writes, std::shared_ptr<SharedFile>& file);
  /// Deletes an existing file. Returns MPI's code.
  int remove(const std::string& name);
  /// True if the file has neither been deleted nor replaced.
  bool is_there(const SharedFile& file) const;
  /// Closes the host's file if no rank has it open, to save host descriptors.
  static void rest(SharedFile& file);
  /// Sets the handle's hints and lists those that were not accepted.
  void take_hints(Handle& handle, MPI_Info info);
  /// The library's communicator for the file's ranks. The call is collective.
  MPI_Comm exchange(Handle& handle) const;
  /// Call when the program frees a communicator. Openings that have no communicator of their own get one first.
  void outlive(MPI_Comm comm);

  /// A collective call: returns when all ranks have arrived. The last one calls `decide(meeting)`.
  template <class Decide> std::shared_ptr<Meeting> meet(Handle& handle, CallArguments arguments, Decide&& decide) {
    const auto meeting = arrive(handle, std::move(arguments));
    if (meeting->arrived < handle.opening->members.size()) {
      wait(*meeting);
    } else {
      decide(*meeting);
      handle.opening->meetings.erase(handle.meetings);
      for (const auto& waiting : meeting->waiting) waiting->release();
    }
    return meeting;
  }
  void meet(Handle& handle) {
    meet(handle, {}, [](Meeting&) {});
  }

  Files files;
  std::map<MPI_Errhandler, MPI_File_errhandler_function*> handlers; // made by the program
  MPI_Errhandler default_handler = MPI_ERRORS_RETURN;               // for MPI_FILE_NULL

private:
  std::shared_ptr<Meeting> arrive(Handle& handle, CallArguments arguments);
  static void wait(Meeting& meeting);
  void give_files();
  void give_sizes();
  /// Registers a file that exists before the program begins.
  std::shared_ptr<SharedFile> give(const std::string& name);
  void given(SharedFile& file);
  /// Path of a file relative to the program's working folder. None if the name leads elsewhere.
  std::optional<std::string> in_folder(const std::string& name) const;
  std::filesystem::path path_of(const std::string& in_folder) const { return *folder_ / in_folder; }

  const MpiioParams& params_;
  OperatingSystem& os_;
  std::optional<std::filesystem::path> folder_;  // the program's working folder
  std::map<std::string, HostFile::Stamp> given_; // the user's files in that folder, until they change
  std::unique_ptr<ParallelFileSystem> own_file_system_;
  ParallelFileSystem* file_system_;
  MpiTable messages_{};
  FileReport report_;
  std::set<const Handle*> handles_;
  // by members and the number of their previous openings
  std::map<std::pair<std::vector<int>, std::uint64_t>, std::shared_ptr<Opening>> opening_;
  std::map<std::pair<int, std::vector<int>>, std::uint64_t> opened_; // by rank and members
  std::uint32_t openings_ = 0;
};

/// The library of the run: MPI's functions get no argument from hypermon.
Library& library();

inline MPI_File mpi_file(Handle& handle) { return reinterpret_cast<MPI_File>(&handle); }

// Each function puts its implementations into the table.
void add_file_calls(MpiTable& table);
void add_view_calls(MpiTable& table);
void add_access_calls(MpiTable& table);
void add_request_calls(MpiTable& table);

/// Result of an access.
struct Outcome {
  int code = MPI_SUCCESS;
  std::int64_t bytes = 0;
};
void say(MPI_Status* status, std::int64_t bytes);

/// Collective access of all ranks of the opening: in two phases, or each rank on its own.
Outcome access_together(Handle& handle, const Access& access, FileRequest::Kind kind);
/// Blocking access of one rank.
Outcome access_alone(Handle& handle, const Access& access, FileRequest::Kind kind);
/// Non-blocking access of one rank.
MPI_Request begin_access(Handle& handle, const Access& access, FileRequest::Kind kind);
/// Sends one request of the file system's client and waits for the answer.
FileAnswer submit_and_wait(FileRequest request);
/// Makes a request on behalf of the calling rank's node and current MPI call.
FileRequest request_for(const Handle& handle, FileRequest::Kind kind);

} // namespace hypermon::mpiio
