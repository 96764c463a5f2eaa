// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/worker/rank_loader.hpp"
#include "base/user_error.hpp"
#include "platforms/worker/mpi_support.hpp"
#include "platforms/worker/own_definitions.hpp"
#include "platforms/worker/private_library.hpp"
#include "platforms/worker/program_object.hpp"
#include "platforms/worker/ranks.hpp"

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

/// Every rank keeps a file open, so the limit is raised as far as the system permits.
void raise_open_files() {
  static const bool once [[maybe_unused]] = [] {
    rlimit files{};
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur == files.rlim_max) return true;
    files.rlim_cur = files.rlim_max;
    return setrlimit(RLIMIT_NOFILE, &files) == 0;
  }();
}

/// A private copy of the file in memory. Its descriptor stays open until the end: dlopen distinguishes objects by name,
/// and a reused descriptor number would be taken for the same object.
int private_copy(const std::string& path, std::size_t program) {
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
  bind_world(out, program);
  give_private_fortran(out);
  return out;
}

/// An address within the object: its dynamic section.
const void* own_part(void* handle) {
  link_map* object = nullptr;
  dlinfo(handle, RTLD_DI_LINKMAP, &object);
  return object->l_ld;
}

} // namespace

RankProgram::RankProgram(const std::string& shared_object, std::size_t program) : name_(shared_object) {
  const int copy = private_copy(shared_object, program);
  const Destructors destructors = take_destructors(copy);
  const std::string path = "/proc/self/fd/" + std::to_string(copy);
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const std::string why = dlerror();
    ranks().loading(-1); // the error is the simulator's output, not the rank's
    if (const auto absent = absent_mpi(shared_object); !absent.empty())
      throw UserError(object_name(name_) + calls_absent(absent));
    throw UserError(object_name(name_) + why_not_loaded(why, path));
  }
  main_ = reinterpret_cast<Main>(dlsym(handle, "main"));
  if (main_ == nullptr || !object_at(reinterpret_cast<const void*>(main_)).contains(own_part(handle)))
    throw UserError(object_name(name_) + "has no main(): must be a whole program");
  object_ = object_at(reinterpret_cast<const void*>(main_));
  const auto* functions = reinterpret_cast<void (**)()>(object_.begin + destructors.array);
  for (std::size_t i = destructors.bytes / sizeof *functions; i-- > 0;) destructors_.push_back(functions[i]);
  if (destructors.last != 0) destructors_.push_back(reinterpret_cast<void (*)()>(object_.begin + destructors.last));
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
