// SPDX-License-Identifier: Apache-2.0
// This file declares the options of `clarity compile` and `clarity opt` that trace passes.
#pragma once

#include "compiler_bridge.h"

#include <string>

namespace CLI {
class App;
}

namespace clarity::tools {

struct TraceOptions {
  std::string printAfter;
  TraceRequest request;
};

void addTraceOptions(CLI::App& app, TraceOptions& options);

/// Applies the options. Throws UsageError for names that are not passes.
void applyTraceOptions(const TraceOptions& options);

}  // namespace clarity::tools
