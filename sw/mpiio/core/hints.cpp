// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpiio/core/hints.hpp"

#include <array>
#include <charconv>
#include <limits>
#include <variant>

namespace hypermon::mpiio {
namespace {

using Member = std::variant<Switch Hints::*, std::int64_t Hints::*, bool Hints::*>;

struct Known {
  const char* key;
  Member member;
  const char* on = "enable";
  const char* off = "disable";
};

constexpr std::array known{Known{"romio_cb_read", &Hints::cb_read},
                           Known{"romio_cb_write", &Hints::cb_write},
                           Known{"romio_ds_read", &Hints::ds_read},
                           Known{"romio_ds_write", &Hints::ds_write},
                           Known{"cb_nodes", &Hints::cb_nodes},
                           Known{"cb_buffer_size", &Hints::cb_buffer_size},
                           Known{"ind_rd_buffer_size", &Hints::ind_rd_buffer_size},
                           Known{"ind_wr_buffer_size", &Hints::ind_wr_buffer_size},
                           Known{"striping_unit", &Hints::striping_unit},
                           Known{"striping_factor", &Hints::striping_factor},
                           Known{"romio_no_indep_rw", &Hints::no_indep_rw, "true", "false"},
                           Known{"romio_pvfs2_posix_read", &Hints::posix_read},
                           Known{"romio_pvfs2_posix_write", &Hints::posix_write},
                           Known{"romio_pvfs2_listio_read", &Hints::listio_read},
                           Known{"romio_pvfs2_listio_write", &Hints::listio_write},
                           Known{"romio_pvfs2_dtype_read", &Hints::dtype_read},
                           Known{"romio_pvfs2_dtype_write", &Hints::dtype_write}};

constexpr std::array<const char*, 3> switches{"automatic", "enable", "disable"};

std::optional<std::string> set(Switch& member, const std::string& value, const Known&) {
  for (std::size_t i = 0; i < switches.size(); ++i)
    if (value == switches[i]) {
      member = static_cast<Switch>(i);
      return std::nullopt;
    }
  return "must be enable, disable or automatic";
}

std::optional<std::string> set(std::int64_t& member, const std::string& value, const Known&) {
  std::int64_t number = 0;
  const char* const end = value.data() + value.size();
  const auto [read, error] = std::from_chars(value.data(), end, number);
  if (error != std::errc() || read != end || number < 1 || number > std::numeric_limits<std::int32_t>::max())
    return "must be a whole number from 1 to 2147483647";
  member = number;
  return std::nullopt;
}

std::optional<std::string> set(bool& member, const std::string& value, const Known& k) {
  if (value != k.on && value != k.off) return std::string("must be ") + k.on + " or " + k.off;
  member = value == k.on;
  return std::nullopt;
}

std::string text(Switch value, const Known&) { return switches[static_cast<std::size_t>(value)]; }
std::string text(std::int64_t value, const Known&) { return std::to_string(value); }
std::string text(bool value, const Known& k) { return value ? k.on : k.off; }

} // namespace

std::optional<std::string> Hints::take(const std::string& key, const std::string& value) {
  for (const Known& k : known) {
    if (key != k.key) continue;
    auto why = std::visit([&](auto member) { return set(this->*member, value, k); }, k.member);
    if (no_indep_rw && key == "romio_no_indep_rw") cb_read = cb_write = Switch::enable;
    return why;
  }
  return "not known";
}

std::vector<std::pair<std::string, std::string>> Hints::all() const {
  std::vector<std::pair<std::string, std::string>> hints;
  for (const Known& k : known)
    hints.emplace_back(k.key, std::visit([&](auto m) { return text(this->*m, k); }, k.member));
  return hints;
}

} // namespace hypermon::mpiio
