// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpiio/library.hpp"
#include "base/file_parameter.hpp"
#include "base/user_error.hpp"
#include "sw/mpi/communicator.hpp"
#include "sw/mpiio/calls.hpp"
#include "sw/mpiio/ideal_files.hpp"

#include <simgrid/s4u/Semaphore.hpp>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <sstream>

namespace hypermon::mpiio {
namespace {

Library* the_library = nullptr;

/// Host file name for a name that the program uses.
std::string host_name(const std::string& name) {
  constexpr const char* digits = "0123456789abcdef";
  std::string safe;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '_' || c == '-' || (c == '.' && !safe.empty()))
      safe += c;
    else
      safe += {'%', digits[byte >> 4], digits[byte & 15]};
  }
  return safe;
}

/// MPI's code for an error of the host with a file, as in MPICH.
int code_of(int error) {
  switch (error) {
  case 0:
    return MPI_SUCCESS;
  case ENOENT:
  case ENOTDIR:
    return MPI_ERR_NO_SUCH_FILE;
  case EACCES:
  case EPERM:
    return MPI_ERR_ACCESS;
  case EROFS:
    return MPI_ERR_READ_ONLY;
  case ENAMETOOLONG:
    return MPI_ERR_BAD_FILE;
  case ENOSPC:
    return MPI_ERR_NO_SPACE;
  default:
    return MPI_ERR_IO;
  }
}

} // namespace

Library& library() { return *the_library; }

Library::Library(const Spec& spec, OperatingSystem& os, const MpiLayer& mpi,
                 std::optional<std::filesystem::path> folder)
    : params_(spec.get<MpiioParams>()), os_(os), folder_(std::move(folder)), file_system_(mpi.file_system) {
  if (folder_) folder_ = std::filesystem::canonical(*folder_);
  if (params_.file_system == FilesOf::pvfs && file_system_ == nullptr)
    throw UserError("mpiio.file_system = pvfs: the machine has no parallel file system (packets.network, pfs.servers)");
  if (params_.file_system == FilesOf::nfs && file_system_ == nullptr)
    throw UserError("mpiio.file_system = nfs: the machine has no shared file system (nfs.place)");
  if (params_.file_system == FilesOf::ideal) {
    own_file_system_ = std::make_unique<IdealFiles>(params_.capacity_bytes.number);
    file_system_ = own_file_system_.get();
  }
  the_library = this;
  give_files();
  give_sizes();
}

Library::~Library() {
  for (const Handle* handle : handles_) delete handle;
  the_library = nullptr;
}

std::shared_ptr<SharedFile> Library::give(const std::string& name) {
  if (const auto own = in_folder(name); own && params_.contents == FileBytes::kept) {
    std::error_code error;
    std::filesystem::create_directories(path_of(*own).parent_path(), error); // on failure open fails
  }
  std::shared_ptr<SharedFile> file;
  errno = 0;
  if (make(name, true, file) != MPI_SUCCESS)
    throw UserError("mpiio.files, mpiio.sizes: " + name + " cannot be made: " + std::strerror(errno));
  return file;
}

void Library::give_files() {
  const auto folder = file_parameter(params_.files);
  if (!folder) return;
  const std::filesystem::path root = folder->path;
  std::vector<std::filesystem::path> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
    if (entry.is_regular_file()) all.push_back(entry.path());
  std::sort(all.begin(), all.end());
  for (const auto& path : all) {
    const auto file = give(std::filesystem::relative(path, root));
    file->contents.resize(0);
    std::ifstream in(path, std::ios::binary);
    std::vector<char> block(1 << 20);
    while (in.read(block.data(), static_cast<std::streamsize>(block.size())), in.gcount() > 0) {
      const std::int64_t at = file->contents.size();
      if (file->contents.keeps_bytes()) file->contents.write(at, block.data(), in.gcount());
      file->contents.reach(at + in.gcount());
    }
    if (in.bad()) throw UserError("mpiio.files = " + folder->path + ": " + path.string() + " cannot be read");
    given(*file);
  }
}

void Library::give_sizes() {
  std::istringstream words(params_.sizes);
  for (std::string word; words >> word;) {
    const auto equals = word.rfind('=');
    std::int64_t bytes = -1;
    const char* const end = word.data() + word.size();
    const char* const begin = equals == std::string::npos ? end : word.data() + equals + 1;
    const auto [read, error] = std::from_chars(begin, end, bytes);
    if (equals == std::string::npos || equals == 0 || error != std::errc() || read != end || bytes < 0)
      throw UserError("mpiio.sizes = " + params_.sizes + ": " + word + ": must be NAME=BYTES");
    const auto file = give(word.substr(0, equals));
    file->contents.resize(bytes);
    given(*file);
  }
}

void Library::given(SharedFile& file) {
  file_system_->resize(file.id, file.contents.size());
  rest(file);
  if (const auto* host = dynamic_cast<const HostFile*>(&file.contents)) given_[file.name] = host->stamp();
}

