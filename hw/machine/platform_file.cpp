// SPDX-License-Identifier: BSD-3-Clause
#include "hw/machine/platform_file.hpp"
#include "hw/cosim/simgrid_compat.hpp"

#include <xbt/log.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string_view>

namespace hypermon {
namespace {

std::string loaded;         // the user's file; empty: the machine does not use one
std::string last_complaint; // last critical message of SimGrid

std::string about_file(const std::string& what) { return "machine.xml = " + loaded + ": " + what; }

/// Keeps SimGrid's critical message; the log still goes to standard error.
ssize_t keep_complaint(void*, const char* text, std::size_t size) {
  constexpr std::string_view critical = "/CRITICAL] ";
  const std::string line(text, size);
  if (const auto at = line.find(critical); at != std::string::npos) last_complaint = line.substr(at + critical.size());
  while (last_complaint.ends_with('\n')) last_complaint.pop_back();
  std::fputs(line.c_str(), stderr);
  return static_cast<ssize_t>(size);
}

void keep_complaints() {
  static std::FILE* const log = fopencookie(nullptr, "w", {nullptr, keep_complaint, nullptr, nullptr});
  std::setvbuf(log, nullptr, _IONBF, 0);
  xbt_log_appender_set(&_XBT_LOGV(XBT_LOG_ROOT_CAT), xbt_log_appender_stream(log));
}

/// Returns the text between `before` and `behind` and removes what follows `before` from `text`, so that an earlier
/// piece can be taken next.
std::optional<std::string> take(std::string_view& text, std::string_view before, std::string_view behind) {
  const auto begin = text.find(before);
  if (begin == std::string_view::npos) return std::nullopt;
  text.remove_prefix(begin + before.size());
  const auto end = text.find(behind);
  if (end == std::string_view::npos) return std::nullopt;
  std::string found(text.substr(0, end));
  text.remove_prefix(end);
  return found;
}

/// Refuses the file with SimGrid's message and, if SimGrid names one, the line of the user's file.
[[noreturn]] void refuse(std::string_view complaint) {
  std::string place;
  if (complaint.starts_with("Parse error at ")) {
    const auto file_end = complaint.find(".xml:");
    const auto line_end = complaint.find(": ", file_end);
    if (file_end != std::string_view::npos && line_end != std::string_view::npos) {
      const auto begin = file_end + std::string_view(".xml:").size();
      place = " (" + loaded + ", line " + std::string(complaint.substr(begin, line_end - begin)) + ")";
      complaint.remove_prefix(line_end + 2);
    }
  }
  std::string message(complaint);
  std::replace(message.begin(), message.end(), '\n', ' ');
  throw UserError(about_file("must be a SimGrid platform: " + message + place));
}

/// Handler while the platform is loaded, and until crashes are those of ranks: an abort() comes from an assertion of
/// SimGrid.
void refuse_at_signal(int signal) {
  std::signal(signal, SIG_DFL);
  const std::string why = last_complaint.empty() ? "SimGrid crashes at it" : last_complaint;
  fail_user(UserError(about_file("must be a SimGrid platform: " + why)));
}

} // namespace

void load_platform_file(const std::string& name, const std::string& checked) {
  loaded = name;
  if (checked.empty())
    throw UserError(about_file("hypermon-sim needs --platform, the file as hypermon has checked it"));
  keep_complaints();
  for (const int signal : {SIGABRT, SIGSEGV, SIGFPE}) std::signal(signal, refuse_at_signal);
  try {
    simgrid_compat::know_disks(); // must precede the creation of disks
    simgrid_compat::sg4::Engine::get_instance()->load_platform(checked);
  } catch (const std::exception& e) {
    refuse(e.what());
  }
}

std::optional<UserError> platform_fault(const std::string& complaint) {
  if (loaded.empty()) return std::nullopt;
  // SimGrid's messages about hosts without a route: text before the first host, between the two, and after the second.
  struct Words {
    std::string_view before, between, behind;
  };
  for (const Words& words : {Words{"send data from ", " to ", " but there is no connecting path"},
                             {"No route from '", "' to '", "'"},
                             {"Bad gateways for route from '", "' to '", "'"},
                             {"StarZone routing (", " - ", "): no link"}}) {
    std::string_view text = complaint;
    const auto from = take(text, words.before, words.between);
    const auto to = from ? take(text, words.between, words.behind) : std::nullopt;
    if (to)
      return UserError(about_file("has no route from host " + *from + " to host " + *to +
                                  ": add a <route> between them, or a <zoneRoute> between their zones"));
  }
  if (complaint.starts_with("There can't be route in an Empty zone"))
    return UserError(
        about_file("has no route between hosts of a <zone> with routing=\"None\": must have another routing"));
  if (complaint.starts_with("Please specify the Vivaldi coordinates of"))
    return UserError(about_file("lacks coordinates in a <zone> with routing=\"Vivaldi\": " +
                                complaint.substr(0, complaint.find(" (0x"))));
  if (complaint.find("file on a diskless host") != std::string::npos)
    return UserError(about_file("a rank opens a file on a host that has no disk: add a <disk> to each <host>, or let "
                                "files take no time with mpiio.file_system = ideal"));
  return std::nullopt;
}

std::optional<UserError> logged_platform_fault() { return platform_fault(last_complaint); }

} // namespace hypermon
