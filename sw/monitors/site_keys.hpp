// SPDX-License-Identifier: BSD-3-Clause
// Result keys of samples and of a monitor's footprint on the machine.
#pragma once
#include "sw/monitors/reported_keys.hpp"

namespace hypermon {

/// Keys of the computers of one sort: the program's nodes, or all others.
struct FootprintKeys {
  ResultKey<double> cpu_s;
  ResultKey<double> busiest_cpu_s;
  ResultKey<int> memory_bytes;
  ResultKey<int> fullest_memory_bytes;
};

struct SiteKeys {
  struct Sampling {
    ResultKey<int> taken{
        "sampling.taken", "samples",
        "Number of counter samples that the monitor took; absent for monitors that do not sample counters."};
    ResultKey<int> delivered{"sampling.delivered", "samples",
                             "Number of counter samples that reached an analyst; each is a row of samples.arrow."};
    ResultKey<int> in_flight{"sampling.in_flight", "samples",
                             "Number of counter samples that were still under way when the run ended."};
    ResultKey<int> lost_total{"sampling.lost_total", "samples", "Number of counter samples that were lost."};
    ResultKey<std::vector<Json>> lost{"sampling.lost[]", "samples", "Lost counter samples by stage and cause."};
    LatencyKeys age_us{ResultGroup{"sampling.age_us"},
                       {"sampling.age_us.p50", "us",
                        "Median latency of a counter sample: time from its taking until an analyst can see it. "
                        "sampling.age_us is null if no sample arrived."},
                       {"sampling.age_us.p99", "us", "99th percentile of the latency of counter samples."},
                       {"sampling.age_us.max", "us", "Longest latency of a counter sample."},
                       {"sampling.age_us.distribution.upper_us[]", "us",
                        "Upper end of each bin of the samples' latency distribution: no sample in the bin took longer. "
                        "The bins are chosen as those of latency_us."},
                       {"sampling.age_us.distribution.events[]", "samples",
                        "Exact number of samples in each bin of the samples' latency distribution."}};
    TimestampErrorKeys timestamp_error_us{
        ResultGroup{"sampling.timestamp_error_us"},
        {"sampling.timestamp_error_us.min", "us",
         "Smallest timestamp error of a sample: the monitor's timestamp minus the true time. "
         "sampling.timestamp_error_us is null if no sample arrived."},
        {"sampling.timestamp_error_us.mean", "us",
         "Mean timestamp error of the samples: the monitor's timestamp minus the true time."},
        {"sampling.timestamp_error_us.max", "us",
         "Largest timestamp error of a sample: the monitor's timestamp minus the true time."}};
  } sampling;
  struct Footprint {
    FootprintKeys nodes{
        {"footprint.nodes.cpu_s", "s",
         "CPU time of the monitor's daemons on the program's nodes, without the kernel's CPU time for their "
         "connections. The footprint keys are absent if the monitor needs none of these resources."},
        {"footprint.nodes.busiest_cpu_s", "s", "Largest CPU time of the monitor's daemons on one node of the program."},
        {"footprint.nodes.memory_bytes", "B",
         "Memory of the program's nodes that the monitor needs: buffers for its data and working sets of its daemons."},
        {"footprint.nodes.fullest_memory_bytes", "B",
         "Memory that the monitor needs on the program's node where it needs most."}};
    FootprintKeys others{
        {"footprint.others.cpu_s", "s",
         "CPU time of the monitor's daemons on the host and on computers beside the machine, without the kernel's CPU "
         "time for their connections."},
        {"footprint.others.busiest_cpu_s", "s",
         "Largest CPU time of the monitor's daemons on one computer that is not a node of the program."},
        {"footprint.others.memory_bytes", "B",
         "Memory of the host and of computers beside the machine that the monitor needs: buffers for its data and "
         "working sets of its daemons."},
        {"footprint.others.fullest_memory_bytes", "B",
         "Largest memory that the monitor needs on one computer that is not a node of the program."}};
    ResultKey<int> stored_bytes{"footprint.stored_bytes", "B",
                                "Bytes that the monitor writes to disks, file servers and the shared file system."};
    struct Networks {
      ResultList list{"footprint.networks[]"};
      ResultKey<std::string> network{"footprint.networks[].network", "",
                                     "Name of a network that carried more than the program's messages: the monitor's "
                                     "messages, or traffic of file servers (the program's files included)."};
      ResultKey<int> bytes{"footprint.networks[].bytes", "B",
                           "Bytes of the monitor and of file servers that left the network's interfaces; data on "
                           "connections count with their headers."};
      ResultKey<int> packets{"footprint.networks[].packets", "packets",
                             "Number of messages, and of connections' segments with data, of the monitor and of file "
                             "servers that left the network's interfaces."};
    } networks;
  } footprint;
};
inline constexpr SiteKeys site_keys{};

} // namespace hypermon
