// SPDX-License-Identifier: Apache-2.0
// This file is `clarity exec`: one kernel run without a host program, through the public API.
#include "argument.h"
#include "check_record.h"
#include "command.h"
#include "counts.h"
#include "device_choice.h"
#include "device_info.h"
#include "driver.h"
#include "exec_output.h"
#include "exec_range.h"
#include "exec_results.h"
#include "exec_sweep.h"
#include "files.h"
#include "launch.h"
#include "numbers.h"
#include "option_text.h"
#include "progress.h"
#include "screen.h"
#include "table.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

namespace clarity::tools {
namespace {

using Json = nlohmann::ordered_json;

// Sets the element types that the kernel's declaration does not contain.
void applyTypes(const ExecOptions& options, std::vector<Argument>& arguments) {
  for (const std::string& text : options.types) {
    const Selection selection = select(arguments, "--type", text, '=', "ARGUMENT=TYPE, such as 0=float");
    const auto element = parseElementType(selection.rest);
    if (!element)
      throw UsageError(fmt::format("--type {}: '{}' is not a scalar or vector type of OpenCL C", text, selection.rest));
    arguments[selection.argument].element = element;
  }
}

[[noreturn]] void failCount(const ExecOptions& options, const std::vector<Argument>& arguments) {
  std::string text = fmt::format("kernel '{}' has {}, but {} {} given with --arg:", options.kernel,
                                 Counted{arguments.size(), "argument"}, options.arguments.size(),
                                 options.arguments.size() == 1 ? "was" : "were");
  Table table;
  for (int column = 0; column < 3; ++column) table.addColumn("", "", Table::Align::Left);
  for (size_t i = 0; i < std::max(arguments.size(), options.arguments.size()); ++i) {
    const bool known = i < arguments.size(), given = i < options.arguments.size();
    table.addRow(
        {fmt::format("  {}", i),
         known ? fmt::format("{} {}", arguments[i].declaration, arguments[i].name) : "(no such argument)",
         given ? fmt::format("= {}", options.arguments[i]) : fmt::format("missing: {}", arguments[i].expectedText())});
  }
  text += "\n" + table.rowsText();
  text.pop_back();
  throw UsageError(text);
}

[[noreturn]] void failNoKernel(const ExecOptions& options, const cl::Program& program) {
  std::vector<cl::Kernel> kernels;
  cl::Program(program).createKernels(&kernels);
  std::vector<std::string> names;
  std::string text;
  for (const cl::Kernel& kernel : kernels) {
    std::vector<std::string> declarations;
    for (const Argument& argument : argumentsOf(kernel))
      declarations.push_back(argument.declaration + " " + argument.name);
    std::string name = kernel.getInfo<CL_KERNEL_FUNCTION_NAME>();
    while (!name.empty() && name.back() == '\0') name.pop_back();
    names.push_back(name);
    text += fmt::format("\n  {}({})", name, fmt::join(declarations, ", "));
  }
  if (kernels.empty()) throw Failure(fmt::format("'{}' contains no kernel", options.file));
  if (options.kernel.empty())
    throw UsageError(fmt::format("the name of a kernel is missing; '{}' contains{}", options.file, text));
  throw UsageError(fmt::format("'{}' has no kernel '{}'{}; it contains{}", options.file, options.kernel,
                               didYouMean(options.kernel, names), text));
}

// The ranges of the launch, as given or as they follow from the buffers.
void chooseRange(const ExecOptions& options, const std::vector<Argument>& arguments, Launch& launch) {
  if (options.global.empty()) launch.global = fittingRange(arguments, launch.values);
  if (launch.global.empty())
    throw UsageError(
        "--global is missing, and there is no buffer that the range could fit: give the number of work-items in each "
        "dimension, such as 1024 or 512,512");
  for (auto [name, range] : {std::pair{"--local", &launch.local}, std::pair{"--offset", &launch.offset}})
    if (!range->empty() && range->size() != launch.global.size())
      throw UsageError(fmt::format(
          "{} has {} and {} has {}", name, Counted{range->size(), "dimension"},
          options.global.empty() ? "the range of the buffers, " + shapeText(launch.global) + "," : "--global",
          launch.global.size()));
  if (options.global.empty()) return;
  if (const std::string misfit = misfitText(launch.global, arguments, launch.values); !misfit.empty())
    printLog(wrapped("clarity exec: note: " + misfit, screenWidth()));
}

// Rejects outputs that can be known to be wrong before anything is run.
void checkOutputs(const ExecOptions& options, const std::vector<Output>& outputs) {
  const auto toStdout = std::ranges::count_if(outputs, [](const Output& output) { return output.file == "-"; });
  if (toStdout > 1) throw UsageError("--out: only one buffer can be written to standard output");
  if (toStdout && options.json && options.jsonFile == "-")
    throw UsageError("--json and --out - both write to standard output; give --json=FILE");
  for (const Output& output : outputs) requireWritable(output.file);
  if (options.json) requireWritable(options.jsonFile);
}

int exec(const ExecOptions& options) {
  if (!options.sweep.empty() && !(options.outputs.empty() && options.prints.empty() && options.check.empty()))
    throw UsageError("--sweep compares times: it does not go with --out, --print and --check");
  Launch launch;
  if (!options.global.empty()) launch.global = parseRange("--global", options.global);
  if (!options.local.empty()) launch.local = parseRange("--local", options.local);
  if (!options.offset.empty()) launch.offset = parseRange("--offset", options.offset, true);
  const std::string source = readText(options.file);

  if (!options.observe.empty()) ::setenv("CLARITY_OBSERVE", options.observe.c_str(), 1);
  std::optional<CheckRecord> record;
  if (!options.check.empty()) {
    requireKnownChecks("--check", options.check);
    record.emplace(options.check);
  }
  useDriver(options.icd);
  launch.device = chosenDevice(options.device, options.icd.empty());
  Progress progress(1 + options.repeat);
  progress.step("building " + options.file);
  launch.build(source, options.buildOptions, options.file, [&] { progress.clear(); });
  progress.clear();
  if (!launch.create(options.kernel)) failNoKernel(options, launch.program);
  std::vector<Argument> arguments = argumentsOf(launch.kernel);
  applyTypes(options, arguments);
  if (arguments.size() != options.arguments.size()) failCount(options, arguments);

  std::vector<Output> outputs;
  std::vector<Print> prints;
  for (const std::string& text : options.outputs) outputs.push_back(parseOutput(arguments, text));
  for (const std::string& text : options.prints) prints.push_back(parsePrint(arguments, text));
  checkOutputs(options, outputs);
  for (size_t i = 0; i < arguments.size(); ++i)
    launch.values.push_back(parseArgument(arguments[i], options.arguments[i], options.seed));
  chooseRange(options, arguments, launch);
  if (!options.sweep.empty()) return sweepLocal(options, launch, arguments);
  launch.setArguments(arguments);
  LaunchTimes times;
  try {
    times = launch.run(options.repeat,
                       [&](size_t run) { progress.step(fmt::format("run {} of {}", run, options.repeat)); });
  } catch (const Failure& failure) {
    // A launch that a check has ended, or a fault that one has reported.
    if (!record || record->findings().empty()) throw;
    progress.clear();
    printError(fmt::format("{}\n", failure.what()));
    if (options.json) writeText(options.jsonFile, Json{{"findings", record->findings()}}.dump(2) + "\n");
    return failureCode;
  }
  progress.clear();

  return showResults(options, launch, arguments, times, prints, outputs, record ? &*record : nullptr);
}

// Options that take one value and can be repeated; --arg must not consume the next word.
void addRepeated(CLI::App& sub, const char* name, std::vector<std::string>& into, const char* text, const char* type) {
  sub.add_option(name, into, text)
      ->type_name(type)
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

// Options of the launch: arguments, range, buffers afterwards.
void addLaunchOptions(CLI::App& sub, ExecOptions& options) {
  addRepeated(sub, "-a,--arg", options.arguments, "An argument (see below)", "SPEC");
  sub.add_option(
         "-g,--global", options.global,
         "Work-items in each dimension (default: one for each element of the largest buffer that the kernel may "
         "write; of a picture WIDTH,HEIGHT)")
      ->type_name("X[,Y[,Z]]");
  sub.add_option("-l,--local", options.local, "Work-group size (default: the driver chooses)")->type_name("X[,Y[,Z]]");
  sub.add_option("--offset", options.offset, "First global id")->type_name("X[,Y[,Z]]");
  addRepeated(sub, "-p,--print", options.prints, "Print the first elements of a buffer afterwards (16 by default)",
              "ARG[:COUNT]");
  addRepeated(
      sub, "-o,--out", options.outputs,
      "Write a buffer to FILE.npy, .raw, .bin or .png[:WIDTHxHEIGHT]; - (its bytes), -.npy and -.png are standard "
      "output. If the kernel writes one buffer only, - needs no ARG=",
      "ARG=FILE");
}

}  // namespace

void addExecCommand(CLI::App& app, Invocation& invocation) {
  auto options = std::make_shared<ExecOptions>();
  CLI::App* sub = app.add_subcommand("exec", "Run one kernel with no host program");
  sub->add_option("FILE.cl", options->file, "OpenCL C source, portable IR or SPIR-V; - is standard input")
      ->required()
      ->type_name("");
  sub->add_option("KERNEL", options->kernel, "Kernel to run; without it, the kernels are listed")->type_name("");
  addLaunchOptions(*sub, *options);
  sub->add_option("-n,--repeat", options->repeat,
                  "Number of runs, all with the same arguments; the median time is printed")
      ->check(wholeNumber(1, 1'000'000'000))
      ->type_name("N")
      ->capture_default_str();
  sub->add_option(
         "--sweep", options->sweep,
         "Time the launch with work-groups of many sizes (`local`), and name the sizes that give other results")
      ->check(oneOf({"local"}))
      ->type_name("WHAT");
  sub->add_option("-d,--device", options->device, deviceHelp)->type_name("DEVICE");
  sub->add_option("-b,--build", options->buildOptions, "Build options of clBuildProgram, as one word")
      ->type_name("OPTIONS");
  sub->add_option("--observe", options->observe,
                  "Count events by source line, and write a table to standard error. The kernel takes 100 times as "
                  "long and more; --profile counts bytes at nearly full speed:\n"
                  "  accesses  reads and writes of global and local memory")
      ->check(oneOf({"accesses"}))
      ->type_name("WHAT");
  sub->add_flag(
      "--check{all}", options->check,
      "Report mistakes of the kernel, as `clarity check` does; exit code 1 if there are any. LIST is that of its "
      "--what");
  addRepeated(*sub, "--type", options->types, "Element type of an argument of a type that the source defines",
              "ARG=TYPE");
  sub->add_option("--seed", options->seed, "Seed of random:COUNT")
      ->check(wholeNumber(0, UINT64_MAX))
      ->type_name("S")
      ->capture_default_str();
  CLI::Option* json =
      sub->add_flag("--json{-}", options->jsonFile,
                    "Write times, rates and the buffers of --print as JSON to standard output in place of the text, or "
                    "with --json=FILE to FILE");
  // The command has been started as `clarity profile clarity exec` where these are given (main.cpp).
  sub->add_flag_callback("--profile", [] {}, "Show where the time goes on standard error, as `clarity profile` does");
  sub->add_flag_callback("--debug", [] {}, "Start gdb for the kernel, as `clarity debug` does; `run` runs it");
  sub->add_flag("-q,--quiet", options->quiet, "Print nothing but the buffers of --print");
  addIcdOption(*sub, options->icd);
  sub->footer(argumentHelp() +
              "\n\nARG is the name of an argument, or its number, counted from 0.\n\n"
              "Examples:\n"
              "  clarity exec saxpy.cl saxpy -a 2.0 -a iota:1M -a random:1M --print y:8\n"
              "  clarity exec sobel.cl sobel -a photo.png -a zeros:640x480 --out 1=edges.png\n"
              "  clarity exec sobel.cl sobel -a photo.png -a zeros:640x480 -o -.png | display\n"
              "  clarity exec saxpy.cl saxpy -a 2.0 -a iota:1M -a zeros:1M --device gpu\n"
              "  clarity exec matmul.cl matmul -a random:1M -a random:1M -a zeros:1M \\\n"
              "      -g 1024,1024 --sweep local");
  sub->callback([options, json, &invocation] {
    options->json = json->count() > 0;
    invocation.status = exec(*options);
  });
}

}  // namespace clarity::tools
