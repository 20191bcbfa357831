// SPDX-License-Identifier: Apache-2.0
// This file is `clarity opt`: single passes of the kernel compiler, or one of its pipelines, over a file of LLVM IR,
// for tests and for study.
#include "command.h"
#include "compiler_bridge.h"
#include "counts.h"
#include "files.h"
#include "option_text.h"
#include "screen.h"
#include "trace_options.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
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
  std::string pipeline, kernel, local, listPipeline;
  TraceOptions trace;
};

const std::vector<std::string> pipelines = {"kernel", "native"};
const std::vector<std::string> listForms = {"text", "markdown"};

int list() {
  const auto passes = passNames();
  size_t width = 0;
  for (const auto& [name, description] : passes) width = std::max(width, name.size());
  for (const auto& [name, description] : passes)
    fmt::print("{}\n", wrapped(fmt::format("{:<{}}  {}", name, width, description), screenWidth()));
  return successCode;
}

// Only the spelling of names is checked here; the compiler checks parameters and nesting.
void checkSpelling(const std::string& passes) {
  std::vector<std::string> known;
  for (const auto& [name, description] : passNames()) known.push_back(name);
  for (const std::string& name : passes.empty() ? std::vector<std::string>() : split(passes, ',')) {
    if (name.empty()) throw UsageError(fmt::format("--passes={}: there is an empty name", passes));
    if (name.find_first_of("<>()") != std::string::npos || std::ranges::find(known, name) != known.end()) continue;
    if (const std::string meant = didYouMean(name, known); !meant.empty())
      throw UsageError(fmt::format("there is no pass '{}'{}", name, meant));
  }
}

CompileOutput runPipelineOf(const OptOptions& options, const std::string& buildOptions) {
  PipelineOptions pipeline{
      .native = options.pipeline == "native", .kernel = options.kernel, .local = {}, .buildOptions = buildOptions};
  if (!pipeline.native && !(options.kernel.empty() && options.local.empty()))
    throw UsageError("--kernel and --local have a meaning with --pipeline=native only");
  if (!options.local.empty()) {
    pipeline.local = {1, 1, 1};
    std::ranges::copy(parseRange("--local", options.local), pipeline.local.begin());
  }
  return runPipeline(readText(options.file), pipeline, options.processor);
}

// LLVM's parser calls all text that it is given "<string>".
std::string withFileName(std::string log, const std::string& file) {
  constexpr std::string_view parsed = "<string>:";
  if (log.starts_with(parsed)) log.replace(0, parsed.size() - 1, file == "-" ? "<stdin>" : file);
  return log;
}

int opt(const OptOptions& options, const std::vector<std::string>& buildOptions) {
  if (options.list) return list();
  if (!options.listPipeline.empty()) {
    fmt::print("{}", pipelineList(options.listPipeline == "markdown"));
    return successCode;
  }
  if (options.passes.empty() && options.pipeline.empty())
    throw UsageError("--passes or --pipeline is missing; --list shows all passes");
  if (!options.passes.empty() && !options.pipeline.empty())
    throw UsageError("--passes and --pipeline cannot be combined");
  checkSpelling(options.passes);
  applyTraceOptions(options.trace);
  const CompileOutput result = options.pipeline.empty()
                                   ? runPasses(readText(options.file), options.passes, options.processor)
                                   : runPipelineOf(options, joinOptions(buildOptions));
  if (!result.log.empty()) printLog(withFileName(result.log, options.file));
  if (!result.ok) {
    printError(fmt::format("clarity opt: '{}' was not transformed\n", options.file));
    return failureCode;
  }
  writeText(options.output, result.output);
  return successCode;
}

}  // namespace

void addOptCommand(CLI::App& app, Invocation& invocation) {
  auto options = std::make_shared<OptOptions>();
  CLI::App* sub = app.add_subcommand("opt", "Run passes of the compiler on LLVM IR");
  sub->add_option("FILE.ll", options->file, "LLVM IR, text or bitcode; - is standard input")
      ->type_name("")
      ->capture_default_str();
  sub->add_option("--passes", options->passes, "Passes to run, in this order")->type_name("PASS[,PASS...]");
  sub->add_option("--pipeline", options->pipeline,
                  "Pipeline to run:\n"
                  "  kernel  portable IR to kernel IR\n"
                  "  native  kernel or portable IR to native IR; with --processor sm_90 and the like, to IR for PTX")
      ->check(oneOf(pipelines))
      ->type_name("NAME");
  sub->add_option("--kernel", options->kernel, "Kernel for --pipeline=native (default: first)")->type_name("NAME");
  sub->add_option("--local", options->local, "Work-group size for --pipeline=native (default: any)")
      ->type_name("X[,Y[,Z]]");
  sub->add_option("-o,--output", options->output, "File to write; - is standard output")
      ->type_name("FILE")
      ->capture_default_str();
  sub->add_option("--processor", options->processor, "Target processor, by LLVM's name; native: this one")
      ->type_name("NAME")
      ->capture_default_str();
  sub->add_flag("--list", options->list, "List the passes");
  sub->add_option("--list-pipeline", options->listPipeline,
                  "List the pipelines, their steps, and the conditions of each; as text or markdown")
      ->check(oneOf(listForms))
      ->type_name("FORM")
      ->expected(0, 1)
      ->default_str("text");
  addTraceOptions(*sub, options->trace);
  sub->footer(
      "Everything after -- is a build option for --pipeline.\n\n"
      "Examples:\n"
      "  clarity opt --passes=fold-guards kernel.ll\n"
      "  clarity compile saxpy.cl --emit kernel-ir -o saxpy.ll\n"
      "  clarity opt --pipeline=native --local 64 --time-passes saxpy.ll -o native.ll\n"
      "  clarity opt --list-pipeline");
  sub->callback([options, &invocation] { invocation.status = opt(*options, invocation.rest); });
}

}  // namespace clarity::tools
