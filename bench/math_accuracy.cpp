// SPDX-License-Identifier: Apache-2.0
// This file measures the errors of the math functions of the first OpenCL device, and compares them with the standard's
// bounds.
#include <cstdio>
#include <cstring>
#include <iostream>
#include <regex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "accuracy/document.h"
#include "accuracy/inputs.h"
#include "accuracy/measure.h"
#include "accuracy/rules.h"

namespace accuracy {
namespace {

const char usage[] =
    "math_accuracy [--filter REGEX] [--inputs 2^N] [--options TEXT | --options-table | --document] [--results FOLDER] "
    "[--threads N]\n"
    "Measures the errors of the math functions of the first OpenCL device against\n"
    "references of higher precision and prints tables in Markdown. OCL_ICD_VENDORS\n"
    "selects the platform. The exit code is 1 if an error exceeds the standard's bound.\n"
    "  --filter REGEX    functions by type and name: 'float (sin|cos)$'\n"
    "  --inputs 2^N      inputs of each function (default: all 2^32 floats, all 2^16\n"
    "                    halves, 2^28 doubles; 2^30 pairs and triples)\n"
    "  --options TEXT    one set of build options\n"
    "  --options-table   the worst result of each function over all sets of build\n"
    "                    options (2^20 inputs for each)\n"
    "  --document        all of docs/accuracy.md\n"
    "  --results FOLDER  stores results there and reuses them: continues a run that was\n"
    "                    interrupted\n"
    "  --threads N       threads of the host (default: all)\n"
    "  --list            names only\n";

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Mode { One, OptionsTable, Document };

struct Settings {
  std::regex filter{"."};
  std::uint64_t inputs = 0;  // 0: the default number
  std::string options, results;
  Mode mode = Mode::One;
  unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  bool list = false;
};

std::uint64_t inputsOf(const std::string& text) {
  if (text.starts_with("2^") && text.size() <= 4 && text.find_first_not_of("0123456789", 2) == std::string::npos &&
      text.size() > 2)
    if (const int power = std::stoi(text.substr(2)); power >= 1 && power <= 40) return std::uint64_t{1} << power;
  throw UsageError("--inputs needs a power of two from 2^1 to 2^40, not \"" + text + '"');
}

unsigned threadsOf(const std::string& text) {
  if (!text.empty() && text.size() <= 4 && text.find_first_not_of("0123456789") == std::string::npos)
    if (const int threads = std::stoi(text); threads >= 1) return static_cast<unsigned>(threads);
  throw UsageError("--threads needs a number from 1 to 9999, not \"" + text + '"');
}

std::regex filterOf(const std::string& text) {
  try {
    return std::regex(text);
  } catch (const std::regex_error& error) {
    throw UsageError("--filter \"" + text + "\": " + error.what());
  }
}

Settings parse(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    auto value = [&]() -> std::string {
      if (++i == argc) throw UsageError(name + " needs a value");
      return argv[i];
    };
    if (name == "--filter")
      settings.filter = filterOf(value());
    else if (name == "--inputs")
      settings.inputs = inputsOf(value());
    else if (name == "--options")
      settings.options = value();
    else if (name == "--results")
      settings.results = value();
    else if (name == "--threads")
      settings.threads = threadsOf(value());
    else if (name == "--options-table")
      settings.mode = Mode::OptionsTable;
    else if (name == "--document")
      settings.mode = Mode::Document;
    else if (name == "--list")
      settings.list = true;
    else
      throw UsageError("unknown option \"" + name + '"');
  }
  return settings;
}

// Measures what the settings select, type by type, and records whether all results were within the bounds.
class Run {
public:
  explicit Run(const Settings& settings) : settings_(settings), store_(settings.results, device_) {}

  bool everythingRight() const { return right_; }
  const std::string& deviceName() const { return device_.name(); }

