// SPDX-License-Identifier: Apache-2.0
// This file measures kernels of many kinds on an OpenCL platform, beside the same in C++ and OpenMP, checks their
// results and prints a table.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <stdexcept>

#include "cases.h"
#include "options.h"
#include "programs.h"
#include "runner.h"

namespace bench {
namespace {

std::vector<Case> selectedCases(const Options& options) {
  std::vector<Case> selected;
  const auto add = [&](std::vector<Case> cases) {
    for (Case& measured : cases)
      if (std::regex_search(measured.file + '/' + measured.name(), options.filter))
        selected.push_back(std::move(measured));
  };
  if (!options.programs.empty()) add(casesOfPrograms(options.programs));
  if (!options.own) return selected;
  for (auto family :
       {irregularCases, integersCases, sortingCases, stencilsCases, imagesCases, samplingCases, linearCases,
        matricesCases, reductionsCases, learningCases, signalCases, physicsCases, financeCases, rangesCases})
    add(family());
  return selected;
}

const char* unitText(Unit unit) { return unit == Unit::Bytes ? "GB/s" : unit == Unit::Flops ? "GFLOP/s" : "Mstep/s"; }

double rateOf(const Outcome& outcome) {
  const double perMillisecond =
      outcome.unit == Unit::Steps ? 1e-3 : 1e-6;  // millions a second, else thousands of millions
  return outcome.deviceMilliseconds > 0 ? outcome.amount / outcome.deviceMilliseconds * perMillisecond : 0;
}

// How much faster than C++; 0 if one of them was not measured.
double ratioOf(const Outcome& outcome) {
  return outcome.deviceMilliseconds > 0 ? outcome.hostMilliseconds / outcome.deviceMilliseconds : 0;
}

// A time that was not measured is a dash.
void printTime(double milliseconds) {
  if (milliseconds > 0)
    std::printf("%11.3f ", milliseconds);
  else
    std::printf("%11s ", "-");
}

void printRow(const Outcome& outcome) {
  printTime(outcome.deviceMilliseconds);
  printTime(outcome.hostMilliseconds);
  if (ratioOf(outcome) > 0)
    std::printf("%7.2f ", ratioOf(outcome));
  else
    std::printf("%7s ", "-");
  std::printf("%9.2f %-7s  %s\n", rateOf(outcome), unitText(outcome.unit), outcome.error.empty() ? "ok" : "wrong");
  if (!outcome.error.empty()) std::printf("    %s\n", outcome.error.c_str());
  std::fflush(stdout);
}

// How much slower each kernel is without some passes.
void printVariants(const Outcome& outcome) {
  for (const Variant& variant : outcome.variants) {
    std::printf("  without %-26s ", variant.without.c_str());
    printTime(variant.deviceMilliseconds);
    if (variant.same)
      std::printf("%11s the same code\n", "");
    else if (variant.error.empty())
      std::printf("%11s %7.3f\n", "", variant.ratio);
    else
      std::printf("wrong\n    %s\n", variant.error.c_str());
  }
  std::fflush(stdout);
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char character : text) {
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned char>(character));
    if (character == '"' || character == '\\')
      result += {'\\', character};
    else if (static_cast<unsigned char>(character) < 0x20)
      result += escape;
    else
      result += character;
  }
  return result + '"';
}

class JsonFile {
public:
  JsonFile(const std::string& path, const Runner& runner) : path_(path) {
    if (path.empty()) return;
    file_.open(path);
    file_ << "{\"platform\": " << quoted(runner.platformName()) << ", \"device\": " << quoted(runner.deviceName())
          << ", \"kernels\": [";
  }
  void add(const Case& measured, const Outcome& outcome) {
    if (path_.empty()) return;
    file_ << (first_ ? "\n" : ",\n") << "  {\"family\": " << quoted(measured.file)
          << ", \"kernel\": " << quoted(measured.name()) << ", \"opencl_ms\": " << outcome.deviceMilliseconds
          << ", \"host_ms\": " << outcome.hostMilliseconds << ", \"rate\": " << rateOf(outcome)
          << ", \"unit\": " << quoted(unitText(outcome.unit))
          << ", \"ok\": " << (outcome.error.empty() ? "true" : "false") << ", \"error\": " << quoted(outcome.error)
          << ", \"without\": [";
    const char* between = "";
    for (const Variant& variant : outcome.variants) {
      file_ << between << "\n    {\"passes\": " << quoted(variant.without)
            << ", \"opencl_ms\": " << variant.deviceMilliseconds << ", \"ratio\": " << variant.ratio
            << ", \"same\": " << (variant.same ? "true" : "false") << ", \"error\": " << quoted(variant.error) << "}";
      between = ",";
    }
    file_ << "]}";
    first_ = false;
  }
  void finish(const std::vector<ProgramBuild>& builds) {
    if (path_.empty()) return;
    file_ << "\n],\n\"programs\": [";
    const char* between = "";
    for (const ProgramBuild& build : builds) {
      file_ << between << "\n  {\"file\": " << quoted(build.file) << ", \"without\": " << quoted(build.without)
            << ", \"front_ms\": " << build.frontMilliseconds << ", \"build_ms\": " << build.wholeMilliseconds
            << ", \"ratio\": " << build.ratio << "}";
      between = ",";
    }
    file_ << "\n]}\n";
    file_.close();
    if (!file_) throw std::runtime_error("cannot write " + path_);
  }

private:
  std::string path_;
  std::ofstream file_;
  bool first_ = true;
};

