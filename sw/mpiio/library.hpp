// SPDX-License-Identifier: BSD-3-Clause
// MPI-IO of the simulator: what its functions share.
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
  /// `folder`: where the program works, if it does so in one. Throws UserError: files that shall exist cannot, or the
  /// machine has no file system.
  Library(const Spec& spec, OperatingSystem& os, const MpiLayer& mpi, std::optional<std::filesystem::path> folder);
  ~Library() override;

  void add_calls(MpiTable& table) override;
  MPI_Comm describe(MPI_File file, FileCall& call) const override;
  void describe_access(MPI_File file, FilePointer pointer, FileCall& call) const override;
  void returned(const RankState& rank, MPI_File file, FileCall& call) const override;
  MPI_Errhandler handler(MPI_File file) const override;
  int call_handler(MPI_Errhandler handler, MPI_File file, int code) const override;
  /// At the end of the run.
  void report(Results& results);
  void keep_files(const std::filesystem::path& directory) const;

  const MpiioParams& params() const { return params_; }
  ParallelFileSystem& file_system() const { return *file_system_; }
  /// Those that carry messages.
  const MpiTable& messages() const { return messages_; }
  FileReport& counts() { return report_; }

  /// Null, if the handle is that of no open file.
  Handle* find(MPI_File file) const;
  /// One more rank of the communicator opens a file; the others find it by their own n-th call among these members.
  Handle& open(RankState& self, MPI_Comm comm);
  void close(Handle& handle);
  bool exists(const std::string& name) const;
  /// The file of that name; made, if there is none. Returns MPI's code. `writes`: it is opened to be written.
  int make(const std::string& name, bool writes, std::shared_ptr<SharedFile>& file);
  /// It exists. Returns MPI's code.
  int remove(const std::string& name);
  /// Does the file still have its name: has nobody deleted or replaced it?
  bool is_there(const SharedFile& file) const;
  /// Nobody may have it open now: it takes no descriptor of the host's then.
  static void rest(SharedFile& file);
  /// Takes the hints; those that it does not are listed.
  void take_hints(Handle& handle, MPI_Info info);
  /// The library's communicator on the file's ranks; collective.
  MPI_Comm exchange(Handle& handle) const;
  /// The program frees a communicator: openings that have none of their own get one before.
  void outlive(MPI_Comm comm);

  /// A collective call: returns when all have come. The last one decides: `decide(meeting)`.
  template <class Decide> std::shared_ptr<Meeting> meet(Handle& handle, Said said, Decide&& decide) {
    const auto meeting = arrive(handle, std::move(said));
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
  std::map<MPI_Errhandler, MPI_File_errhandler_function*> handlers; // of the program's
  MPI_Errhandler default_handler = MPI_ERRORS_RETURN;               // of MPI_FILE_NULL

private:
  std::shared_ptr<Meeting> arrive(Handle& handle, Said said);
  static void wait(Meeting& meeting);
  void give_files();
  void give_sizes();
  /// A file that exists before the program begins.
  std::shared_ptr<SharedFile> give(const std::string& name);
  void given(SharedFile& file);
  /// A file of the program's working folder: its path from there. Nothing, if the name leads elsewhere.
  std::optional<std::string> in_folder(const std::string& name) const;
  std::filesystem::path path_of(const std::string& in_folder) const { return *folder_ / in_folder; }

  const MpiioParams& params_;
  OperatingSystem& os_;
  std::optional<std::filesystem::path> folder_;  // where the program works
  std::map<std::string, HostFile::Stamp> given_; // files of that folder that are the user's, until they change
  std::unique_ptr<ParallelFileSystem> own_file_system_;
  ParallelFileSystem* file_system_;
  MpiTable messages_{};
  FileReport report_;
  std::set<const Handle*> handles_;
  /// By members and how often they have opened a file.
  std::map<std::pair<std::vector<int>, std::uint64_t>, std::shared_ptr<Opening>> opening_;
  std::map<std::pair<int, std::vector<int>>, std::uint64_t> opened_; // by rank and members
  std::uint32_t openings_ = 0;
};

/// The run's: MPI's functions have no argument of ours.
Library& library();

inline MPI_File mpi_file(Handle& handle) { return reinterpret_cast<MPI_File>(&handle); }

// Each puts its functions into the table.
void add_file_calls(MpiTable& table);
void add_view_calls(MpiTable& table);
void add_access_calls(MpiTable& table);
void add_request_calls(MpiTable& table);

/// What an access says of itself.
struct Outcome {
  int code = MPI_SUCCESS;
  std::int64_t bytes = 0;
};
void say(MPI_Status* status, std::int64_t bytes);

/// All ranks of the opening access: by two phases, or each for itself.
Outcome access_together(Handle& handle, const Access& access, FileRequest::Kind kind);
/// The rank accesses, and waits.
Outcome access_alone(Handle& handle, const Access& access, FileRequest::Kind kind);
/// It goes on meanwhile.
MPI_Request begin_access(Handle& handle, const Access& access, FileRequest::Kind kind);
/// One request of the file system's client, and the wait for it.
FileAnswer submit_and_wait(FileRequest request);
/// A request of the calling rank's node and MPI call.
FileRequest request_for(const Handle& handle, FileRequest::Kind kind);

} // namespace hypermon::mpiio