  // `inputs`: 0: the default. `onlyRelaxed`: only functions with a bound for unsafe math.
  std::vector<Result> measureAll(const std::string& options, std::uint64_t inputs, bool onlyRelaxed = false) {
    std::vector<Result> results;
    measureType<float>(options, inputs, onlyRelaxed, results);
    if (onlyRelaxed) return results;  // what no option relaxes may be all there is
    if (sizeof(long double) > sizeof(double)) measureType<double>(options, inputs, false, results);
    measureType<Half>(options, inputs, false, results);
    if (results.empty()) throw UsageError("--filter: no function that the device has is named like that");
    return results;
  }

private:
  template <class T>
  void measureType(const std::string& options, std::uint64_t inputs, bool onlyRelaxed, std::vector<Result>& results) {
    if (!device_.has<T>()) return;
    for (const Function<T>& function : functions<T>())
      if (std::regex_search(function.fullName(), settings_.filter) && (!onlyRelaxed || RelaxedBound::of(function.name)))
        results.push_back(measureOne(function, options, inputs ? inputs : Inputs<T>::usualCount(function.shape)));
  }

  template <class T>
  Result measureOne(const Function<T>& function, const std::string& options, std::uint64_t wanted) {
    const std::uint64_t inputs = Inputs<T>(function, wanted).count();
    std::optional<Result> result = store_.load(Format<T>::name, function.name, options, inputs);
    if (!result) {
      result = measure(device_, function, options, inputs, settings_.threads);
      store_.save(*result);
    }
    const Outcome& outcome = result->outcome;
    std::fprintf(stderr, "%s %s: %.4g ulp of %s at %s, %.1f s%s\n", function.fullName().c_str(), options.c_str(),
                 outcome.error, result->allowed.c_str(), outcome.at.c_str(), result->seconds,
                 outcome.failures ? ", WRONG" : "");
    for (const Outcome::Failure& failure : outcome.shown) std::fprintf(stderr, "  %s\n", failure.text.c_str());
    right_ &= outcome.failures == 0;
    return *result;
  }

  const Settings& settings_;
  Device device_;
  Store store_;
  bool right_ = true;
};

constexpr std::uint64_t fewInputs = std::uint64_t{1} << 20;

std::vector<Result> measureOptionSets(Run& run, std::uint64_t inputs) {
  std::vector<Result> results;
  for (const std::string& options : optionSets())
    if (!options.empty()) std::ranges::move(run.measureAll(options, inputs), std::back_inserter(results));
  return results;
}

void list() {
  auto print = [](const auto& all) {
    for (const auto& function : all) std::printf("%s\n", function.fullName().c_str());
  };
  print(functions<float>());
  print(functions<double>());
  print(functions<Half>());
}

bool runAs(const Settings& settings) {
  Run run(settings);
  switch (settings.mode) {
    case Mode::One: printTable(std::cout, run.measureAll(settings.options, settings.inputs)); break;
    case Mode::OptionsTable:
      printOptionsTable(std::cout, measureOptionSets(run, settings.inputs ? settings.inputs : fewInputs));
      break;
    case Mode::Document: {
      Document document{.device = run.deviceName()};
      document.plain = run.measureAll("", settings.inputs);
      document.relaxed = run.measureAll("-cl-fast-relaxed-math", settings.inputs, true);
      document.othersInputs = settings.inputs ? std::min(fewInputs, settings.inputs) : fewInputs;
      document.others = measureOptionSets(run, document.othersInputs);
      print(std::cout, document);
    }
  }
  return run.everythingRight();
}

}  // namespace
}  // namespace accuracy

int main(int argc, char** argv) try {
  const accuracy::Settings settings = accuracy::parse(argc, argv);
  if (settings.list) {
    accuracy::list();
    return 0;
  }
  return accuracy::runAs(settings) ? 0 : 1;
} catch (const accuracy::UsageError& error) {
  std::fprintf(stderr, "math_accuracy: %s\n%s", error.what(), accuracy::usage);
  return 2;
} catch (const std::exception& error) {
  std::fprintf(stderr, "math_accuracy: %s\n", error.what());
  return 2;
}
