// SPDX-License-Identifier: BSD-3-Clause
// Waves of a model that Verilator made. Without Verilator's traces (VM_TRACE) there are none, and no cost.
#pragma once
#include <verilated.h>

#include "base/time.hpp"
#include "hw/hypermon/tlm/own_board.hpp"

#if VM_TRACE
#include <verilated_vcd_c.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>
#endif

namespace hypermon::rtl {

#if VM_TRACE

/// Reads the VCD that Verilator writes, and tells its signals and changes. A signal with several names has that of its
/// outermost instance below the top module's pins.
class ModelTrace : private VerilatedVcdFile {
public:
  // must be called before the model is made
  explicit ModelTrace(VerilatedContext& context) { context.traceEverOn(true); }

  template <class Model> void begin(Model& model, TracedSignals& signals) {
    signals_ = &signals;
    VerilatedVcdFile* const file = this;
    vcd_ = std::make_unique<VerilatedVcdC>(file);
    vcd_->set_time_unit("1ps");
    vcd_->set_time_resolution("1ps");
    model.trace(vcd_.get(), 99);
    vcd_->open("waves");
    show(0);
  }
  /// The model's signals have these values from `ps` on. Times must increase.
  void show(std::int64_t ps) {
    if (!vcd_) return;
    vcd_->dump(static_cast<std::uint64_t>(ps));
    vcd_->flush();
  }

private:
  struct Name {
    std::string path;
    unsigned bits;
    std::size_t depth;
  };

  // VerilatedVcdFile
  bool open(const std::string&) override { return true; }
  void close() override {}
  ssize_t write(const char* text, ssize_t length) override {
    for (std::string_view rest(text, static_cast<std::size_t>(length)); !rest.empty();) {
      const std::size_t end = rest.find('\n');
      line_ += rest.substr(0, end);
      if (end == rest.npos) break;
      rest.remove_prefix(end + 1);
      read(line_);
      line_.clear();
    }
    return length;
  }

  void read(std::string_view line) {
    if (in_header_) return read_declaration(line);
    if (line.empty()) return;
    if (line.front() == '#') {
      now_ = Time::from_ps(std::stoll(std::string(line.substr(1))));
    } else if (line.front() == 'b') {
      const std::size_t blank = line.find(' ');
      change(line.substr(1, blank - 1), line.substr(blank + 1));
    } else if (line.front() == '0' || line.front() == '1') {
      change(line.substr(0, 1), line.substr(1));
    }
  }
  void read_declaration(std::string_view line) {
    const std::vector<std::string> words = split(line);
    if (words.empty()) return;
    if (words[0] == "$scope" && words.size() > 2) scopes_.push_back(words[2]);
    if (words[0] == "$upscope") scopes_.pop_back();
    if (words[0] == "$enddefinitions") declare();
    if (words[0] != "$var" || words.size() < 6 || words[1] == "real") return;
    // The outermost scope holds the pins once more.
    std::string path;
    for (std::size_t i = 1; i < scopes_.size(); ++i) path += scopes_[i] + ".";
    names_[words[3]].push_back({path + words[4], static_cast<unsigned>(std::stoul(words[2])), scopes_.size()});
  }
  void declare() {
    in_header_ = false;
    std::vector<std::pair<Name, std::string>> chosen; // with the code
    for (const auto& [code, names] : names_) {
      const auto rank = [](const Name& name) { return name.depth > 1 ? name.depth : ~std::size_t{0}; };
      chosen.emplace_back(
          *std::min_element(names.begin(), names.end(), [&](auto& a, auto& b) { return rank(a) < rank(b); }), code);
    }
    std::sort(chosen.begin(), chosen.end(), [](auto& a, auto& b) { return a.first.path < b.first.path; });
    for (const auto& [name, code] : chosen)
      for (unsigned bit = 0; bit < name.bits; bit += 64) {
        const unsigned bits = std::min(64U, name.bits - bit);
        const std::string part =
            name.bits > 64 ? ".bits_" + std::to_string(bit + bits - 1) + "_" + std::to_string(bit) : "";
        numbers_[code].push_back(signals_->declare(name.path + part, bits));
      }
    names_.clear();
  }
  void change(std::string_view digits, std::string_view code) {
    const auto found = numbers_.find(code);
    if (found == numbers_.end()) return;
    for (const std::size_t number : found->second) {
      const std::size_t n = std::min<std::size_t>(64, digits.size());
      std::uint64_t value = 0;
      for (const char digit : digits.substr(digits.size() - n)) value = value << 1 | (digit == '1' ? 1U : 0U);
      signals_->change(number, now_, value);
      digits.remove_suffix(n);
    }
  }
  static std::vector<std::string> split(std::string_view line) {
    std::vector<std::string> words;
    for (std::size_t at = 0; (at = line.find_first_not_of(" \t", at)) != line.npos;) {
      const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
      words.emplace_back(line.substr(at, end - at));
      at = end;
    }
    return words;
  }

  TracedSignals* signals_ = nullptr;
  std::string line_;
  bool in_header_ = true;
  std::vector<std::string> scopes_;
  std::map<std::string, std::vector<Name>> names_;                       // by code, until the header ends
  std::map<std::string, std::vector<std::size_t>, std::less<>> numbers_; // by code: parts from bit 0 up
  Time now_;
  std::unique_ptr<VerilatedVcdC> vcd_; // last, because its end writes
};

#else

class ModelTrace {
public:
  explicit ModelTrace(VerilatedContext&) {}
  template <class Model> void begin(Model&, TracedSignals&) {}
  void show(std::int64_t) {}
};

#endif

} // namespace hypermon::rtl
