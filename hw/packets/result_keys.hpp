// SPDX-License-Identifier: BSD-3-Clause
// Result keys of the network of packets and its file servers.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct PiosimKeys {
  ResultKey<int> stations{"piosim.stations", "", "Number of computers on the packet network."};
  ResultKey<int> messages{"piosim.messages", "messages",
                          "Number of messages that programs and the file system sent over the packet network."};
  ResultKey<int> message_bytes{"piosim.message_bytes", "B",
                               "Size of all messages that programs and the file system sent over the packet network."};
  ResultKey<int> packets{"piosim.packets", "packets",
                         "Number of packets into which the packet network divided all messages."};
  ResultKey<int> longest_queue{"piosim.longest_queue", "packets",
                               "Largest number of packets that waited at one stage of the packet network."};
  ResultKey<double> busiest_interface_s{
      "piosim.busiest_interface_s", "s",
      "Busy time of the busiest network interface on the packet network, both directions together."};
  ResultKey<int> edges_passed{
      "piosim.edges_passed", "",
      "Number of times that a packet passed an edge between two vertices of the packet network."};
  ResultKey<double> busiest_edge_s{
      "piosim.busiest_edge_s", "s",
      "Time that the busiest edge between a computer and the packet network served packets in one direction."};
  ResultKey<double> busiest_uplink_s{
      "piosim.busiest_uplink_s", "s",
      "Time that the busiest edge between two switches of the packet network served packets in one direction."};
  ResultKey<double> busiest_switch_s{"piosim.busiest_switch_s", "s",
                                     "Time that the busiest switch of the packet network served packets."};
  struct Edges {
    ResultList list{"piosim.edges[]"};
    ResultKey<std::string> first{
        "piosim.edges[].first", "",
        "Computer or switch at one end of the edge. Edges are listed for packet networks with at most 1000 of them."};
    ResultKey<std::string> second{"piosim.edges[].second", "", "Computer or switch at the other end of the edge."};
    ResultKey<int> packets{"piosim.edges[].packets", "packets",
                           "Number of packets that passed the edge, in both directions."};
    ResultKey<double> busy_s{"piosim.edges[].busy_s", "s",
                             "Time that the edge served packets, in its busier direction."};
  } edges;
  ResultKey<int> steps{"piosim.steps", "",
                       "Number of jobs that MPI and file system libraries executed on the computers' processors."};
  struct Servers {
    ResultList list{"piosim.servers[]"};
    ResultKey<int> station{"piosim.servers[].station", "", "Number of the station on which the file server runs."};
    ResultKey<int> requests{"piosim.servers[].requests", "", "Number of requests that the file server received."};
    ResultKey<int> data_packets{
        "piosim.servers[].data_packets", "packets",
        "Number of packets of write data that the file server received. Data inside requests are not counted."};
    ResultKey<int> most_pending{
        "piosim.servers[].most_pending", "",
        "Largest number of TROVE operations that were pending at the file server at the same time."};
    ResultKey<int> flow_stalls{"piosim.servers[].flow_stalls", "",
                               "Number of times that all buffers of a flow at the file server waited for TROVE."};
    ResultKey<double> stopped_s{
        "piosim.servers[].stopped_s", "s",
        "Time that the file server's interface accepted no packets because the cache was full."};
    ResultKey<int> cache_jobs{"piosim.servers[].cache_jobs", "",
                              "Number of jobs (pieces of regions) that the file server's cache received."};
    ResultKey<int> joined_jobs{
        "piosim.servers[].joined_jobs", "",
        "Number of jobs in the file server's cache that became part of another job's disk operation."};
    ResultKey<int> cache_longest_queue{
        "piosim.servers[].cache_longest_queue", "",
        "Largest number of jobs that waited in the file server's cache at the same time."};
    ResultKey<int> cache_most_bytes{"piosim.servers[].cache_most_bytes", "B",
                                    "Largest amount of the file server's cache memory in use at the same time."};
    ResultKey<int> disk_operations{"piosim.servers[].disk_operations", "",
                                   "Number of operations of the file server's disk."};
    ResultKey<int> average_seeks{
        "piosim.servers[].average_seeks", "",
        "Number of disk operations that began with an average seek; 0 if pfs_disk.model is not refined."};
    ResultKey<int> short_seeks{
        "piosim.servers[].short_seeks", "",
        "Number of disk operations that began with a track-to-track seek; 0 if pfs_disk.model is not refined."};
    ResultKey<int> read_bytes{"piosim.servers[].read_bytes", "B", "Bytes that the file server's disk read."};
    ResultKey<int> written_bytes{"piosim.servers[].written_bytes", "B", "Bytes that the file server's disk wrote."};
    ResultKey<int> unwritten_bytes{
        "piosim.servers[].unwritten_bytes", "B",
        "Bytes that the file server's cache has yet to write to disk when the last program ends."};
    ResultKey<double> disk_busy_s{"piosim.servers[].disk_busy_s", "s", "Time that the file server's disk was busy."};
  } servers;
};
inline constexpr PiosimKeys piosim_keys{};

} // namespace hypermon
