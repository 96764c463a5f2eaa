// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints: position, velocity and temperature of all particles as floats, in two files in turn: phases.0.checkpoint
// and phases.1.checkpoint. A rank's particles form one block; the particles that they represent follow there as zeros.
#pragma once
#include "sw/workloads/phases/particles.hpp"

namespace hypermon::workloads {

class Checkpoint {
public:
  explicit Checkpoint(const Deal& deal) : deal_(deal), zeros_(static_cast<std::size_t>(deal.p.write_bytes.number)) {}

  void write(const std::vector<Particle>& particles) {
    const std::string name = "phases." + std::to_string(written_++ % 2) + ".checkpoint";
    MPI_File file = MPI_FILE_NULL;
    MPI_File_open(MPI_COMM_WORLD, name.c_str(), MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_set_errhandler(file, MPI_ERRORS_ARE_FATAL);
    std::vector<std::array<float, 5>> records;
    for (const Particle& one : particles)
      records.push_back({static_cast<float>(one.x), static_cast<float>(one.y), static_cast<float>(one.vx),
                         static_cast<float>(one.vy), static_cast<float>(one.temperature)});
    const auto record = static_cast<std::int64_t>(sizeof(records[0]));
    std::int64_t before = 0;
    for (int r = 0; r < deal_.ranks.mine; ++r) before += deal_.own(r);
    const MPI_Offset begin = before * deal_.p.represents * record;
    const std::int64_t own = deal_.own(deal_.ranks.mine) * record;
    const std::int64_t most = deal_.own(0) * record; // equal number of calls on each rank
    const std::int64_t piece = deal_.p.write_bytes.number;
    const auto write_from = [&](std::int64_t first, std::int64_t end, std::int64_t last, const char* data) {
      for (std::int64_t at = first; at < last; at += piece) {
        const std::int64_t bytes = std::clamp<std::int64_t>(end - at, 0, piece);
        write_at(file, begin + at, data == nullptr ? zeros_.data() : data + (at - first), bytes);
      }
    };
    write_from(0, own, most, reinterpret_cast<const char*>(records.data()));
    write_from(own, own * deal_.p.represents, own + most * (deal_.p.represents - 1), nullptr);
    MPI_File_sync(file);
    MPI_File_close(&file);
  }

private:
  void write_at(MPI_File file, MPI_Offset offset, const void* data, std::int64_t bytes) const {
    const auto write = deal_.p.access == FileAccess::collective ? MPI_File_write_at_all : MPI_File_write_at;
    if (bytes > 0 || deal_.p.access == FileAccess::collective)
      write(file, offset, data, static_cast<int>(bytes), MPI_BYTE, MPI_STATUS_IGNORE);
  }

  const Deal& deal_;
  std::vector<char> zeros_;
  int written_ = 0;
};

} // namespace hypermon::workloads
