// SPDX-License-Identifier: BSD-3-Clause
// How ranks have ended that did not end well: the others run on, and the simulation says it at its end.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace hypermon {

class Endings {
public:
  /// `did`: "returned status 4".
  void add(int rank, const std::string& did);
  bool empty() const { return ranks_by_what_.empty(); }
  /// The lowest of these ranks.
  int first() const;
  /// "rank 7 called exit(3); ranks 0, 2 to 5 returned status 1"; nothing if all is well.
  std::string text() const;

private:
  struct Ending {
    const std::string* did;
    const std::vector<int>* ranks;
  };
  /// By the first rank that ended so.
  std::map<int, Ending> by_rank() const;

  std::map<std::string, std::vector<int>> ranks_by_what_;
};

Endings& endings();

} // namespace hypermon
