// SPDX-License-Identifier: Apache-2.0
// This file declares the options of `clarity compile` and `clarity opt` that show what passes do.
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

/// Asks the compiler for it. Throws UsageError for names that are no passes.
void applyTraceOptions(const TraceOptions& options);

}  // namespace clarity::tools
