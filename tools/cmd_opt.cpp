// SPDX-License-Identifier: Apache-2.0
// This file is `clarity opt`: it runs passes of the kernel compiler on a file of LLVM IR, for tests and for study.
#include "command.h"
#include "compiler_bridge.h"
#include "counts.h"
#include "files.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace clarity::tools {
namespace {

struct OptOptions {
  std::string file = "-";
  std::string passes;
  std::string output = "-";
  std::string processor = "x86-64-v3";
  bool list = false;
};

int list() {
  const auto passes = passNames();
  size_t width = 0;
  for (const auto& [name, description] : passes) width = std::max(width, name.size());
  for (const auto& [name, description] : passes) fmt::print("{:<{}}  {}\n", name, width, description);
  return kSuccess;
}

// Only the spelling of names is checked here; the compiler checks parameters and nesting.
void checkSpelling(const std::string& passes) {
  std::vector<std::string> known;
  for (const auto& [name, description] : passNames()) known.push_back(name);
  for (const std::string& name : split(passes, ',')) {
    if (name.empty()) throw UsageError(fmt::format("--passes={}: there is an empty name", passes));
    if (name.find_first_of("<>()") != std::string::npos || std::ranges::find(known, name) != known.end()) continue;
    const std::string near = nearest(name, known);
    if (!near.empty()) throw UsageError(fmt::format("there is no pass '{}' (did you mean '{}'?)", name, near));
  }
}

int opt(const OptOptions& options) {
  if (options.list) return list();
  if (options.passes.empty()) throw UsageError("--passes is missing; --list shows all passes");
  checkSpelling(options.passes);
  const std::string ir = readText(options.file);
  const CompileOutput result = runPasses(ir, options.passes, options.processor);
  if (!result.log.empty()) fmt::print(stderr, "{}{}", result.log, result.log.ends_with('\n') ? "" : "\n");
  if (!result.ok) {
    fmt::print(stderr, "clarity opt: '{}' was not transformed\n", options.file);
    return kFailure;
  }
  writeText(options.output, result.output);
  return kSuccess;
}

}  // namespace

void addOptCommand(CLI::App& app, Invocation& invocation) {
  auto options = std::make_shared<OptOptions>();
  CLI::App* sub = app.add_subcommand("opt", "Run single compiler passes on LLVM IR");
  sub->add_option("FILE.ll", options->file, "LLVM IR, text or bitcode; - is standard input")->type_name("")->capture_default_str();
  sub->add_option("--passes", options->passes, "Passes to run, in this order")->type_name("PASS[,PASS...]");
  sub->add_option("-o,--output", options->output, "File to write; - is standard output")->type_name("FILE")->capture_default_str();
  sub->add_option("--processor", options->processor, "Target processor, by LLVM's name; native: this one")->type_name("NAME")->capture_default_str();
  sub->add_flag("--list", options->list, "List the passes");
  sub->callback([options, &invocation] { invocation.status = opt(*options); });
}

}  // namespace clarity::tools
