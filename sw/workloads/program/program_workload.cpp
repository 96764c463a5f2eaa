// SPDX-License-Identifier: BSD-3-Clause
#include "base/file_parameter.hpp"
#include "base/spec.hpp"
#include "sw/workloads/program/params.hpp"
#include "sw/workloads/program/program_compute.hpp"
#include "sw/workloads/program/program_surroundings.hpp"
#include "sw/workloads/program/program_words.hpp"
#include "sw/workloads/workload_kind.hpp"

namespace hypermon {
namespace {

const ProgramParams& params(const Spec& spec) { return spec.get<ProgramParams>(); }

std::string input(const Spec& spec) {
  const auto file = file_parameter(params(spec).input);
  return file ? file->path : "";
}

} // namespace

WorkloadKind program_workload();
WorkloadKind program_workload() {
  return {.name = "program",
          .object = [](const Spec& spec) { return file_parameter(params(spec).file)->path; },
          .arguments = [](const Spec& spec) { return words_of("program.arguments", params(spec).arguments); },
          .stack_bytes = [](const Spec& spec) { return params(spec).stack_bytes.number; },
          .input = input,
          .enter = [](const Spec& spec, const std::string& directory) { enter_surroundings(params(spec), directory); },
          .observe = [](const WorkloadSetting& setting) -> std::unique_ptr<WorkloadObserver> {
            return std::make_unique<ProgramCompute>(setting);
          }};
}

} // namespace hypermon
