// SPDX-License-Identifier: Apache-2.0
// This file declares the names of what the pipeline runs (pipeline/description.cpp), for options that name passes.
#pragma once

#include <string_view>
#include <vector>

namespace clarity::compiler {

/// Names, sorted, each once: of all steps of the pipelines, and of the optional ones, which -cl-clarity-disable takes.
std::vector<std::string_view> stepNames();
std::vector<std::string_view> optionalSteps();
/// Whether it is an optional step among several of one name: "licm.2" is the second step of that name in the
/// description, counted across all pipelines.
bool isOptionalStep(std::string_view label);

}  // namespace clarity::compiler
