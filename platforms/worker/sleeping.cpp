// sleep() and its like, as smpicc renames them: the rank sleeps in simulated time, and what looks for deadlocks knows.
#include "sw/nx2/nx2.hpp"

#include <ctime>

using namespace hypermon;

namespace {
void sleep_for(double seconds) { nx2().sleep_until(Nx2::now() + Time::from_seconds_rounded(seconds)); }
} // namespace

extern "C" {
[[gnu::visibility("default")]] unsigned int smpi_sleep(unsigned int seconds) {
  sleep_for(seconds);
  return 0;
}
[[gnu::visibility("default")]] int smpi_usleep(useconds_t microseconds) {
  sleep_for(microseconds * 1e-6);
  return 0;
}
[[gnu::visibility("default")]] int smpi_nanosleep(const timespec* wanted, timespec*) {
  sleep_for(static_cast<double>(wanted->tv_sec) + static_cast<double>(wanted->tv_nsec) * 1e-9);
  return 0;
}
}
