// SPDX-License-Identifier: BSD-3-Clause
#include "sw/workloads/common/workload_part.hpp"
#include "sw/workloads/fft/params.hpp"

namespace hypermon {

Part fft_part() { return workload_part<FftParams>("fft", "2-D Fourier transform with transpositions."); }

} // namespace hypermon
