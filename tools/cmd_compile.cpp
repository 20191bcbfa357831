// SPDX-License-Identifier: Apache-2.0
// This file is `clarity compile`: it compiles one file of OpenCL C and writes one of the compiler's representations.
#include "command.h"
#include "compiler_bridge.h"
#include "counts.h"
#include "files.h"
#include "option_text.h"
#include "progress.h"
#include "screen.h"
#include "trace_options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace clarity::tools {
namespace {

struct CompileOptions {
  bool report = false, json = false, lines = false, source = false;
  std::string file;
  std::string emit = "binary";
  std::string output;
  std::string kernel;
  std::string local, global;
  std::string processor;
  TraceOptions trace;
};

const std::vector<std::string> forms = {"portable-ir", "spirv", "kernel-ir", "native-ir", "asm", "binary", "accesses"};

/// Whether what is written is bytes, which go to a file beside the source by default.
bool isBinary(std::string_view form) { return form == "binary" || form == "spirv"; }

/// A remark as compilers print their diagnostics, which editors and CI find in a log.
std::string diagnosticOf(std::string_view remark, const std::string& file) {
  const auto json = nlohmann::json::parse(remark, nullptr, false);
  if (json.is_discarded()) return {};
  const auto number = [&](const char* name) {
    return json.contains(name) && json[name].is_number() ? json[name].get<unsigned>() : 0u;
  };
  const std::string place =
      fmt::format("{}:{}:{}: ", file, std::max(number("line"), 1u), std::max(number("column"), 1u));
  std::string text = fmt::format("{}remark: {} [kernel '{}', {}]\n", place, json.value("message", ""),
                                 json.value("kernel", ""), json.value("kind", ""));
  if (const std::string help = json.value("help", ""); !help.empty()) text += fmt::format("{}note: {}\n", place, help);
  return text;
}

/// Takes the remarks, a JSON object on each line, out of a build log. As an array of JSON, or a diagnostic for each.
std::string takeRemarks(std::string& log, const std::string& file, bool asDiagnostics) {
  std::string remarks, others;
  for (std::string_view left = log; !left.empty();) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    const std::string_view line = left.substr(0, end);
    if (asDiagnostics && line.starts_with("{\"kernel\":"))
      remarks += diagnosticOf(line, file);
    else if (line.starts_with("{\"kernel\":"))
      remarks += fmt::format("{}\n  {}", remarks.empty() ? "" : ",", line);
    else
      others += fmt::format("{}\n", line);
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  log = std::move(others);
  return asDiagnostics ? remarks : fmt::format("[{}\n]\n", remarks);
}

/// Breaks the lines of a report that are wider than the terminal, but no line of source, under which marks may stand.
std::string foldReport(const std::string& log) {
  if (!::isatty(STDERR_FILENO)) return log;  // programs search it by lines
  std::string folded;
  for (std::string_view left = log; !left.empty();) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    const std::string_view line = left.substr(0, end);
    const std::size_t bar = line.find(" | ");
    const bool isSource = bar != line.npos && line.find_first_not_of(" 0123456789") == bar + 1;
    folded += (isSource ? std::string(line) : wrapped(line, screenWidth())) + "\n";
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return folded;
}

std::string outputName(const CompileOptions& options) {
  if (!options.output.empty()) return options.output;
  if (!isBinary(options.emit)) return "-";
  if (options.file == "-") throw UsageError("the source is standard input: name the output with -o FILE");
  return std::filesystem::path(options.file)
      .filename()
      .replace_extension(options.emit == "spirv" ? ".spv" : ".clbin")
      .string();
}

/// Assembly with the source lines that the compiler's comments "#@ FILE:LINE:COLUMN in FUNCTION" name.
std::string withSource(std::string_view assembly, const std::string& file, std::string_view source) {
  std::vector<std::string_view> lines;
  for (std::string_view left = source; !left.empty();) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    lines.push_back(left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  std::string result;
  for (std::string_view left = assembly; !left.empty();) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    const std::string_view line = left.substr(0, end);
    left.remove_prefix(std::min(end + 1, left.size()));
    if (!line.starts_with("#@ ")) {
      result += fmt::format("{}\n", line);
      continue;
    }
    result += fmt::format("# {}", line.substr(3));
    const std::string_view place = line.substr(3);
    std::size_t number = 0;
    if (place.starts_with(file + ":"))
      std::from_chars(place.data() + file.size() + 1, place.data() + place.size(), number);
    if (number > 0 && number <= lines.size()) {
      std::string_view text = lines[number - 1];
      text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
      result += fmt::format(": {}", text);
    }
    result += '\n';
  }
  return result;
}

void requireConsistent(const CompileOptions& options) {
  if (options.json && !options.report) throw UsageError("--json is valid with --report only");
  if (options.lines && (!options.report || options.json))
    throw UsageError("--lines is valid with --report only, and without --json");
  if (options.source && options.emit != "asm") throw UsageError("--source is valid with --emit asm only");
}

int compile(const CompileOptions& options, const std::vector<std::string>& buildOptions) {
  std::array<size_t, 3> local{}, global{};
  requireConsistent(options);
  if (!options.local.empty()) {
    if (options.emit != "asm" && options.emit != "native-ir" && !options.report)
      throw UsageError("--local is valid with --report, --emit asm and --emit native-ir only");
    local = {1, 1, 1};
    std::ranges::copy(parseRange("--local", options.local), local.begin());
  }
  if (!options.global.empty()) {
    if (options.emit != "asm" && options.emit != "native-ir")
      throw UsageError("--global is valid with --emit asm and --emit native-ir only");
    global = {1, 1, 1};
    std::ranges::copy(parseRange("--global", options.global), global.begin());
  }
  const std::string output = outputName(options);
  if (output == "-" && isBinary(options.emit) && ::isatty(STDOUT_FILENO))
    throw UsageError("a binary is not written to a terminal: name a file with -o FILE");

  applyTraceOptions(options.trace);
  const std::string source = readText(options.file);
  if (!options.report || !options.output.empty()) requireWritable(output);
  std::vector<std::string> words = buildOptions;
  const std::string name = options.file == "-" ? "<stdin>" : options.file;
  words.insert(words.begin(), "-cl-clarity-source-name=" + name);
  if (options.source) words.emplace_back("-cl-clarity-debug-info");
  std::string given = joinOptions(words);
  if (options.report) given += " -cl-clarity-report";
  if (options.report && !options.local.empty()) given += fmt::format("={}x{}x{}", local[0], local[1], local[2]);
  if (options.report && !options.kernel.empty()) given += " -cl-clarity-report-kernel=" + options.kernel;
  if (options.json || options.lines) given += " -cl-clarity-report-json";
  // Printed IR goes to standard error as well.
  const TraceRequest& traced = options.trace.request;
  const bool isTraced = !options.trace.printAfter.empty() || traced.printAfterAll || traced.printChanged;
  Progress progress(1);
  if (!isTraced) progress.step("compiling " + options.file);
  CompileOutput result =
      emit(source, options.file, given, options.emit,
           {.kernel = options.kernel, .local = local, .global = global, .processor = options.processor});
  progress.clear();
  const std::string remarks =
      options.json || options.lines ? takeRemarks(result.log, name, options.lines) : std::string();
  if (!result.log.empty()) printLog(options.report ? foldReport(result.log) : result.log);
  if (!result.ok) {
    printError(fmt::format("clarity compile: '{}' did not compile\n", options.file));
    return failureCode;
  }
  if (options.json || options.lines) fmt::print("{}", remarks);
  if (options.source) result.output = withSource(result.output, name, source);
  if (!options.report || !options.output.empty()) writeText(output, result.output);
  return successCode;
}

}  // namespace

