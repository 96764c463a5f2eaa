// SPDX-License-Identifier: BSD-3-Clause
// Work of LU's routines: floating-point operations and bytes for each point, and the share of the bytes that comes from
// memory.
#pragma once
#include "sw/workloads/common/charge.hpp"
#include "sw/workloads/lu/params.hpp"
#include "sw/workloads/lu/pencil.hpp"
#include <cmath>

namespace hypermon::workloads::lu {

/// Work for an inner point.
struct Work {
  double flops;
  double bytes; ///< between memory and an empty cache: 40 B for each array that is read or written back
};

// Counted in NPB 3.3's source, except jacld and jacu: they share the rest of the 1984.77 operations per point in NPB's
// own formula (docs/design/lu.md).
inline constexpr Work scaling{5, 80};
inline constexpr Work jacobian{479.885, 40};
inline constexpr Work solving{279, 80};
inline constexpr Work update{10, 120};
inline constexpr Work rhs_begin{5, 120};
inline constexpr Work rhs_x{149, 200};
inline constexpr Work rhs_y_and_z{298, 840};
inline constexpr Work norm{10, 40};

/// Bytes per point that the iterations sweep over: u, the residual and the right-hand side.
inline constexpr double bytes_of_point = 120;

/// Share of a rank's bytes that is no longer in its cache when a sweep returns to them.
inline double missing(const LuParams& p, const Pencil& pencil) {
  constexpr double page = 4096;
  const double data = bytes_of_point * static_cast<double>(pencil.all());
  const double cache = 1024.0 * static_cast<double>(p.cache_kib);
  switch (p.cache) {
  case LuCache::none:
    return 1;
  case LuCache::lru: {
    // A page stays in the cache if at most ways - 1 other pages have its colour. The number of these pages is
    // binomially distributed.
    const double others = std::max(std::ceil(data / page) - 1, 0.0);
    const double colour = page * static_cast<double>(p.cache_ways) / cache; // the share of pages with a given colour
    if (colour >= 1) return (others + 1) * page <= cache ? 0 : 1;
    double probability = std::pow(1 - colour, others);
    double stays = 0;
    for (double same = 0; same < static_cast<double>(p.cache_ways) && same <= others; ++same) {
      stays += probability;
      probability *= (others - same) / (same + 1) * colour / (1 - colour);
    }
    return std::max(1 - stays, 0.0);
  }
  case LuCache::random: {
    // Between two visits of a line, every miss evicts a random line of the cache: m = 1 - exp(-m data / cache).
    double misses = 1;
    if (data <= cache) return 0;
    for (int step = 0; step < 1000; ++step) misses = -std::expm1(-misses * data / cache);
    return misses;
  }
  }
  return 1;
}

/// Charges work to the calling rank.
class Charges {
public:
  Charges(const LuParams& p, const Pencil& pencil)
      : flop_ns_(p.flop_ns.number), byte_ns_(p.byte_ns.number * missing(p, pencil)),
        plane_(static_cast<double>(pencil.inner_of_plane())), planes_(pencil.z() - 2) {}
  void plane(const Work& work) const { hypermon_charge(plane_, of_point(work)); }
  void cube(const Work& work) const { hypermon_charge(plane_ * planes_, of_point(work)); }

private:
  double of_point(const Work& work) const { return work.flops * flop_ns_ + work.bytes * byte_ns_; }
  double flop_ns_;
  double byte_ns_;
  double plane_;  // inner points of a plane
  double planes_; // number of inner planes
};

} // namespace hypermon::workloads::lu
