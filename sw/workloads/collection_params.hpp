// Parameters of the collection: small programs beside the paper's four, one for each pattern of communication. Their
// sizes are for a 16-node iPSC/2; their costs rest on the multiply-add of MatMul's inner loop (14.6 us with its index
// arithmetic, calibrated on Table 2), the only one that the paper lets us derive.
#pragma once
#include <cstdint>

namespace hypermon {

/// A message to and fro in growing sizes (sw/workloads/pingpong.cpp).
struct PingpongParams {
  std::int64_t partner = 0;
  std::int64_t least_bytes = 4;
  std::int64_t most_bytes = 16384;
  std::int64_t repeats = 50;
};

/// Blocks that travel round a ring (sw/workloads/ring.cpp).
struct RingParams {
  std::int64_t numbers = 32;
  std::int64_t steps = 96;
  double number_ns = 14600;
};

/// Everyone exchanges with everyone (sw/workloads/alltoall.cpp).
struct AlltoallParams {
  std::int64_t numbers = 16;
  std::int64_t repeats = 8;
  double number_ns = 7300;
};

/// Jacobi sweeps on a square, 2-D halo exchange (sw/workloads/halo.cpp).
struct HaloParams {
  std::int64_t size = 64;
  std::int64_t iterations = 40;
  std::int64_t norm_every = 20;
  double point_ns = 43800;
};

/// A master deals out tasks (sw/workloads/workers.cpp).
struct WorkersParams {
  std::int64_t tasks = 1500;
  std::int64_t points = 500;
  double point_ns = 58400;
  double deal_ns = 58400;
};

/// Relaxation in a pipeline of planes, as LU's (sw/workloads/wavefront.cpp).
struct WavefrontParams {
  std::int64_t size = 32;
  std::int64_t planes = 16;
  std::int64_t iterations = 5;
  double omega = 1.2;
  double point_ns = 58400;
};

/// Conjugate gradients on strips (sw/workloads/cg.cpp).
struct CgParams {
  std::int64_t size = 32;
  std::int64_t iterations = 25;
  double tolerance = 1e-10;
  double multiply_add_ns = 14600;
};

/// 2-D Fourier transform with transpositions (sw/workloads/fft.cpp).
struct FftParams {
  std::int64_t size = 64;
  std::int64_t repeats = 4;
  double butterfly_ns = 73000;
  double copy_ns = 14600;
};

} // namespace hypermon
