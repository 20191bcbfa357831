// SPDX-License-Identifier: Apache-2.0
// This file parses --print-after and the other options that trace passes.
#include "trace_options.h"

#include "command.h"
#include "counts.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace clarity::tools {
namespace {

/// Passes and steps of the pipelines, without parameters: "packets" for "packets<LANESxPACKETSxROWS>".
std::vector<std::string> traceableNames() {
  std::vector<std::string> names = pipelineSteps();
  for (const auto& [name, description] : passNames()) names.push_back(name.substr(0, name.find('<')));
  return names;
}

}  // namespace

void addTraceOptions(CLI::App& app, TraceOptions& options) {
  app.add_option("--print-after", options.printAfter, "Print the IR after these passes, on standard error")
      ->type_name("PASS[,PASS...]")
      ->group("Tracing");
  const auto addFlag = [&](const char* name, bool& flag, const char* text) {
    app.add_flag(name, flag, text)->group("Tracing");
  };
  addFlag("--print-after-all", options.request.printAfterAll, "Print the IR after every pass");
  addFlag("--print-changed", options.request.printChanged, "Print the IR after every pass that changed it");
  addFlag("--verify-each", options.request.verifyEach, "Verify the IR after every pass");
  addFlag("--time-passes", options.request.timePasses, "Print the time of each pass, in milliseconds");
}

void applyTraceOptions(const TraceOptions& options) {
  TraceRequest request = options.request;
  if (!options.printAfter.empty()) {
    const std::vector<std::string> known = traceableNames();
    for (std::string& name : split(options.printAfter, ',')) {
      if (std::ranges::find(known, name) == known.end()) {
        throw UsageError(fmt::format("--print-after: there is no pass '{}'{}", name, didYouMean(name, known)));
      }
      request.printAfter.push_back(std::move(name));
    }
  }
  if (!request.printAfter.empty() || request.printAfterAll || request.printChanged || request.verifyEach ||
      request.timePasses)
    tracePasses(request);
}

}  // namespace clarity::tools
