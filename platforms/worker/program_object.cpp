// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/worker/program_object.hpp"
#include "base/user_error.hpp"
#include "platforms/worker/describe.hpp"
#include "platforms/worker/object_file.hpp"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace hypermon {
namespace {

constexpr const char* build_it = "build it by smpicc or smpicxx";

#if defined(__x86_64__)
constexpr Elf64_Half this_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr Elf64_Half this_machine = EM_AARCH64;
#endif

std::string machine(Elf64_Half code) {
  switch (code) {
  case EM_386:
    return "Intel 386";
  case EM_X86_64:
    return "x86-64";
  case EM_ARM:
    return "ARM";
  case EM_AARCH64:
    return "AArch64";
  case EM_PPC64:
    return "PowerPC";
  case EM_RISCV:
    return "RISC-V";
  default:
    return "ELF machine " + std::to_string(code);
  }
}

/// The libraries that the object needs.
std::vector<std::string> needed(const ObjectFile& object) {
  std::vector<std::string> libraries;
  for (const Elf64_Dyn& entry : object.dynamic()) {
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag == DT_NEEDED) libraries.emplace_back(object.dynamic_text(entry.d_un.d_val));
  }
  return libraries;
}

/// Whether the library belongs to another MPI. None of hypermon's libraries has such a name.
bool is_other_mpi(const std::string& library) {
  constexpr std::array prefixes{"libmpi.", "libmpi_", "libmpich", "libmpicxx", "libmpifort", "libpmpi", "libmvapich"};
  return std::any_of(prefixes.begin(), prefixes.end(), [&](const char* one) { return library.starts_with(one); });
}

/// Whether the library is a SimGrid other than the loaded one.
bool is_other_simgrid(const std::string& library) {
  if (!library.starts_with("libsimgrid.")) return false;
  void* const ours = dlopen(library.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (ours != nullptr) dlclose(ours);
  return ours == nullptr;
}

std::string of_others(const ObjectFile& object) {
  for (const std::string& library : needed(object)) {
    if (is_other_mpi(library)) return "was built with another MPI (it needs " + library + "); " + build_it;
    if (is_other_simgrid(library))
      return "was built with another SimGrid (it needs " + library + ", this is SimGrid " +
             versions()["simgrid"].get<std::string>() + "); " + build_it + " of this one, or give its sources";
  }
  return {};
}

bool is_pie(const ObjectFile& object) {
  for (const Elf64_Dyn& entry : object.dynamic())
    if (entry.d_tag == DT_FLAGS_1) return (entry.d_un.d_val & DF_1_PIE) != 0;
  return false;
}

/// The object's fault; empty if it has none.
std::string wrong_with(const ObjectFile& object) {
  if (object.header().empty()) return std::string("is not a program that can be loaded (ELF, 64 bits); ") + build_it;
  const Elf64_Ehdr& header = object.header()[0];
  if (header.e_machine != this_machine)
    return "is for another processor (" + machine(header.e_machine) + ", this is " + machine(this_machine) + "); " +
           build_it + " here";
  if (const std::string why = of_others(object); !why.empty()) return why;
  if (header.e_type == ET_REL) return "is an object file that was not linked; link it by smpicc or smpicxx";
  if (header.e_type == ET_EXEC || is_pie(object))
    return std::string("is an executable, and must be a shared object, as smpicc makes it; ") + build_it;
  if (header.e_type != ET_DYN) return std::string("is not a program; ") + build_it;
  return {};
}

} // namespace

std::string object_name(const std::string& path) { return "program.file = " + path + ": "; }

void check_program_object(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw UserError(object_name(path) + "cannot be read: " + std::strerror(errno));
  const std::string wrong = wrong_with(ObjectFile(file));
  close(file);
  if (!wrong.empty()) throw UserError(object_name(path) + wrong);
}

std::string why_not_loaded(const std::string& message, const std::string& name) {
  const std::string own = name + ": ";
  const std::string text = message.starts_with(own) ? message.substr(own.size()) : message;
  constexpr std::string_view undefined = "undefined symbol: ";
  if (const auto at = text.find(undefined); at != std::string::npos) {
    const std::string symbol = text.substr(at + undefined.size());
    if (symbol.starts_with("ompi_") || symbol.starts_with("opal_"))
      return "was compiled with Open MPI's mpi.h (undefined symbol: " + symbol + "); " + build_it;
    return "cannot be loaded (undefined symbol: " + symbol + "); link what defines it";
  }
  if (text.find("cannot open shared object file") != std::string::npos)
    return "cannot be loaded (" + text + "); install that library, or say where it is by LD_LIBRARY_PATH";
  return "cannot be loaded (" + text + "); " + build_it;
}

} // namespace hypermon
