// The resolved specification of one simulation: every parameter of every part, under one tree of paths.
#pragma once
#include "hw/core/drain_program.hpp"
#include "hw/core/faults.hpp"
#include "hw/core/params.hpp"
#include "platforms/ipsc2/machine_params.hpp"
#include "platforms/ipsc2/params.hpp"
#include "platforms/spec/limits_params.hpp"
#include "sw/instrumentation/event_volume.hpp"
#include "sw/instrumentation/params.hpp"
#include "sw/workloads/collection_params.hpp"
#include "sw/workloads/params.hpp"
#include "sw/workloads/program_params.hpp"
#include "sw/workloads/stream_params.hpp"
#include "sw/workloads/trace_params.hpp"

namespace hypermon {

struct Spec {
  std::int64_t nodes = 8;
  std::int64_t seed = 1;
  std::string monitor = "hypermon";
  std::string workload = "matmul";
  LimitsParams limits;
  MachineParams machine;
  SmpiParams smpi;
  NodeParams node;
  NetworkParams network;
  HostParams host;
  OsParams os;
  InstrumentationParams instrumentation;
  SoftwareParams software;
  PortParams port;
  ErbParams erb;
  PerBoard<EcbParams> ecb;
  PbxParams pbx;
  ReaderParams reader;
  DrainParams drain;
  FaultParams faults;
  BurstsParams bursts;
  SimplexParams simplex;
  LifeParams life;
  MatmulParams matmul;
  PlaceParams place;
  GeneratorParams generator;
  ProgramParams program;
  TraceParams trace;
  PingpongParams pingpong;
  RingParams ring;
  AlltoallParams alltoall;
  HaloParams halo;
  WorkersParams workers;
  WavefrontParams wavefront;
  CgParams cg;
  FftParams fft;
  StreamParams stream;

  std::size_t boards() const { return static_cast<std::size_t>((nodes + ecb.inputs - 1) / ecb.inputs); }
  /// What board `board` has: its own parameters where they are set, else those of all.
  EcbParams ecb_of(std::size_t board) const { return ecb.of(board); }

  static constexpr auto fields() {
    return std::tuple{
        Field{"nodes", &Spec::nodes, range(1, 4096), "",
              "Compute nodes; on a hypercube a power of two, on a torus or fat tree the product of its dimensions.",
              "HYPERMON sec. 2: at most 128"},
        Field{"seed", &Spec::seed, range(0, 2147483647), "", "Seeds clock drifts, phases and the workload's data.",
              "chosen"},
        Field{"monitor", &Spec::monitor, one_of({"none", "software", "hypermon"}), "", "How events leave the node.",
              "HYPERMON sec. 5.2"},
        Field{"workload", &Spec::workload,
              one_of({"simplex", "life", "matmul", "place", "generator", "pingpong", "ring", "alltoall", "halo",
                      "workers", "wavefront", "cg", "fft", "program", "trace", "stream"}),
              "",
              "The program that runs; program: the user's own, program.file; trace: a recorded one, trace.file; "
              "stream: none, but events from a file.",
              "HYPERMON Table 1, sec. 5.1; a collection beside them"},
        Section{"limits", &Spec::limits, "What ends a run that would not end; no result depends on it."},
        Section{"machine", &Spec::machine, "How the nodes are connected, and whose messages they send."},
        Section{"smpi", &Spec::smpi, "SimGrid's own message costs (machine.messages = smpi)."},
        Section{"node", &Spec::node, "A compute node's crystal and scheduler."},
        Section{"network", &Spec::network, "Message times of the Direct-Connect network."},
        Section{"host", &Spec::host, "The UNIX host."},
        Section{"os", &Spec::os, "Costs of NX/2 system calls."},
        Section{"instrumentation", &Spec::instrumentation, "What the nodes' events are."},
        Section{"software", &Spec::software, "The software monitor."},
        Section{"port", &Spec::port, "A node's performance port."},
        Section{"erb", &Spec::erb, "Event regeneration board."}.behind_ports(),
        Section{"ecb", &Spec::ecb, "Event capture board; one for each 16 nodes."}.behind_ports(),
        Section{"pbx", &Spec::pbx, "PBX bus between board and I/O node."}.behind_ports(),
        Section{"reader", &Spec::reader, "The loop of the I/O node's drain program that reads frames."}.behind_ports(),
        Section{"drain", &Spec::drain, "What the drain program does with them."}.behind_ports(),
        Section{"faults", &Spec::faults, "Faults to inject."}.behind_ports(),
        Section{"bursts", &Spec::bursts, "Event data volume in intervals of 1 ms."},
        Section{"simplex", &Spec::simplex, "Workload simplex: column-wise distributed simplex."},
        Section{"life", &Spec::life, "Workload life: Conway's automaton on strips."},
        Section{"matmul", &Spec::matmul, "Workload matmul: matrix product by row blocks."},
        Section{"place", &Spec::place, "Workload place: cell placement by simulated annealing."},
        Section{"generator", &Spec::generator, "Workload generator: nibbles at full rate (sec. 5.1)."},
        Section{"program", &Spec::program, "Workload program: the user's own MPI program."},
        Section{"trace", &Spec::trace, "Workload trace: what the ranks of a recorded program did, done again."},
        Section{"pingpong", &Spec::pingpong, "Workload pingpong: a message to and fro in growing sizes."},
        Section{"ring", &Spec::ring, "Workload ring: blocks travel round a ring."},
        Section{"alltoall", &Spec::alltoall, "Workload alltoall: pairwise exchange of all with all."},
        Section{"halo", &Spec::halo, "Workload halo: Jacobi sweeps, 2-D halo exchange."},
        Section{"workers", &Spec::workers, "Workload workers: a master deals out tasks."},
        Section{"wavefront", &Spec::wavefront, "Workload wavefront: relaxation in a pipeline of planes."},
        Section{"cg", &Spec::cg, "Workload cg: conjugate gradients on strips."},
        Section{"fft", &Spec::fft, "Workload fft: 2-D Fourier transform with transpositions."},
        Section{"stream", &Spec::stream, "Workload stream: events from a file, straight to the ports."}};
  }
};
static_assert(all_members_described<Spec>());

} // namespace hypermon
