// Parameters of the collection: small programs beside the paper's four, one for each pattern of communication. Their
// sizes are for a 16-node iPSC/2; their costs rest on the multiply-add of MatMul's inner loop (14.6 us with its index
// arithmetic, calibrated on Table 2), the only one that the paper lets us derive.
#pragma once
#include "hw/core/field.hpp"

namespace hypermon {

/// A message to and fro in growing sizes (sw/workloads/pingpong.cpp).
struct PingpongParams {
  std::int64_t partner = 0;
  std::int64_t least_bytes = 4;
  std::int64_t most_bytes = 16384;
  std::int64_t repeats = 50;
  static constexpr auto fields() {
    return std::tuple{
        Field{"partner", &PingpongParams::partner, range(0, 4095), "", "Rank that answers rank 0; 0: the last.",
              "chosen: the last rank is a hypercube's farthest"},
        Field{"least_bytes", &PingpongParams::least_bytes, range(1, 1 << 24), "B",
              "First size; each next is its double.", "chosen"},
        Field{"most_bytes", &PingpongParams::most_bytes, range(1, 1 << 24), "B", "No size is beyond it.",
              "chosen: short and long messages"},
        Field{"repeats", &PingpongParams::repeats, range(1, 1e7), "", "Messages to and fro of each size.", "chosen"}};
  }
};
static_assert(all_members_described<PingpongParams>());

/// Blocks that travel round a ring (sw/workloads/ring.cpp).
struct RingParams {
  std::int64_t numbers = 32;
  std::int64_t steps = 96;
  double number_ns = 14600;
  static constexpr auto fields() {
    return std::tuple{Field{"numbers", &RingParams::numbers, range(1, 1 << 20), "numbers", "Numbers of 8 B in a block.",
                            "chosen: 256 B, long messages"},
                      Field{"steps", &RingParams::steps, range(0, 1e7), "", "Steps; as many as ranks are once round.",
                            "chosen: six times round 16 nodes"},
                      Field{"number_ns", &RingParams::number_ns, range(0, 1e9), "ns",
                            "CPU time of adding one number of the block.", "assumed: one matmul.multiply_add_ns"}};
  }
};
static_assert(all_members_described<RingParams>());

/// Everyone exchanges with everyone (sw/workloads/alltoall.cpp).
struct AlltoallParams {
  std::int64_t numbers = 16;
  std::int64_t repeats = 8;
  double number_ns = 7300;
  static constexpr auto fields() {
    return std::tuple{
        Field{"numbers", &AlltoallParams::numbers, range(1, 1 << 20), "numbers",
              "Numbers of 8 B that a rank has for each other.", "chosen: 128 B, long messages"},
        Field{"repeats", &AlltoallParams::repeats, range(0, 1e7), "", "Exchanges of all with all.", "chosen"},
        Field{"number_ns", &AlltoallParams::number_ns, range(0, 1e9), "ns", "CPU time of one number that came.",
              "assumed: half a matmul.multiply_add_ns"}};
  }
};
static_assert(all_members_described<AlltoallParams>());

/// Jacobi sweeps on a square, 2-D halo exchange (sw/workloads/halo.cpp).
struct HaloParams {
  std::int64_t size = 64;
  std::int64_t iterations = 40;
  std::int64_t norm_every = 20;
  double point_ns = 43800;
  static constexpr auto fields() {
    return std::tuple{Field{"size", &HaloParams::size, range(1, 16384), "points", "Rows and columns of the square.",
                            "chosen: 16 x 16 points and 128 B edges (long messages) on each of 16 nodes"},
                      Field{"iterations", &HaloParams::iterations, range(0, 1e7), "", "Sweeps.",
                            "chosen: about half a second of host time"},
                      Field{"norm_every", &HaloParams::norm_every, range(0, 1e7), "",
                            "Sweeps between two global sums of the change; 0: none.", "assumed"},
                      Field{"point_ns", &HaloParams::point_ns, range(0, 1e9), "ns", "CPU time of one point of a sweep.",
                            "assumed: three multiply-adds of matmul.multiply_add_ns"}};
  }
};
static_assert(all_members_described<HaloParams>());

/// A master deals out tasks (sw/workloads/workers.cpp).
struct WorkersParams {
  std::int64_t tasks = 1500;
  std::int64_t points = 500;
  double point_ns = 58400;
  double deal_ns = 58400;
  static constexpr auto fields() {
    return std::tuple{Field{"tasks", &WorkersParams::tasks, range(1, 1e7), "", "Tasks.", "chosen"},
                      Field{"points", &WorkersParams::points, range(0, 1e7), "points",
                            "Points of a task on average, exponentially distributed.",
                            "assumed: tasks of 29 ms, 500 a second on 15 workers"},
                      Field{"point_ns", &WorkersParams::point_ns, range(0, 1e9), "ns",
                            "CPU time of one point: a division and three operations.",
                            "assumed: four matmul.multiply_add_ns"},
                      Field{"deal_ns", &WorkersParams::deal_ns, range(0, 1e9), "ns",
                            "CPU time in which the master books a result and chooses a task.",
                            "assumed: four matmul.multiply_add_ns"}};
  }
};
static_assert(all_members_described<WorkersParams>());

/// Relaxation in a pipeline of planes, as LU's (sw/workloads/wavefront.cpp).
struct WavefrontParams {
  std::int64_t size = 32;
  std::int64_t planes = 16;
  std::int64_t iterations = 5;
  double omega = 1.2;
  double point_ns = 58400;
  static constexpr auto fields() {
    return std::tuple{
        Field{"size", &WavefrontParams::size, range(1, 4096), "points", "Rows and columns of a plane.",
              "chosen: 8 x 8 points and 64 B edges (short messages) on each of 16 nodes"},
        Field{"planes", &WavefrontParams::planes, range(1, 4096), "", "Planes of the box.",
              "chosen: twice the steps that fill a pipeline of 4 x 4 nodes"},
        Field{"iterations", &WavefrontParams::iterations, range(0, 1e6), "", "Sweeps forward and backward.", "chosen"},
        Field{"omega", &WavefrontParams::omega, range(0, 2), "", "Over-relaxation.", "as the NAS benchmark LU"},
        Field{"point_ns", &WavefrontParams::point_ns, range(0, 1e9), "ns", "CPU time of one point of a sweep.",
              "assumed: four matmul.multiply_add_ns"}};
  }
};
static_assert(all_members_described<WavefrontParams>());

/// Conjugate gradients on strips (sw/workloads/cg.cpp).
struct CgParams {
  std::int64_t size = 32;
  std::int64_t iterations = 25;
  double tolerance = 1e-10;
  double multiply_add_ns = 14600;
  static constexpr auto fields() {
    return std::tuple{Field{"size", &CgParams::size, range(1, 4096), "points", "Rows and columns of the square.",
                            "chosen: 256 B rows, long messages; two for each of 16 nodes"},
                      Field{"iterations", &CgParams::iterations, range(0, 1e6), "", "Iterations at most.",
                            "chosen: as the NAS benchmark CG"},
                      Field{"tolerance", &CgParams::tolerance, range(0, 1), "",
                            "Ends when the residual has shrunk to this part of the first.",
                            "chosen: not reached in 25 iterations"},
                      Field{"multiply_add_ns", &CgParams::multiply_add_ns, range(0, 1e9), "ns",
                            "CPU time of one multiply-add: five a point in the matrix product, one in others.",
                            "assumed: matmul.multiply_add_ns"}};
  }
};
static_assert(all_members_described<CgParams>());

/// 2-D Fourier transform with transpositions (sw/workloads/fft.cpp).
struct FftParams {
  std::int64_t size = 64;
  std::int64_t repeats = 4;
  double butterfly_ns = 73000;
  double copy_ns = 14600;
  static constexpr auto fields() {
    return std::tuple{
        Field{"size", &FftParams::size, range(1, 4096), "points", "Rows and columns of the square; a power of two.",
              "chosen: 256 B blocks (long messages) between each two of 16 nodes"},
        Field{"repeats", &FftParams::repeats, range(0, 1e6), "", "Transforms, of two transpositions each.", "chosen"},
        Field{"butterfly_ns", &FftParams::butterfly_ns, range(0, 1e9), "ns",
              "CPU time of one butterfly: ten operations.", "assumed: five matmul.multiply_add_ns"},
        Field{"copy_ns", &FftParams::copy_ns, range(0, 1e9), "ns",
              "CPU time of packing and unpacking one complex number.", "assumed: one matmul.multiply_add_ns"}};
  }
};
static_assert(all_members_described<FftParams>());

} // namespace hypermon
