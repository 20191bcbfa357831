// SPDX-License-Identifier: Apache-2.0
// This file prints the description of the pipeline: for a terminal, and as docs/pipeline.md.
#include "compiler/opt.h"
#include "compiler/pass_names.h"
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

The passes of the compiler in the order in which they run. This page is printed by
`clarity opt --list-pipeline=markdown` from the description that the compiler executes
(`src/compiler/pipeline/description.cpp`); a test compares the two.

A step runs when all of its conditions hold; they are explained at the end. *Required* steps are needed for correct
code. *Optional* ones only make code faster or smaller, and the build option `-cl-clarity-disable=PASS,...` leaves them
out, wherever they stand. `clarity opt --pipeline=kernel` and `--pipeline=native` run the pipelines on IR in a file.
`--print-after=PASS`, `--print-after-all`, `--print-changed`, `--verify-each` and `--time-passes` show what passes do,
there and in `clarity compile`. Instrumentation of a program hooks in at `instrument` (`PipelineHooks` in
`src/compiler/pipeline.h`).

All back ends share the kernel pipeline. The native pipeline is the CPU's. The back end of NVIDIA GPUs runs its steps
itself (`src/compiler/nvptx/emit_ptx.cpp`); of these, the page has the optional ones.
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
