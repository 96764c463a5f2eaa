// Costs of the operating system.
#pragma once
namespace hypermon {

/// Costs of NX/2 that are not part of a message's time.
struct OsParams {
  double syscall_us = 130;
  double test_us = 4;
};

} // namespace hypermon
