// SPDX-License-Identifier: Apache-2.0
// This file prints the description of the pipeline: for a terminal, and as docs/pipeline.md.
#include "compiler/pipeline/listing.h"

#include "compiler/ir/pass_names.h"
#include "compiler/pipeline/description.h"

#include <fmt/format.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

struct Named {
  std::string_view title, from, to;
  std::span<const PipelineStage> stages;
};

std::array<Named, 3> pipelines() {
  return {{{"Kernel pipeline", "portable IR", "kernel IR", kernelPipeline()},
           {"Native pipeline", "kernel IR", "native IR", nativePipeline()},
           {"NVPTX pipeline", "kernel IR", "PTX", nvptxPipeline()}}};
}

std::string conditionsOf(const PipelineStep& step) {
  std::string names;
  for (const ConditionText& each : conditionTexts())
    if (step.when & each.condition) names += fmt::format("{}{}", names.empty() ? "" : ", ", each.name);
  return names;
}

const char* needOf(const PipelineStep& step) { return step.need == Need::Required ? "required" : "optional"; }

std::string_view scopeOf(const PipelineStep& step) {
  switch (step.scope) {
    case Scope::Module: return "module";
    case Scope::Functions: return "functions";
    case Scope::Kernel: return "kernel";
    case Scope::Loops:
    case Scope::LoopsWithMemorySsa: return "loops";
  }
  return {};
}

std::string text() {
  std::string out;
  for (const Named& pipeline : pipelines()) {
    out += fmt::format("{}: {} to {}\n", pipeline.title, pipeline.from, pipeline.to);
    for (const PipelineStage& stage : pipeline.stages) {
      out += fmt::format("\n{}: {}\n", stage.name, stage.text);
      for (const PipelineStep& step : stage.steps) {
        const std::string when = conditionsOf(step);
        out += fmt::format("  {:<28} {}{}{}\n", step.name(), needOf(step), when.empty() ? "" : ": ", when);
      }
    }
    out += "\n";
  }
  out += "Conditions\n\n";
  for (const ConditionText& each : conditionTexts()) out += fmt::format("  {:<15} {}\n", each.name, each.text);
  return out;
}

constexpr std::string_view introduction = R"(# The pipeline

The passes of the compiler, in the order in which they run. `clarity opt --list-pipeline=markdown` prints this page
from `src/compiler/pipeline/description.cpp`; a test compares the two. The compiler executes this description: the
kernel pipeline for all back ends, the native pipeline for CPUs, the NVPTX pipeline for NVIDIA GPUs.

A step runs when all of its conditions hold; the last table explains them. *Required* steps are needed for correct code.
*Optional* steps only make code faster or smaller. The build option `-cl-clarity-disable=PASS,...` leaves out all
optional steps of these names. A required step of the same name still runs. `distinct-buffers` is required in the NVPTX
pipeline; with this option, it relies on `restrict` alone.

`clarity opt --pipeline=kernel` and `--pipeline=native` run the pipelines on IR in a file. `--print-after=PASS` prints
the IR after every step of that name; a name may stand in several rows. `--print-after-all`, `--print-changed`,
`--verify-each` and `--time-passes` also show what passes do. `clarity compile` has all these options, too.
`clarity opt --list` lists the passes that `clarity opt --passes=PASS FILE.ll` runs alone; other steps need the rest of
the pipeline. The step `instrument` runs the passes of instrumented code (`src/compiler/instrument/instrument.cpp`).
)";

std::string markdown() {
  std::string out(introduction);
  for (const Named& pipeline : pipelines()) {
    out += fmt::format("\n## {}: {} to {}\n", pipeline.title, pipeline.from, pipeline.to);
    for (const PipelineStage& stage : pipeline.stages) {
      out += fmt::format("\n### {}\n\n{}{}.\n\n", stage.name, char(std::toupper(stage.text.front())),
                         stage.text.substr(1));
      out += "| step | on | | when |\n|---|---|---|---|\n";
      for (const PipelineStep& step : stage.steps)
        out += fmt::format("| `{}` | {} | {} | {} |\n", step.name(), scopeOf(step), needOf(step), conditionsOf(step));
    }
  }
  out += "\n## What the steps do\n\n| step | |\n|---|---|\n";
  for (const std::string_view name : stepNames()) out += fmt::format("| `{}` | {} |\n", name, textOf(name));
  out += "\n## Conditions\n\n| condition | holds if |\n|---|---|\n";
  for (const ConditionText& each : conditionTexts()) out += fmt::format("| {} | {} |\n", each.name, each.text);
  return out;
}

}  // namespace

std::string pipelineList(ListForm form) { return form == ListForm::Text ? text() : markdown(); }

}  // namespace clarity::compiler
