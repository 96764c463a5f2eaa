// SPDX-License-Identifier: BSD-3-Clause
// Result keys of the network of packets and its file servers.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct PiosimKeys {
  ResultKey<int> stations{"piosim.stations", "", "packets: computers on the network of packets."};
  ResultKey<int> messages{"piosim.messages", "messages",
                          "packets: that were sent, of programs and of the file system."};
  ResultKey<int> message_bytes{"piosim.message_bytes", "B", "packets: of these."};
  ResultKey<int> packets{"piosim.packets", "packets", "packets: that they were cut into."};
  ResultKey<int> longest_queue{"piosim.longest_queue", "packets", "packets: that waited at one stage of the network."};
  ResultKey<double> busiest_interface_s{"piosim.busiest_interface_s", "s",
                                        "packets: the busiest interface's time, both directions together."};
  ResultKey<int> edges_passed{"piosim.edges_passed", "",
                              "packets: number of times that a packet passed an edge between two vertices."};
  ResultKey<double> busiest_edge_s{
      "piosim.busiest_edge_s", "s",
      "packets: time that the busiest edge served packets in one direction, of the edges that a computer has."};
  ResultKey<double> busiest_uplink_s{
      "piosim.busiest_uplink_s", "s",
      "packets: time that the busiest edge between two switches served packets in one direction."};
  ResultKey<double> busiest_switch_s{"piosim.busiest_switch_s", "s",
                                     "packets: time that the busiest switch served packets."};
  struct Edges {
    ResultList list{"piosim.edges[]"};
    ResultKey<std::string> first{"piosim.edges[].first", "",
                                 "packets: computer or switch at one end of the edge; networks of at most 1000 edges."};
    ResultKey<std::string> second{"piosim.edges[].second", "",
                                  "packets: computer or switch at the other end of the edge."};
    ResultKey<int> packets{"piosim.edges[].packets", "packets",
                           "packets: number of packets that passed the edge, in both directions."};
    ResultKey<double> busy_s{"piosim.edges[].busy_s", "s",
                             "packets: time that the edge served packets, in its busier direction."};
  } edges;
  ResultKey<int> steps{"piosim.steps", "", "packets: jobs of the libraries at the stations' processors."};
  struct Servers {
    ResultList list{"piosim.servers[]"};
    ResultKey<int> station{"piosim.servers[].station", "", "pfs: the server's."};
    ResultKey<int> requests{"piosim.servers[].requests", "", "pfs: that it got."};
    ResultKey<int> data_packets{"piosim.servers[].data_packets", "packets",
                                "pfs: of data to be written, without what is in requests."};
    ResultKey<int> most_pending{"piosim.servers[].most_pending", "",
                                "pfs: operations of TROVE that were pending at once."};
    ResultKey<int> flow_stalls{"piosim.servers[].flow_stalls", "",
                               "pfs: times that all buffers of a flow waited for TROVE."};
    ResultKey<double> stopped_s{"piosim.servers[].stopped_s", "s",
                                "pfs: for so long its interface took no packets: the cache was full."};
    ResultKey<int> cache_jobs{"piosim.servers[].cache_jobs", "", "pfs: that the cache got: pieces of regions."};
    ResultKey<int> joined_jobs{"piosim.servers[].joined_jobs", "",
                               "pfs: of these that became part of another one's disk operation."};
    ResultKey<int> cache_longest_queue{"piosim.servers[].cache_longest_queue", "",
                                       "pfs: jobs that waited in the cache at once."};
    ResultKey<int> cache_most_bytes{"piosim.servers[].cache_most_bytes", "B",
                                    "pfs: of the cache's memory that were in use at once."};
    ResultKey<int> disk_operations{"piosim.servers[].disk_operations", "", "pfs: of its disk."};
    ResultKey<int> average_seeks{
        "piosim.servers[].average_seeks", "",
        "pfs: disk operations that began with an average seek; 0 if pfs_disk.model is not refined."};
    ResultKey<int> short_seeks{
        "piosim.servers[].short_seeks", "",
        "pfs: disk operations that began with a seek from track to track; 0 if pfs_disk.model is not refined."};
    ResultKey<int> read_bytes{"piosim.servers[].read_bytes", "B", "pfs: by the disk."};
    ResultKey<int> written_bytes{"piosim.servers[].written_bytes", "B", "pfs: by the disk."};
    ResultKey<int> unwritten_bytes{"piosim.servers[].unwritten_bytes", "B",
                                   "pfs: that its cache still has for the disk when the last program ends."};
    ResultKey<double> disk_busy_s{"piosim.servers[].disk_busy_s", "s", "pfs: time that the disk worked."};
  } servers;
};
inline constexpr PiosimKeys piosim_keys{};

} // namespace hypermon
