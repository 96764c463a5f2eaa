#include "platforms/worker/rank_loader.hpp"
#include "platforms/spec/user_error.hpp"
#include "platforms/worker/mpi_support.hpp"
#include "platforms/worker/own_definitions.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hypermon {
namespace {

/// Every rank keeps a file open: as many as the system lets us have.
void raise_open_files() {
  static const bool once [[maybe_unused]] = [] {
    rlimit files{};
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur == files.rlim_max) return true;
    files.rlim_cur = files.rlim_max;
    return setrlimit(RLIMIT_NOFILE, &files) == 0;
  }();
}

/// A private copy of the file in memory. It stays open to the end: dlopen tells objects apart by name, and a descriptor
/// number that is used again would be taken for the same object.
std::string private_copy(const std::string& path) {
  raise_open_files();
  const int in = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (in < 0 || fstat(in, &status) != 0) throw UserError(path + ": " + std::strerror(errno));
  const int out = memfd_create("rank", MFD_CLOEXEC);
  for (off_t done = 0; out >= 0 && done < status.st_size;)
    if (sendfile(out, in, &done, static_cast<std::size_t>(status.st_size - done)) <= 0)
      throw UserError(path + ": " + std::strerror(errno));
  close(in);
  if (out < 0) throw UserError(path + ": " + std::strerror(errno));
  bind_own_definitions_first(out);
  return "/proc/self/fd/" + std::to_string(out);
}

/// The object that `address` lies in.
LoadedObject object_at(const void* address) {
  struct Search {
    const void* address;
    LoadedObject found;
  } search{address, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        LoadedObject object{info->dlpi_addr, info->dlpi_addr};
        for (int i = 0; i < info->dlpi_phnum; ++i)
          if (const auto& part = info->dlpi_phdr[i]; part.p_type == PT_LOAD)
            object.end = std::max<std::uintptr_t>(object.end, info->dlpi_addr + part.p_vaddr + part.p_memsz);
        auto& wanted = *static_cast<Search*>(data);
        if (!object.contains(wanted.address)) return 0;
        wanted.found = object;
        return 1;
      },
      &search);
  return search.found;
}

} // namespace

RankProgram::RankProgram(const std::string& shared_object) : name_(shared_object) {
  void* handle = dlopen(private_copy(shared_object).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const std::string why = dlerror();
    ranks().loading(-1); // the error is ours to write
    if (const auto absent = absent_mpi(shared_object); !absent.empty())
      throw UserError("program.file = " + shared_object + ": " + calls_absent(absent));
    throw UserError(shared_object + ": not a loadable program: " + why);
  }
  main_ = reinterpret_cast<Main>(dlsym(handle, "main"));
  if (main_ == nullptr) throw UserError(shared_object + ": has no main()");
  object_ = object_at(reinterpret_cast<const void*>(main_));
}

int RankProgram::run(const std::vector<std::string>& arguments) const {
  std::vector<std::string> strings{name_};
  strings.insert(strings.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(strings.size() + 1);
  for (auto& s : strings) argv.push_back(s.data());
  argv.push_back(nullptr);
  return main_(static_cast<int>(strings.size()), argv.data());
}

} // namespace hypermon