// The number of kernels that are wrong.
int measureAll(const Options& options, const std::vector<Case>& cases) {
  Runner runner(options);
  std::printf("%s on %s\n\n", runner.platformName().c_str(), runner.deviceName().c_str());
  std::printf("%-36s %11s %11s %7s %9s\n", "kernel", "OpenCL ms", "C++ ms", "ratio", "rate");
  JsonFile json(options.json, runner);
  int wrong = 0, compared = 0;
  double logarithms = 0;
  for (const Case& measured : cases) {
    std::printf("%-36s ", (measured.file + '/' + measured.name()).c_str());
    std::fflush(stdout);  // shows which kernel it was if the driver ends the process
    if (!runner.has(measured.extension)) {
      std::printf("needs %s\n", measured.extension.c_str());
      continue;
    }
    const Outcome outcome = runner.run(measured);
    printRow(outcome);
    printVariants(outcome);
    json.add(measured, outcome);
    wrong += !outcome.error.empty();
    for (const Variant& variant : outcome.variants) wrong += !variant.error.empty();
    if (outcome.error.empty() && ratioOf(outcome) > 0) logarithms += std::log(ratioOf(outcome)), ++compared;
  }
  json.finish({});
  if (compared)
    std::printf("\ngeometric mean of %d ratios: %.2f (above 1: faster than C++)\n", compared,
                std::exp(logarithms / compared));
  if (wrong) std::printf("%d results of %zu kernels are wrong\n", wrong, cases.size());
  return wrong;
}

// A table of programs: what building them costs with all passes, and without some. Returns the number that do not
// build.
int measureBuilds(const Options& options, const std::vector<Case>& cases) {
  Runner runner(options);
  std::map<std::string, std::vector<const Case*>> programs;
  for (const Case& measured : cases)
    if (runner.has(measured.extension)) programs[measured.program()].push_back(&measured);
  std::printf("%-24s %-20s %12s %12s %7s\n", "program", "without", "front ms", "whole ms", "ratio");
  JsonFile json(options.json, runner);
  std::vector<ProgramBuild> all;
  double logarithms = 0;
  int wrong = 0, measured = 0;
  for (const auto& [name, kernels] : programs) {
    try {
      for (const ProgramBuild& build : runner.measureBuilds(kernels)) {
        std::printf("%-24s %-20s %12.2f %12.2f %7.3f\n", build.file.c_str(), build.without.c_str(),
                    build.frontMilliseconds, build.wholeMilliseconds, build.ratio);
        if (build.without.empty()) logarithms += std::log(build.wholeMilliseconds), ++measured;
        all.push_back(build);
      }
    } catch (const std::exception& error) {
      std::printf("%s: %s\n", name.c_str(), error.what());
      ++wrong;
    }
    std::fflush(stdout);
  }
  json.finish(all);
  if (measured) std::printf("\ngeometric mean of %d programs: %.2f ms\n", measured, std::exp(logarithms / measured));
  return wrong;
}

// For programs that compile the kernels by other means: one object a line.
void list(const Case& measured) {
  Problem problem(false);
  measured.describe(problem);
  const auto sizes = [](const std::vector<std::size_t>& values) {
    std::string text;
    for (const std::size_t value : values) text += (text.empty() ? "" : ",") + std::to_string(value);
    return text;
  };
  std::printf("{\"case\": %s, \"kernel\": %s, \"path\": %s, \"options\": %s, \"dimensions\": %zu, \"local\": \"%s\"}\n",
              quoted(measured.file + '/' + measured.name()).c_str(), quoted(measured.kernel).c_str(),
              quoted(measured.path()).c_str(), quoted(measured.options).c_str(), problem.global.size(),
              sizes(problem.groupSizes).c_str());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  try {
    const bench::Options options = bench::parseOptions(argc, argv);
    if (options.help) {
      std::fputs(bench::usage, stdout);
      return 0;
    }
    const std::vector<bench::Case> cases = bench::selectedCases(options);
    if (cases.empty()) throw bench::UsageError("no kernel matches --filter");
    if (options.list) {
      for (const bench::Case& measured : cases) bench::list(measured);
      return 0;
    }
    return (options.builds ? bench::measureBuilds : bench::measureAll)(options, cases) ? 1 : 0;
  } catch (const bench::UsageError& error) {
    std::fprintf(stderr, "kernel_bench: %s\n%s", error.what(), bench::usage);
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kernel_bench: %s\n", error.what());
    return 2;
  }
}
