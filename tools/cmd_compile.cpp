// SPDX-License-Identifier: Apache-2.0
// This file is `clarity compile`: one file of OpenCL C to one of the forms it takes on its way to the device.
#include "command.h"
#include "compiler_bridge.h"
#include "counts.h"
#include "files.h"
#include "trace_options.h"

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

namespace clarity::tools {
namespace {

struct CompileOptions {
  bool report = false;
  std::string file;
  std::string emit = "binary";
  std::string output;
  std::string kernel;
  std::string local;
  std::string processor;
  TraceOptions trace;
};

const std::vector<std::string> kForms = {"portable-ir", "kernel-ir", "native-ir", "asm", "binary"};

std::string outputName(const CompileOptions& options) {
  if (!options.output.empty()) return options.output;
  if (options.emit != "binary") return "-";
  if (options.file == "-") throw UsageError("reading standard input, so name the output: -o FILE");
  return std::filesystem::path(options.file).filename().replace_extension(".clbin").string();
}

int compile(const CompileOptions& options, const std::vector<std::string>& buildOptions) {
  std::array<size_t, 3> local{};
  if (!options.local.empty()) {
    if (options.emit != "asm" && options.emit != "native-ir" && !options.report)
      throw UsageError("--local has a meaning with --report, --emit asm and native-ir only");
    local = {1, 1, 1};
    std::ranges::copy(parseRange("--local", options.local), local.begin());
  }
  const std::string output = outputName(options);
  if (output == "-" && options.emit == "binary" && ::isatty(STDOUT_FILENO))
    throw UsageError("a binary does not go to a terminal: name a file with -o FILE");

  applyTraceOptions(options.trace);
  const std::string source = readText(options.file);
  std::string given = joinOptions(buildOptions);
  if (options.report) given += given.empty() ? "-cl-clarity-report" : " -cl-clarity-report";
  if (options.report && !options.local.empty()) given += fmt::format("={}x{}x{}", local[0], local[1], local[2]);
  const CompileOutput result =
      emit(source, options.file, given, options.emit, options.kernel, local, options.processor);
  if (!result.log.empty()) fmt::print(stderr, "{}{}", result.log, result.log.ends_with('\n') ? "" : "\n");
  if (!result.ok) {
    fmt::print(stderr, "clarity compile: '{}' did not compile\n", options.file);
    return kFailure;
  }
  if (!options.report || !options.output.empty()) writeText(output, result.output);
  return kSuccess;
}

}  // namespace

void addCompileCommand(CLI::App& app, Invocation& invocation) {
  auto options = std::make_shared<CompileOptions>();
  CLI::App* sub = app.add_subcommand("compile", "Compile a file of OpenCL C, C++ for OpenCL or portable IR");
  sub->add_option("FILE", options->file, "Source: .cl, .clcpp (C++ for OpenCL), .ll or .bc (portable IR); - is standard input")->required()->type_name("");
  sub->add_option("--emit", options->emit,
                  "What to write:\n"
                  "  portable-ir  LLVM IR as clang makes it, for any device\n"
                  "  kernel-ir    the same with the builtin functions linked and optimised\n"
                  "  native-ir    LLVM IR of one kernel as it goes to the code generator\n"
                  "  asm          assembly of one kernel for this processor\n"
                  "  binary       what clGetProgramInfo(CL_PROGRAM_BINARIES) returns")
      ->check(CLI::IsMember(kForms))
      ->type_name("FORM")
      ->capture_default_str();
  sub->add_option("-o,--output", options->output,
                  "File to write; - is standard output\n(text goes there by default, a binary to FILE.clbin)")
      ->type_name("FILE");
  sub->add_flag(
      "--report", options->report,
      "Say what became of every kernel: packets and tiles, by source line which accesses are consecutive and where\n"
      "work-items part. Writes no file unless -o names one");
  sub->add_option("--kernel", options->kernel, "Kernel to show with --emit asm or native-ir; the first one by default")
      ->type_name("NAME");
  sub->add_option("--local", options->local, "Work-group size to specialise for with --report, --emit asm or native-ir")
      ->type_name("X[,Y[,Z]]");
  sub->add_option(
         "--processor", options->processor,
         "Processor to make code for, by LLVM's name (znver4, sapphirerapids, x86-64-v3, ...); this one by default")
      ->type_name("NAME");
  addTraceOptions(*sub, options->trace);
  sub->footer(
      "What follows -- goes to clBuildProgram as it is.\n\n"
      "Examples:\n"
      "  clarity compile saxpy.cl -o saxpy.clbin -- -cl-fast-relaxed-math -D N=16\n"
      "  clarity compile saxpy.cl --emit asm --kernel saxpy --local 64\n"
      "  clarity compile saxpy.cl --report\n"
      "  clarity compile saxpy.cl --emit native-ir --local 64 --print-after=packets -o saxpy.ll");
  sub->callback([options, &invocation] { invocation.status = compile(*options, invocation.rest); });
}

}  // namespace clarity::tools
