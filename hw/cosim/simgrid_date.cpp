// SPDX-License-Identifier: BSD-3-Clause
#include "hw/cosim/simgrid_date.hpp"

#include <simgrid/kernel/Timer.hpp> // includes Boost's heaps, which take long to compile

namespace hypermon {

simgrid::kernel::timer::Timer* set_timer_of(Time date, simgrid::xbt::Task<void()>&& action) {
  return simgrid::kernel::timer::Timer::set(std::max(date.seconds(), simgrid_get_clock()), std::move(action));
}

} // namespace hypermon
