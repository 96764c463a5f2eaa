// What is said of the parameters in collection_params.hpp: read where they are described, not where they are used.
#pragma once
#include "hw/core/field.hpp"
#include "sw/workloads/collection_params.hpp"

namespace hypermon {

inline auto fields_of(const PingpongParams*) {
  return std::tuple{
      Field{"partner", &PingpongParams::partner, range(0, 4095), "", "Rank that answers rank 0; 0: the last.",
            "chosen: the last rank is a hypercube's farthest"},
      Field{"least_bytes", &PingpongParams::least_bytes, range(1, 1 << 24), "B", "First size; each next is its double.",
            "chosen"},
      Field{"most_bytes", &PingpongParams::most_bytes, range(1, 1 << 24), "B", "No size is beyond it.",
            "chosen: short and long messages"},
      Field{"repeats", &PingpongParams::repeats, range(1, 1e7), "", "Messages to and fro of each size.", "chosen"}};
}
static_assert(all_members_described<PingpongParams>());

inline auto fields_of(const RingParams*) {
  return std::tuple{Field{"numbers", &RingParams::numbers, range(1, 1 << 20), "numbers", "Numbers of 8 B in a block.",
                          "chosen: 256 B, long messages"},
                    Field{"steps", &RingParams::steps, range(0, 1e7), "", "Steps; as many as ranks are once round.",
                          "chosen: six times round 16 nodes"},
                    Field{"number_ns", &RingParams::number_ns, range(0, 1e9), "ns",
                          "CPU time of adding one number of the block.", "assumed: one matmul.multiply_add_ns"}};
}
static_assert(all_members_described<RingParams>());

inline auto fields_of(const AlltoallParams*) {
  return std::tuple{
      Field{"numbers", &AlltoallParams::numbers, range(1, 1 << 20), "numbers",
            "Numbers of 8 B that a rank has for each other.", "chosen: 128 B, long messages"},
      Field{"repeats", &AlltoallParams::repeats, range(0, 1e7), "", "Exchanges of all with all.", "chosen"},
      Field{"number_ns", &AlltoallParams::number_ns, range(0, 1e9), "ns", "CPU time of one number that came.",
            "assumed: half a matmul.multiply_add_ns"}};
}
static_assert(all_members_described<AlltoallParams>());

inline auto fields_of(const HaloParams*) {
  return std::tuple{Field{"size", &HaloParams::size, range(1, 16384), "points", "Rows and columns of the square.",
                          "chosen: 16 x 16 points and 128 B edges (long messages) on each of 16 nodes"},
                    Field{"iterations", &HaloParams::iterations, range(0, 1e7), "", "Sweeps.",
                          "chosen: about half a second of host time"},
                    Field{"norm_every", &HaloParams::norm_every, range(0, 1e7), "",
                          "Sweeps between two global sums of the change; 0: none.", "assumed"},
                    Field{"point_ns", &HaloParams::point_ns, range(0, 1e9), "ns", "CPU time of one point of a sweep.",
                          "assumed: three multiply-adds of matmul.multiply_add_ns"}};
}
static_assert(all_members_described<HaloParams>());

inline auto fields_of(const WorkersParams*) {
  return std::tuple{
      Field{"tasks", &WorkersParams::tasks, range(1, 1e7), "", "Tasks.", "chosen"},
      Field{"points", &WorkersParams::points, range(0, 1e7), "points",
            "Points of a task on average, exponentially distributed.",
            "assumed: tasks of 29 ms, 500 a second on 15 workers"},
      Field{"point_ns", &WorkersParams::point_ns, range(0, 1e9), "ns",
            "CPU time of one point: a division and three operations.", "assumed: four matmul.multiply_add_ns"},
      Field{"deal_ns", &WorkersParams::deal_ns, range(0, 1e9), "ns",
            "CPU time in which the master books a result and chooses a task.", "assumed: four matmul.multiply_add_ns"}};
}
static_assert(all_members_described<WorkersParams>());

inline auto fields_of(const WavefrontParams*) {
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
static_assert(all_members_described<WavefrontParams>());

inline auto fields_of(const CgParams*) {
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
static_assert(all_members_described<CgParams>());

inline auto fields_of(const FftParams*) {
  return std::tuple{
      Field{"size", &FftParams::size, range(1, 4096), "points", "Rows and columns of the square; a power of two.",
            "chosen: 256 B blocks (long messages) between each two of 16 nodes"},
      Field{"repeats", &FftParams::repeats, range(0, 1e6), "", "Transforms, of two transpositions each.", "chosen"},
      Field{"butterfly_ns", &FftParams::butterfly_ns, range(0, 1e9), "ns", "CPU time of one butterfly: ten operations.",
            "assumed: five matmul.multiply_add_ns"},
      Field{"copy_ns", &FftParams::copy_ns, range(0, 1e9), "ns",
            "CPU time of packing and unpacking one complex number.", "assumed: one matmul.multiply_add_ns"}};
}
static_assert(all_members_described<FftParams>());

} // namespace hypermon
