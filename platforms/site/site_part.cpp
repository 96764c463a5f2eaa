#include "platforms/site/counter_list.hpp"
#include "sw/model/parts.hpp"

namespace hypermon {

Part site_part() {
  return {
      .counters = {counter_list::of_networks, counter_list::of_processes},
      .results = {
          {"sampling.taken", "samples", "Of monitors that sample counters: samples that were taken."},
          {"sampling.delivered", "samples", "Of them: reached an analyst; the rows of samples.arrow."},
          {"sampling.in_flight", "samples", "Were still under way when the run ended."},
          {"sampling.lost_total", "samples", "Never will arrive."},
          {"sampling.lost[]", "samples", "These by stage and cause."},
          {"sampling.age_us.p50", "us",
           "Median time from a sample's taking to where an analyst can see it; null if none arrived."},
          {"sampling.age_us.p99", "us", "99th percentile."},
          {"sampling.age_us.max", "us", "Maximum."},
          {"sampling.age_us.distribution.upper_us[]", "us",
           "The distribution, as latency_us has it: no sample of the bin was older."},
          {"sampling.age_us.distribution.events[]", "samples", "Samples in each bin, exact."},
          {"sampling.timestamp_error_us.min", "us", "Least of: the monitor's timestamp less the sample's true time."},
          {"sampling.timestamp_error_us.mean", "us", "Its mean."},
          {"sampling.timestamp_error_us.max", "us", "Its maximum."},
      }};
}

} // namespace hypermon
