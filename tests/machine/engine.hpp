// SPDX-License-Identifier: BSD-3-Clause
// SimGrid's engine for a test, with the options that the worker gives it for a specification.
#pragma once
#include "hw/machine/machine.hpp"

#include <simgrid/s4u/Engine.hpp>
#include <smpi/smpi.h>

#include <optional>
#include <string>
#include <vector>

namespace hypermon::test {

class TestEngine {
public:
  explicit TestEngine(const Spec& spec) : words_(words_of(spec)) {
    for (std::string& word : words_) argv_.push_back(word.data());
    argc_ = static_cast<int>(argv_.size());
    argv_.push_back(nullptr);
    smpi_init_options();
    engine_.emplace(&argc_, argv_.data());
  }
  void run() { engine_->run(); }

private:
  static std::vector<std::string> words_of(const Spec& spec) {
    std::vector<std::string> words{"test", "--log=root.thres:critical"};
    for (const auto& option : engine_options(spec)) words.push_back("--cfg=" + option);
    return words;
  }

  std::vector<std::string> words_;
  std::vector<char*> argv_;
  int argc_ = 0;
  std::optional<simgrid::s4u::Engine> engine_;
};

} // namespace hypermon::test
