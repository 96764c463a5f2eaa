// SPDX-License-Identifier: BSD-3-Clause
// Abnormal ends of ranks. Other ranks continue, and the simulation reports these ends when it ends.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace hypermon {

class Endings {
public:
  /// `did` describes the end: "returned status 4".
  void add(int rank, const std::string& did);
  bool empty() const { return ranks_by_what_.empty(); }
  /// Lowest number of a rank with such an end.
  int first() const;
  /// "rank 7 called exit(3); ranks 0, 2 to 5 returned status 1"; empty if all ranks ended normally.
  std::string text() const;

private:
  struct Ending {
    const std::string* did;
    const std::vector<int>* ranks;
  };
  /// The ends, by their first rank.
  std::map<int, Ending> by_rank() const;

  std::map<std::string, std::vector<int>> ranks_by_what_;
};

Endings& endings();

} // namespace hypermon
