// SPDX-License-Identifier: Apache-2.0
// This file finds steps of the pipelines by their names.
#include "compiler/frontend/options.h"
#include "compiler/ir/pass_names.h"
#include "compiler/pipeline/description.h"
#include "compiler/pipeline/steps.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

namespace clarity::compiler {
namespace {

/// Steps of all pipelines, one behind the other.
std::vector<const PipelineStep*> allSteps() {
  std::vector<const PipelineStep*> steps;
  for (const std::span<const PipelineStage> pipeline : {kernelPipeline(), nativePipeline(), nvptxPipeline()})
    for (const PipelineStage& stage : pipeline)
      for (const PipelineStep& step : stage.steps) steps.push_back(&step);
  return steps;
}

std::vector<std::string_view> namesOf(bool onlyOptional) {
  std::vector<std::string_view> names;
  for (const PipelineStep* step : allSteps())
    if (!onlyOptional || step->need == Need::Optional) names.push_back(step->name());
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  return names;
}

}  // namespace

std::vector<std::string_view> stepNames() { return namesOf(false); }
std::vector<std::string_view> optionalSteps() { return namesOf(true); }

unsigned placeAmongNamesakes(const PipelineStep& step) {
  unsigned place = 0;
  for (const PipelineStep* each : allSteps()) {
    place += each->name() == step.name();
    if (each == &step) break;
  }
  return place;
}

bool isOptionalStep(std::string_view label) {
  return std::ranges::any_of(allSteps(), [label](const PipelineStep* step) {
    return step->need == Need::Optional && label == fmt::format("{}.{}", step->name(), placeAmongNamesakes(*step));
  });
}

bool isDisabled(const Options& options, std::string_view step) {
  return std::ranges::any_of(options.disabledPasses, [step](std::string_view label) {
    return label == step || (label.starts_with(step) && label.substr(step.size()).starts_with('.'));
  });
}

}  // namespace clarity::compiler