void addCompileCommand(CLI::App& app, Invocation& invocation) {
  auto options = std::make_shared<CompileOptions>();
  CLI::App* sub = app.add_subcommand("compile", "Compile a file of OpenCL C, C++ for OpenCL, portable IR or SPIR-V");
  sub->add_option("FILE", options->file,
                  "Source: .cl, .clcpp (C++ for OpenCL), .ll or .bc (portable IR), .spv (SPIR-V); - is standard input")
      ->required()
      ->type_name("");
  sub->add_option("--emit", options->emit,
                  "What to write:\n"
                  "  portable-ir  LLVM IR from clang, for any device\n"
                  "  spirv        module of SPIR-V, by LLVM's own target (clCreateProgramWithIL)\n"
                  "  kernel-ir    portable IR, linked with the builtin functions and optimised\n"
                  "  native-ir    LLVM IR of one kernel, input of the code generator\n"
                  "  asm          assembly of one kernel\n"
                  "  binary       program binary (CL_PROGRAM_BINARIES)\n"
                  "  accesses     what each kernel accesses, for joined devices")
      ->check(oneOf(forms))
      ->type_name("FORM")
      ->capture_default_str();
  sub->add_option("-o,--output", options->output,
                  "File to write; - is standard output, the default for text. A binary goes to FILE.clbin "
                  "by default, SPIR-V to FILE.spv")
      ->type_name("FILE");
  sub->add_flag(
      "--report", options->report,
      "Print how each kernel was vectorised: its packets and tiles and, by source line, how each access and branch "
      "runs, why, and what would make it faster. Writes no file unless -o names one");
  sub->add_flag("--json", options->json, "Write the report as JSON to standard output, an object for each remark");
  sub->add_flag("--lines", options->lines,
                "Write the report to standard output as compilers print diagnostics: FILE:LINE:COLUMN: remark: TEXT");
  sub->add_flag("--source", options->source,
                "With --emit asm, for CPUs: show each line of the source above its instructions");
  sub->add_option("--kernel", options->kernel, "The only kernel of --report, asm (default: the first) and native-ir")
      ->type_name("NAME");
  sub->add_option("--local", options->local,
                  "Work-group size to specialise for, with --report, --emit asm or native-ir")
      ->type_name("X[,Y[,Z]]");
  sub->add_option(
         "--global", options->global,
         "Global size to specialise for, with --emit asm or native-ir; a large multiple of all sizes by default")
      ->type_name("X[,Y[,Z]]");
  sub->add_option("--processor", options->processor,
                  "Processor to generate code for, by LLVM's name (znver4, x86-64-v3, ...; sm_90 for NVIDIA GPUs of "
                  "compute capability 9.0); this one by default")
      ->type_name("NAME");
  addTraceOptions(*sub, options->trace);
  sub->footer(
      "Everything after -- is passed to clBuildProgram.\n\n"
      "Examples:\n"
      "  clarity compile saxpy.cl -o saxpy.clbin -- -cl-fast-relaxed-math -D N=16\n"
      "  clarity compile saxpy.cl --emit asm --kernel saxpy --local 64\n"
      "  clarity compile saxpy.cl --emit asm --source\n"
      "  clarity compile saxpy.cl --emit spirv\n"
      "  clarity compile saxpy.cl --report\n"
      "  clarity compile saxpy.cl --report --lines | grep gather\n"
      "  clarity compile saxpy.cl --report --processor sm_90\n"
      "  clarity compile saxpy.cl --emit native-ir --local 64 --print-after=packets \\\n"
      "      -o saxpy.ll");
  sub->callback([options, &invocation] { invocation.status = compile(*options, invocation.rest); });
}

}  // namespace clarity::tools
