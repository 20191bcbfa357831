// SPDX-License-Identifier: Apache-2.0
// This file is `clarity exec`: one kernel run without a host program, through the public API.
#include "argument.h"
#include "command.h"
#include "counts.h"
#include "device_info.h"
#include "driver.h"
#include "files.h"
#include "launch.h"
#include "numbers.h"
#include "table.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

namespace clarity::tools {
namespace {

struct ExecOptions {
  std::string file, kernel, icd, buildOptions, observe;
  std::vector<std::string> arguments, outputs, prints, types;
  std::string global, local, offset;
  size_t repeat = 1;
  std::uint64_t seed = 1;
  bool quiet = false;
};

// N=REST or N:REST, with N the name or the number of an argument.
struct Selection {
  cl_uint argument;
  std::string rest;
};

Selection select(const std::vector<Argument>& arguments, const std::string& option, const std::string& text,
                 char separator, bool restWanted) {
  const size_t end = text.find(separator);
  if (restWanted && (end == std::string::npos || end + 1 == text.size()))
    throw UsageError(fmt::format("{} {}: expected {}{}...", option, text, "ARGUMENT", separator));
  return {findArgument(arguments, fmt::format("{} {}", option, text), text.substr(0, end)),
          end == std::string::npos ? std::string() : text.substr(end + 1)};
}

struct Output {
  cl_uint argument;
  std::string file;
  std::vector<size_t> pixels;  // width, height where given
};

struct Print {
  cl_uint argument;
  size_t count;
};

void requireBuffer(const std::vector<Argument>& arguments, const std::string& option, cl_uint index) {
  if (arguments[index].kind != ArgumentKind::Buffer)
    throw UsageError(fmt::format("{}: {} is not a buffer", option, arguments[index].title()));
}

Output parseOutput(const std::vector<Argument>& arguments, const std::string& text) {
  const Selection selection = select(arguments, "--out", text, '=', true);
  requireBuffer(arguments, "--out " + text, selection.argument);
  Output output{selection.argument, selection.rest, {}};
  if (const size_t colon = selection.rest.rfind(".png:"); colon != std::string::npos) {
    const auto size = parseShape(selection.rest.substr(colon + 5));
    if (!size || size->size() != 2) throw UsageError(fmt::format("--out {}: expected FILE.png:WIDTHxHEIGHT", text));
    output.pixels = *size;
    output.file.resize(colon + 4);
  }
  const std::string extension = std::filesystem::path(output.file).extension().string();
  if (extension != ".npy" && extension != ".raw" && extension != ".bin" && extension != ".png")
    throw UsageError(
        fmt::format("--out {}: the file ends in '{}'; expected .npy, .raw, .bin or .png", text, extension));
  return output;
}

Print parsePrint(const std::vector<Argument>& arguments, const std::string& text) {
  const Selection selection = select(arguments, "--print", text, ':', false);
  requireBuffer(arguments, "--print " + text, selection.argument);
  const auto count = selection.rest.empty() ? std::optional<size_t>(16) : parseCount(selection.rest);
  if (!count) throw UsageError(fmt::format("--print {}: expected ARGUMENT or ARGUMENT:COUNT", text));
  return {selection.argument, *count};
}

// The shape of a picture from its width and height, as given or from the NDRange.
void givePixelShape(const Output& output, const std::vector<size_t>& global, const Argument& argument, Array& array) {
  const bool shaped = array.shape.size() >= 2;
  std::vector<size_t> size = output.pixels;
  if (size.empty() && shaped) return;
  if (size.empty() && global.size() >= 2) size = {global[0], global[1]};
  size_t pixels = 1;
  for (size_t s : size) pixels *= s;
  const size_t scalars = array.count() * array.type.lanes;
  if (size.size() == 2 && pixels != 0 && array.count() == pixels) {
    array.shape = {size[1], size[0]};
  } else if (size.size() == 2 && pixels != 0 && array.type.lanes == 1 &&
             (scalars == 3 * pixels || scalars == 4 * pixels)) {
    array.shape = {size[1], size[0], scalars / pixels};
  } else {
    const std::string what = size.empty() ? "but its width and height are unknown"
                                          : fmt::format("which does not match {} x {} pixels", size[0], size[1]);
    throw UsageError(fmt::format("--out {}={}: {} has {} elements, {}; give its size as FILE.png:WIDTHxHEIGHT",
                                 output.argument, output.file, argument.title(), array.count(), what));
  }
}

std::string elementText(const Array& array, size_t index) {
  const std::byte* at = array.bytes.data() + index * array.type.bytes();
  if (array.type.lanes == 1) return scalarText(array.type.scalar, at);
  std::vector<std::string> lanes;
  for (unsigned lane = 0; lane < array.type.lanes; ++lane)
    lanes.push_back(scalarText(array.type.scalar, at + lane * array.type.scalarBytes()));
  return fmt::format("({})", fmt::join(lanes, ", "));
}

void printArray(const Argument& argument, const Array& array, size_t count) {
  const size_t shown = std::min(count, array.count());
  std::string line = fmt::format("{} {}[{}]:", argument.name, array.type.name(), array.count());
  for (size_t i = 0; i < shown; ++i) line += " " + elementText(array, i);
  fmt::print("{}{}\n", line, shown < array.count() ? " ..." : "");
}

void write(const Output& output, const std::vector<size_t>& global, const Argument& argument, Array array, bool quiet) {
  const std::string extension = std::filesystem::path(output.file).extension().string();
  if (extension == ".npy") {
    writeNpy(output.file, array);
  } else if (extension == ".png") {
    givePixelShape(output, global, argument, array);
    writePng(output.file, array);
  } else {
    writeBytes(output.file, array.bytes);
  }
  if (!quiet) fmt::print("wrote {}: {} of {}\n", output.file, shapeText(array.shape), array.type.name());
}

void printTimes(const ExecOptions& options, const Launch& launch, const LaunchTimes& times) {
  size_t items = 1, bytes = 0;
  for (size_t size : launch.global) items *= size;
  for (const ArgumentValue& value : launch.values)
    if (const Array* array = std::get_if<Array>(&value)) bytes += array->bytes.size();
  const std::string local = launch.local.empty() ? "chosen by the driver" : shapeText(launch.local);
  fmt::print("{} on {}\n", options.kernel, launch.device.getInfo<CL_DEVICE_NAME>());
  fmt::print("  range  {} work-item{}, work-group size {}\n", shapeText(launch.global), items == 1 ? "" : "s", local);
  fmt::print("  build  {}\n", timeText(launch.buildSeconds));
  std::vector<double> sorted = times.kernelSeconds;
  std::ranges::sort(sorted);
  const double time = median(sorted);
  if (sorted.size() == 1)
    fmt::print("  time   {}\n", timeText(time));
  else
    fmt::print("  time   {} (median of {}, {} to {})\n", timeText(time), sorted.size(), timeText(sorted.front()),
               timeText(sorted.back()));
  if (time <= 0) return;
  fmt::print("  rate   {} work-items/s", siText(static_cast<double>(items) / time));
  if (bytes > 0)
    fmt::print("; {}B/s if each buffer is accessed once ({})", siText(static_cast<double>(bytes) / time),
               readableBytes(bytes));
  fmt::print("\n");
}

// Sets the element types that the kernel's declaration does not contain.
void applyTypes(const ExecOptions& options, std::vector<Argument>& arguments) {
  for (const std::string& text : options.types) {
    const Selection selection = select(arguments, "--type", text, '=', true);
    const auto element = parseElementType(selection.rest);
    if (!element)
      throw UsageError(fmt::format("--type {}: '{}' is not a scalar or vector type of OpenCL C", text, selection.rest));
    arguments[selection.argument].element = element;
  }
}

[[noreturn]] void failCount(const ExecOptions& options, const std::vector<Argument>& arguments) {
  std::string text = fmt::format("kernel '{}' has {} argument{}, but {} {} given with --arg:", options.kernel,
                                 arguments.size(), arguments.size() == 1 ? "" : "s", options.arguments.size(),
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
  const std::string near = nearest(options.kernel, names);
  throw UsageError(fmt::format("'{}' has no kernel '{}'{}; it contains{}", options.file, options.kernel,
                               near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), text));
}

int exec(const ExecOptions& options) {
  Launch launch;
  if (!options.global.empty()) launch.global = parseRange("--global", options.global);
  if (!options.local.empty()) launch.local = parseRange("--local", options.local);
  if (!options.offset.empty()) launch.offset = parseRange("--offset", options.offset, true);
  for (auto [name, range] : {std::pair{"--local", &launch.local}, std::pair{"--offset", &launch.offset}})
    if (!range->empty() && range->size() != launch.global.size())
      throw UsageError(
          fmt::format("{} has {} dimensions and --global has {}", name, range->size(), launch.global.size()));
  if (options.repeat == 0) throw UsageError("--repeat 0: expected at least 1");
  const std::string source = readText(options.file);

  if (!options.observe.empty()) ::setenv("CLARITY_OBSERVE", options.observe.c_str(), 1);
  useDriver(options.icd);
  launch.device = firstDevice();
  launch.build(source, options.buildOptions, options.file);
  if (!launch.create(options.kernel)) failNoKernel(options, launch.program);
  std::vector<Argument> arguments = argumentsOf(launch.kernel);
  applyTypes(options, arguments);
  if (arguments.size() != options.arguments.size()) failCount(options, arguments);
  if (launch.global.empty())
    throw UsageError("--global is missing: the number of work-items in each dimension, such as 1024 or 512,512");

  std::vector<Output> outputs;
  std::vector<Print> prints;
  for (const std::string& text : options.outputs) outputs.push_back(parseOutput(arguments, text));
  for (const std::string& text : options.prints) prints.push_back(parsePrint(arguments, text));
  for (size_t i = 0; i < arguments.size(); ++i)
    launch.values.push_back(parseArgument(arguments[i], options.arguments[i], options.seed));
  launch.setArguments(arguments);
  const LaunchTimes times = launch.run(options.repeat);

  if (!options.quiet) printTimes(options, launch, times);
  for (const Print& print : prints)
    if (auto array = launch.read(print.argument))
      printArray(arguments[print.argument], *array, print.count);
    else
      fmt::print("{}: null\n", arguments[print.argument].name);
  for (const Output& output : outputs) {
    auto array = launch.read(output.argument);
    if (!array)
      throw UsageError(
          fmt::format("--out {}={}: {} is null", output.argument, output.file, arguments[output.argument].title()));
    write(output, launch.global, arguments[output.argument], std::move(*array), options.quiet);
  }
  return kSuccess;
}

}  // namespace

void addExecCommand(CLI::App& app, Invocation& invocation) {
  auto options = std::make_shared<ExecOptions>();
  CLI::App* sub = app.add_subcommand("exec", "Run one kernel with no host program");
  sub->add_option("FILE.cl", options->file, "OpenCL C source, or portable IR; - is standard input")
      ->required()
      ->type_name("");
  sub->add_option("KERNEL", options->kernel, "Kernel to run; without it, the kernels are listed")->type_name("");
  // Each takes one value and can be repeated; --arg must not consume the next word.
  const auto repeated = [sub](const char* name, std::vector<std::string>& into, const char* text, const char* type) {
    sub->add_option(name, into, text)
        ->type_name(type)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  };
  repeated("-a,--arg", options->arguments, "An argument (see below)", "SPEC");
  sub->add_option("-g,--global", options->global, "Work-items in each dimension")->type_name("X[,Y[,Z]]");
  sub->add_option("-l,--local", options->local, "Work-group size; chosen by the driver by default")
      ->type_name("X[,Y[,Z]]");
  sub->add_option("--offset", options->offset, "First global id")->type_name("X[,Y[,Z]]");
  repeated("-p,--print", options->prints, "Print the first elements of a buffer afterwards (16 by default)",
           "ARG[:COUNT]");
  repeated("-o,--out", options->outputs, "Write a buffer to FILE.npy, .raw, .bin or .png[:WIDTHxHEIGHT]", "ARG=FILE");
  sub->add_option("-n,--repeat", options->repeat,
                  "Number of runs, each on the same arguments; the median time is shown")
      ->type_name("N")
      ->capture_default_str();
  sub->add_option("-b,--build", options->buildOptions, "Build options of clBuildProgram, as one word")
      ->type_name("OPTIONS");
  sub->add_option("--observe", options->observe,
                  "Count what work-items do, by source line, and write a\n"
                  "table to standard error:\n"
                  "  accesses  reads and writes of shared memory")
      ->check(CLI::IsMember({"accesses"}))
      ->type_name("WHAT");
  repeated("--type", options->types, "Element type of an argument of a type that the source defines", "ARG=TYPE");
  sub->add_option("--seed", options->seed, "Seed of random:COUNT")->type_name("S")->capture_default_str();
  sub->add_flag("-q,--quiet", options->quiet, "Print nothing but the buffers of --print");
  sub->add_option("--icd", options->icd,
                  "Driver to use instead of Clarity's: a library, an .icd file or a folder of .icd files")
      ->envname("CLARITY_ICD")
      ->type_name("PATH");
  sub->footer(argumentHelp() +
              "\n\nARG is the name of an argument, or its number, counted from 0.\n\n"
              "Examples:\n"
              "  clarity exec saxpy.cl saxpy -a 2.0 -a iota:1M -a random:1M -g 1M --print y:8\n"
              "  clarity exec sobel.cl sobel -a photo.png -a zeros:480x640 -g 640,480 \\\n"
              "      --out 1=edges.png");
  sub->callback([options, &invocation] { invocation.status = exec(*options); });
}

}  // namespace clarity::tools
