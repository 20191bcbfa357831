// SPDX-License-Identifier: Apache-2.0
// This file parses the command line of kernel_bench.
#include "options.h"

namespace bench {

const char usage[] =
    "kernel_bench [--help] [--size small|normal] [--reps N] [--filter REGEX] [--list]\n"
    "             [--json FILE] [--no-host] [--build-options TEXT]\n"
    "             [--without PASS[,PASS...]]... [--builds N] [--turns FILE]\n"
    "             [--programs FOLDER] [--no-own]\n"
    "Runs kernels on the first OpenCL platform, and the same computations in C++ with\n"
    "OpenMP. OCL_ICD_VENDORS selects the platform.\n"
    "  --help         prints this\n"
    "  --size small   problems of about a millisecond, to check results\n"
    "  --reps N       measured launches, after one that is not measured (9)\n"
    "  --filter REGEX only kernels whose family and name (family/name) match\n"
    "  --list         an object of JSON for each kernel, and no measurement\n"
    "  --json FILE    also writes the table as JSON\n"
    "  --no-host      does not measure C++ (results are still checked)\n"
    "  --build-options TEXT\n"
    "                 options of clBuildProgram, after -cl-std=CL1.2\n"
    "  --without PASS[,PASS...]\n"
    "                 also measures every kernel without these optional passes of\n"
    "                 Clarity's compiler, in alternating launches; `none` leaves out\n"
    "                 nothing and shows the noise. Can be repeated\n"
    "  --builds N     measures not launches but building, N times: clBuildProgram and\n"
    "                 the code of all kernels, in time of all processors\n"
    "  --turns FILE   locks FILE while it measures, for processes on one GPU\n"
    "  --programs FOLDER\n"
    "                 also the kernels of other programs that FOLDER/*.json describe\n"
    "  --no-own       only those\n";

namespace {

unsigned countOf(const std::string& name, const std::string& text) {
  std::size_t end = 0;
  unsigned long count = 0;
  try {
    count = std::stoul(text, &end);
  } catch (const std::exception&) {
    end = 0;
  }
  if (end != text.size() || end == 0 || count < 1 || count > 10000)
    throw UsageError(name + " needs a number from 1 to 10000, not \"" + text + '"');
  return static_cast<unsigned>(count);
}

bool isSmall(const std::string& text) {
  if (text != "small" && text != "normal") throw UsageError("--size is small or normal, not \"" + text + '"');
  return text == "small";
}

std::regex patternOf(const std::string& text) {
  try {
    return std::regex(text);
  } catch (const std::regex_error& error) {
    throw UsageError("--filter \"" + text + "\": " + error.what());
  }
}

}  // namespace

Options parseOptions(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    auto value = [&]() -> std::string {
      if (++i == argc) throw UsageError(name + " needs a value");
      return argv[i];
    };
    if (name == "--help" || name == "-h")
      options.help = true;
    else if (name == "--size")
      options.small = isSmall(value());
    else if (name == "--reps")
      options.repetitions = countOf(name, value());
    else if (name == "--filter")
      options.filter = patternOf(value());
    else if (name == "--json")
      options.json = value();
    else if (name == "--builds")
      options.builds = countOf(name, value());
    else if (name == "--turns")
      options.turns = value();
    else if (name == "--programs")
      options.programs = value();
    else if (name == "--no-own")
      options.own = false;
    else if (name == "--build-options")
      options.buildOptions += ' ' + value();
    else if (name == "--without")
      options.without.push_back(value());
    else if (name == "--list")
      options.list = true;
    else if (name == "--no-host")
      options.host = false;
    else
      throw UsageError("unknown option \"" + name + '"');
  }
  return options;
}

}  // namespace bench
