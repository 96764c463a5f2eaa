// SPDX-License-Identifier: BSD-3-Clause
// gethostname() and uname(): a rank sees its node's name, because the host's name would differ between runs.
#include "platforms/worker/c_library.hpp"
#include "platforms/worker/ranks.hpp"

#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Host.hpp>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

namespace hypermon {

LIBC(int, uname, utsname* about) {
  const auto status = syscall(SYS_uname, about);
  if (status == 0 && ranks().current()) {
    const std::string& node = simgrid::s4u::this_actor::get_host()->get_name();
    std::memset(about->nodename, 0, sizeof about->nodename);
    node.copy(about->nodename, sizeof about->nodename - 1);
  }
  return static_cast<int>(status);
}

LIBC(int, gethostname, char* name, std::size_t size) {
  utsname about{};
  if (own_uname(&about) != 0) return -1;
  const std::size_t length = std::strlen(about.nodename) + 1;
  std::memcpy(name, about.nodename, std::min(length, size));
  if (length <= size) return 0;
  errno = ENAMETOOLONG;
  return -1;
}
/// Called by objects built with -D_FORTIFY_SOURCE.
LIBC(int, __gethostname_chk, char* name, std::size_t size, std::size_t) { return own_gethostname(name, size); }

} // namespace hypermon
