// SPDX-License-Identifier: BSD-3-Clause
// Result keys of samples and of what a monitor takes of the machine.
#pragma once
#include "sw/monitors/reported_keys.hpp"

namespace hypermon {

/// Of the computers of one sort.
struct FootprintKeys {
  ResultKey<double> cpu_s;
  ResultKey<double> busiest_cpu_s;
  ResultKey<int> memory_bytes;
  ResultKey<int> fullest_memory_bytes;
};

struct SiteKeys {
  struct Sampling {
    ResultKey<int> taken{"sampling.taken", "samples", "Of monitors that sample counters: samples that were taken."};
    ResultKey<int> delivered{"sampling.delivered", "samples",
                             "Of them: reached an analyst; the rows of samples.arrow."};
    ResultKey<int> in_flight{"sampling.in_flight", "samples", "Were still under way when the run ended."};
    ResultKey<int> lost_total{"sampling.lost_total", "samples", "Never will arrive."};
    ResultKey<std::vector<Json>> lost{"sampling.lost[]", "samples", "These by stage and cause."};
    LatencyKeys age_us{ResultGroup{"sampling.age_us"},
                       {"sampling.age_us.p50", "us",
                        "Median time from the taking of a sample until an analyst can see it. sampling.age_us is "
                        "null if no sample arrived."},
                       {"sampling.age_us.p99", "us", "99th percentile."},
                       {"sampling.age_us.max", "us", "Maximum."},
                       {"sampling.age_us.distribution.upper_us[]", "us",
                        "The distribution, as latency_us has it: no sample of the bin was older."},
                       {"sampling.age_us.distribution.events[]", "samples", "Samples in each bin, exact."}};
    TimestampErrorKeys timestamp_error_us{
        ResultGroup{"sampling.timestamp_error_us"},
        {"sampling.timestamp_error_us.min", "us", "Least of: the monitor's timestamp less the sample's true time."},
        {"sampling.timestamp_error_us.mean", "us", "Its mean."},
        {"sampling.timestamp_error_us.max", "us", "Its maximum."}};
  } sampling;
  struct Footprint {
    FootprintKeys nodes{
        {"footprint.nodes.cpu_s", "s",
         "What the monitor takes of the machine: CPU time of its daemons on the program's nodes, in which the "
         "kernel's for their connections is not. No such keys where it takes nothing of all this."},
        {"footprint.nodes.busiest_cpu_s", "s", "The same of the node that has most."},
        {"footprint.nodes.memory_bytes", "B",
         "In memory of the program's nodes: buffers for its data, its daemons' working sets."},
        {"footprint.nodes.fullest_memory_bytes", "B", "The same of the node that has most."}};
    FootprintKeys others{
        {"footprint.others.cpu_s", "s", "As of the nodes, on the host and on computers beside the machine."},
        {"footprint.others.busiest_cpu_s", "s", "Likewise."},
        {"footprint.others.memory_bytes", "B", "Likewise."},
        {"footprint.others.fullest_memory_bytes", "B", "Likewise."}};
    ResultKey<int> stored_bytes{"footprint.stored_bytes", "B",
                                "That it writes to disks, file servers and the shared file system."};
    struct Networks {
      ResultList list{"footprint.networks[]"};
      ResultKey<std::string> network{"footprint.networks[].network", "",
                                     "Over which anything went that is no message of the program: what the monitor "
                                     "sends, and what is for file servers (the program's files, too)."};
      ResultKey<int> bytes{"footprint.networks[].bytes", "B", "That left interfaces, of connections with headers."};
      ResultKey<int> packets{"footprint.networks[].packets", "packets",
                             "Messages, and segments with data of connections."};
    } networks;
  } footprint;
};
inline constexpr SiteKeys site_keys{};

} // namespace hypermon
