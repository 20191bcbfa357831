// SPDX-License-Identifier: Apache-2.0
// This file lists the steps of the pipelines. No LLVM type is visible.
#pragma once

#include <string>
#include <vector>

namespace clarity::compiler {

/// Names of all steps of the pipelines, LLVM's passes among them: what PassTrace::printAfter (trace_request.h) may name
/// beside passNames().
std::vector<std::string> pipelineSteps();

/// The description of the pipelines for people: aligned text, or the page docs/pipeline.md.
enum class ListForm { Text, Markdown };
std::string pipelineList(ListForm form);

}  // namespace clarity::compiler