std::optional<std::string> Library::in_folder(const std::string& name) const {
  if (!folder_) return std::nullopt;
  std::error_code error; // a name that is too long is not in the folder
  const auto path = std::filesystem::weakly_canonical(std::filesystem::absolute(name, error), error);
  const auto inner = error ? std::filesystem::path() : path.lexically_relative(*folder_);
  if (inner.empty() || inner == "." || *inner.begin() == "..") return std::nullopt;
  return inner.string();
}

bool Library::exists(const std::string& name) const {
  const auto own = in_folder(name);
  if (!own) return files.contains(name);
  if (params_.contents != FileBytes::kept && files.contains(*own)) return true;
  std::error_code error;
  return std::filesystem::exists(path_of(*own), error);
}

int Library::make(const std::string& name, bool writes, std::shared_ptr<SharedFile>& file) {
  const auto own = in_folder(name);
  auto& known = files[own.value_or(name)];
  if (own && params_.contents == FileBytes::kept) {
    if (known && !is_there(*known)) { // the program has deleted or replaced it
      file_system_->remove(known->id);
      known.reset();
    }
    std::unique_ptr<HostFile> made;
    if (!known) made = std::make_unique<HostFile>(path_of(*own));
    HostFile& host = known ? static_cast<HostFile&>(known->contents) : *made;
    if (const int error = host.open(writes); error != 0) {
      if (!known) files.erase(*own);
      errno = error;
      return code_of(error);
    }
    if (!known) known = std::make_shared<SharedFile>(*own, file_system_->file(*own), std::move(made));
    if (known->openings == 0) file_system_->resize(known->id, known->contents.size());
  } else if (!known) {
    known = std::make_shared<SharedFile>(own.value_or(name), file_system_->file(own.value_or(name)),
                                         std::make_unique<FileContents>(params_.contents == FileBytes::kept));
    std::error_code error;
    if (own && std::filesystem::is_regular_file(path_of(*own), error)) {
      known->contents.resize(static_cast<std::int64_t>(std::filesystem::file_size(path_of(*own), error)));
      file_system_->resize(known->id, known->contents.size());
    }
    if (folder_ && !own) report_.only_of_mpi(name);
  }
  file = known;
  return MPI_SUCCESS;
}

bool Library::is_there(const SharedFile& file) const {
  const auto known = files.find(file.name);
  if (known == files.end() || known->second.get() != &file) return false;
  const auto* host = dynamic_cast<const HostFile*>(&file.contents);
  return host == nullptr || host->is_there();
}

int Library::remove(const std::string& name) {
  const auto own = in_folder(name);
  const auto found = files.find(own.value_or(name));
  if (own && params_.contents == FileBytes::kept) {
    errno = 0;
    if (::unlink(path_of(*own).c_str()) != 0) return code_of(errno);
  }
  if (found == files.end()) return MPI_SUCCESS;
  file_system_->remove(found->second->id);
  files.erase(found);
  return MPI_SUCCESS;
}

void Library::rest(SharedFile& file) {
  if (auto* host = dynamic_cast<HostFile*>(&file.contents); host != nullptr && file.openings == 0) host->close();
}

void Library::report(Results& results) {
  std::erase_if(files, [&](const auto& entry) { return !is_there(*entry.second); });
  report_.write(results, files);
}

void Library::keep_files(const std::filesystem::path& directory) const {
  if (!params_.keep) {
    for (const auto& [name, stamp] : given_) // as for program.folder: only the program's own files stay
      if (HostFile(path_of(name)).stamp() == stamp) ::unlink(path_of(name).c_str());
    return;
  }
  std::filesystem::create_directory(directory / "files");
  for (const auto& [name, file] : files) {
    // the file is already in the program's folder
    if (dynamic_cast<const HostFile*>(&file->contents) != nullptr) continue;
    const auto path = directory / "files" / host_name(name);
    errno = 0;
    std::ofstream out(path, std::ios::binary);
    file->contents.for_each_block([&](std::int64_t offset, const char* data, std::int64_t bytes) {
      out.seekp(offset);
      out.write(data, bytes);
    });
    out.close();
    if (out.fail())
      fail_user(UserError("mpiio.keep = true: " + path.string() + " cannot be written: " + std::strerror(errno)));
    std::filesystem::resize_file(path, static_cast<std::uintmax_t>(file->contents.size()));
  }
}

Handle* Library::find(MPI_File file) const {
  auto* const handle = reinterpret_cast<Handle*>(file);
  return handles_.contains(handle) ? handle : nullptr;
}

Handle& Library::open(RankState& self, MPI_Comm comm) {
  std::vector<int> members = world_ranks(comm);
  for (int& member : members) member += self.first;
  const std::uint64_t n = opened_[{self.rank, members}]++;
  auto& opening = opening_[{members, n}];
  if (!opening) {
    opening = std::make_shared<Opening>();
    opening->number = ++openings_;
    opening->members = members;
  }
  auto* const handle = new Handle;
  handle->opening = opening;
  handle->comm = comm;
  handle->handler = default_handler;
  handle->index = static_cast<std::size_t>(std::find(members.begin(), members.end(), self.rank) - members.begin());
  handles_.insert(handle);
  if (params_.agreement == Agreement::messages) exchange(*handle);
  return *handle;
}

