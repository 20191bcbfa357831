// SPDX-License-Identifier: Apache-2.0
// This file declares the names of what the pipeline runs (pipeline/description.cpp), for options that name passes.
#pragma once

#include <string_view>
#include <vector>

namespace clarity::compiler {

/// Names, sorted, each once: of all steps of the pipelines, and of the optional ones, which -cl-clarity-disable takes.
std::vector<std::string_view> stepNames();
std::vector<std::string_view> optionalSteps();

}  // namespace clarity::compiler