void Library::close(Handle& handle) {
  if (handle.exchange != MPI_COMM_NULL) messages_.Comm_free(&handle.exchange);
  for (MPI_Datatype* type : {&handle.mpi_etype, &handle.mpi_filetype})
    if (*type != MPI_BYTE) PMPI_Type_free(type);
  handles_.erase(&handle);
  delete &handle;
}

void Library::take_hints(Handle& handle, MPI_Info info) {
  for (const auto& [key, value] : hints_of(info)) {
    Hints taken = handle.hints;
    auto why = taken.take(key, value);
    if (!why && taken.ds_write == Switch::enable && !params_.locks) {
      why = "the file system has no locks (mpiio.locks)";
      taken.ds_write = handle.hints.ds_write;
    }
    if (!why && key == "cb_nodes" && taken.cb_nodes > static_cast<std::int64_t>(handle.opening->members.size())) {
      why = "the file has fewer processes";
      taken.cb_nodes = handle.hints.cb_nodes;
    }
    if (why) {
      handle.ignored_hints.push_back(key + " = " + value + ": " + *why);
      report_.ignored(handle.ignored_hints.back());
    }
    handle.hints = taken;
  }
}

MPI_Comm Library::exchange(Handle& handle) const {
  if (handle.exchange == MPI_COMM_NULL) {
    messages_.Comm_dup(handle.comm, &handle.exchange);
    if (params_.two_phase_data == TwoPhaseData::plain) make_plain(os_.ranks.self(), handle.exchange);
  }
  return handle.exchange;
}

void Library::outlive(MPI_Comm comm) {
  const RankState& self = os_.ranks.self();
  std::vector<Handle*> mine; // in the order of their opening, which is the same on all ranks
  for (const Handle* known : handles_) {
    auto* const handle = const_cast<Handle*>(known);
    if (handle->comm == comm && handle->exchange == MPI_COMM_NULL &&
        handle->opening->members[handle->index] == self.rank)
      mine.push_back(handle);
  }
  std::sort(mine.begin(), mine.end(), [](auto* a, auto* b) { return a->opening->number < b->opening->number; });
  for (Handle* handle : mine) handle->comm = exchange(*handle);
}

std::shared_ptr<Meeting> Library::arrive(Handle& handle, CallArguments arguments) {
  if (params_.agreement == Agreement::messages) {
    std::int64_t agreed = 0;
    messages_.Allreduce(MPI_IN_PLACE, &agreed, 1, MPI_INT64_T, MPI_MAX, exchange(handle));
  }
  auto& meeting = handle.opening->meetings[++handle.meetings];
  if (!meeting) {
    meeting = std::make_shared<Meeting>();
    meeting->arguments.resize(handle.opening->members.size());
    meeting->numbers.resize(handle.opening->members.size());
  }
  meeting->arguments[handle.index] = std::move(arguments);
  ++meeting->arrived;
  return meeting;
}

void Library::wait(Meeting& meeting) {
  const auto decided = simgrid::s4u::Semaphore::create(0);
  meeting.waiting.push_back(decided);
  decided->acquire();
}

MPI_Comm Library::describe(MPI_File file, FileCall& call) const {
  const Handle* handle = find(file);
  if (handle == nullptr) return MPI_COMM_NULL;
  call.file = handle->file().name;
  call.handle = handle->opening->number;
  call.amode = handle->opening->amode;
  call.etype = handle->etype;
  call.filetype = handle->view.element();
  call.displacement = handle->displacement;
  return handle->comm;
}

void Library::describe_access(MPI_File file, FilePointer pointer, FileCall& call) const {
  const Handle* handle = find(file);
  if (handle == nullptr || handle->view.element()->size() == 0 || call.bytes == 0) return;
  call.memory_pieces = Stream(call.memory).pieces(0, call.bytes);
  const std::int64_t place = pointer == FilePointer::given ? call.argument.value_or(0)
                             : pointer == FilePointer::own ? handle->position
                                                           : handle->opening->shared_position;
  if (place < 0) return;
  const std::int64_t first = place * handle->etype->size();
  if (pointer != FilePointer::shared) call.offset = handle->view.at(first).offset;
  call.file_pieces = handle->view.pieces(first, first + call.bytes);
}

void Library::returned(const RankState&, MPI_File file, FileCall& call) const {
  const Handle* handle = find(file);
  if (handle == nullptr) return; // closed
  call.handle = handle->opening->number;
  call.ignored_hints = handle->ignored_hints;
}

MPI_Errhandler Library::handler(MPI_File file) const {
  const Handle* handle = find(file);
  return handle == nullptr ? default_handler : handle->handler;
}

int Library::call_handler(MPI_Errhandler handler, MPI_File file, int code) const {
  if (const auto found = handlers.find(handler); found != handlers.end()) call_file_handler(found->second, file, code);
  return code;
}

} // namespace hypermon::mpiio
