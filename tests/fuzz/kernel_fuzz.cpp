// SPDX-License-Identifier: Apache-2.0
// This file is the command kernel_fuzz: it compares random kernels at several packet widths with their scalar builds,
// and makes failing ones small. README.md says how to use it.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.h"
#include "generator.h"
#include "large_program.h"
#include "reducer.h"

namespace clarity::fuzz {
namespace {

using Clock = std::chrono::steady_clock;

struct Settings {
  std::uint64_t seed = 1;
  std::uint64_t count = 100;
  double seconds = 0;
  bool countGiven = false;
  bool print = false;
  bool reduce = false;
  bool large = false;
  int reduceSeconds = 600;
  std::vector<std::string> widths{"1", "2", "4", "8", "16", "32", "64"};
  std::vector<std::string> tiles{"1x2", "2x1", "3x2", "1x8", "4x1", "2x4"};
  std::string without;
  Features features;
  Comparison comparison;
  std::filesystem::path output = std::filesystem::temp_directory_path() / "clarity-fuzz";
};

std::string usage() {
  return "kernel_fuzz [options]: random kernels, built in several ways, must give the same results\n"
         "  --seed S          first seed (1)\n"
         "  --count N         how many seeds (100; without end if --seconds is given)\n"
         "  --seconds T       stop after this time\n"
         "  --shape S         small: programs of every feature (the default); large: of 400 to 1,500 lines\n"
         "  --print           print the kernels of the seeds and run nothing\n"
         "  --reduce S        make the failing program of this seed small\n"
         "  --reduce-seconds T  how long that may take (600)\n"
         "  --widths A,B,...  packet widths; the first is the reference (1,2,4,8,16,32,64); the automatic one comes on "
         "top\n"
         "  --tiles RxP,...   tiles of R rows and P packets, at the other widths in turn (1x2,2x1,3x2,1x8,4x1,2x4); "
         "none: \"\"\n"
         "  --variants N      in how many of these ways each program is built, as its seed chooses (3; 0: all)\n"
         "  --platform NAME   part of the name of the platform to test (any)\n"
         "  --against NAME    compare with the results of another platform\n"
         "  --sub-group-size N  of all kernels with sub-groups, for devices with one size only: 32 on NVIDIA GPUs\n"
         "  --without A,B     leave out features:\n" +
         listFeatures() +
         "  --time-limit T    seconds of processor time for one program (20)\n"
         "  --output FOLDER   where failing kernels are written (the folder for temporary files)\n";
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::stringstream stream(list);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

Settings parse(int count, char** arguments) {
  Settings settings;
  settings.comparison.perProgram = 3;
  for (int i = 1; i < count; ++i) {
    const std::string name = arguments[i];
    const auto next = [&]() -> std::string {
      if (++i >= count) throw std::invalid_argument(name + " needs a value");
      return arguments[i];
    };
    if (name == "--seed")
      settings.seed = std::stoull(next());
    else if (name == "--count") {
      settings.count = std::stoull(next());
      settings.countGiven = true;
    } else if (name == "--seconds")
      settings.seconds = std::stod(next());
    else if (name == "--shape") {
      const std::string shape = next();
      if (shape != "small" && shape != "large") throw std::invalid_argument("--shape is small or large, not " + shape);
      settings.large = shape == "large";
    } else if (name == "--print")
      settings.print = true;
    else if (name == "--reduce") {
      settings.reduce = true;
      settings.seed = std::stoull(next());
    } else if (name == "--reduce-seconds")
      settings.reduceSeconds = std::stoi(next());
    else if (name == "--widths")
      settings.widths = split(next());
    else if (name == "--tiles")
      settings.tiles = split(next());
    else if (name == "--variants")
      settings.comparison.perProgram = std::stoull(next());
    else if (name == "--platform")
      settings.comparison.platform = next();
    else if (name == "--against")
      settings.comparison.referencePlatform = next();
    else if (name == "--time-limit")
      settings.comparison.timeLimit = std::stoi(next());
    else if (name == "--output")
      settings.output = next();
    else if (name == "--sub-group-size")
      settings.features.subGroupSize = std::stoi(next());
    else if (name == "--without")
      settings.without = next();
    else
      throw std::invalid_argument("unknown option " + name);
  }
  for (const std::string& feature : split(settings.without))
    if (!setFeature(settings.features, feature, false)) throw std::invalid_argument("no feature is named " + feature);
  if (settings.seconds > 0 && !settings.countGiven) settings.count = UINT64_MAX - settings.seed;
  if (settings.widths.empty()) throw std::invalid_argument("--widths needs a list");
  return settings;
}

// Widths where the platform has the option; otherwise optimised code against code that is not.
void chooseVariants(Settings& settings) {
  const std::string language = "-cl-std=CL3.0",
                    width = language + " -cl-clarity-packet-width=", scalar = language + " -cl-opt-disable";
  Comparison& comparison = settings.comparison;
  std::vector<std::string> options, labels;
  std::vector<bool> dear;
  for (const std::string& value : settings.widths) {
    options.push_back(width + value);
    labels.push_back("width " + value);
    dear.push_back(std::stoi(value) > 16);
  }
  for (std::size_t i = 0; i < settings.tiles.size() && settings.widths.size() > 1; ++i) {
    const std::string &wide = settings.widths[1 + i % (settings.widths.size() - 1)], &tile = settings.tiles[i];
    options.push_back(width + wide + " -cl-clarity-tile=" + tile);
    labels.push_back("width " + wide + " tile " + tile);
    dear.push_back(std::stoi(wide) * std::stoi(tile) * std::stoi(tile.substr(tile.find('x') + 1)) > 32);
  }
  const std::vector<bool> accepts = accepted(comparison.platform, options);
  if (!comparison.referencePlatform.empty())
    comparison.reference = {comparison.referencePlatform, language};
  else if (accepts[0])
    comparison.reference = {"width " + settings.widths[0], options[0]};
  else
    comparison.reference = {"no optimisation", scalar};
  for (std::size_t i = comparison.referencePlatform.empty() ? 1 : 0; i < options.size(); ++i)
    if (accepts[i]) comparison.variants.push_back({labels[i], options[i], dear[i]});
  comparison.variants.push_back({"automatic", language});
  if (accepts[0]) comparison.variants.push_back({"no optimisation", scalar});
}

Program programOf(const Settings& settings, std::uint64_t seed) {
  return settings.large ? generateLarge(seed) : generate(seed, settings.features);
}

std::string describe(const Settings& settings, std::uint64_t seed, const Program& program, const Verdict& verdict) {
  std::string text =
      "// kernel_fuzz --seed " + std::to_string(seed) + (settings.large ? " --shape large" : "") +
      (settings.features.subGroupSize ? " --sub-group-size " + std::to_string(settings.features.subGroupSize) : "") +
      (settings.without.empty() ? "" : " --without " + settings.without) + "\n";
  std::stringstream lines("reference: " + settings.comparison.reference.label + "\n" + verdict.describe());
  for (std::string line; std::getline(lines, line);) text += "// " + line + "\n";
  for (const Launch& launch : program.launches) text += "// launch: " + launch.describe() + "\n";
  const Program::Text kernel = program.text();
  for (const Parameter& parameter : kernel.parameters) {
    if (parameter.use == Parameter::Use::Value)
      text += "// " + parameter.name + " = " + std::to_string(parameter.value) + "\n";
    if (!parameter.sameBufferAs.empty())
      text += "// " + parameter.name + " is the buffer of " + parameter.sameBufferAs + "\n";
  }
  return text + kernel.source;
}

std::string writeFile(const Settings& settings, const std::string& name, const std::string& text) {
  std::filesystem::create_directories(settings.output);
  const std::filesystem::path path = settings.output / name;
  std::ofstream(path) << text;
  return path.string();
}

int fuzz(const Settings& settings) {
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  std::uint64_t checked = 0, failed = 0;
  const auto program = [&](std::uint64_t seed) { return programOf(settings, seed); };
  const auto goesOn = [&](std::uint64_t seed) {
    return seed - settings.seed < settings.count && (settings.seconds <= 0 || elapsed() < settings.seconds);
  };
  checkAll(settings.comparison, settings.seed, program, goesOn, [&](std::uint64_t seed, const Verdict& verdict) {
    ++checked;
    if (settings.seconds > 0 && checked % 100 == 0)
      std::fprintf(stderr, "%llu kernels, %llu failed, %.0f s\n", static_cast<unsigned long long>(checked),
                   static_cast<unsigned long long>(failed), elapsed());
    if (!verdict.failed()) return;
    ++failed;
    const std::string path =
        writeFile(settings, "seed-" + std::to_string(seed) + ".cl", describe(settings, seed, program(seed), verdict));
    std::printf("seed %llu: %s\n  kernel: %s\n", static_cast<unsigned long long>(seed), verdict.describe().c_str(),
                path.c_str());
    std::fflush(stdout);
  });
  std::string variants;
  for (const Variant& variant : settings.comparison.variants)
    variants += (variants.empty() ? "" : ", ") + variant.label;
  std::printf("%llu kernels from seed %llu, %llu failed, %.1f s; %s against %s\n",
              static_cast<unsigned long long>(checked), static_cast<unsigned long long>(settings.seed),
              static_cast<unsigned long long>(failed), elapsed(), variants.c_str(),
              settings.comparison.reference.label.c_str());
  return failed == 0 ? 0 : 1;
}

// The way in which a program fails, without what may change while it becomes smaller.
std::string manner(const Verdict& verdict) {
  std::string text = std::to_string(static_cast<int>(verdict.kind));
  const bool message = verdict.kind != Verdict::Kind::Different || verdict.detail.find("] = ") == std::string::npos;
  if (!message) return text;
  for (const char c : verdict.detail.substr(0, 60))
    if (c < '0' || c > '9') text += c;
  return text;
}

Verdict checkOne(const Comparison& comparison, const Program& program) {
  Verdict result;
  checkAll(
      comparison, 0, [&](std::uint64_t) { return program; }, [](std::uint64_t n) { return n == 0; },
      [&](std::uint64_t, const Verdict& verdict) { result = verdict; });
  return result;
}

// Reduces with the given way to check a program, and prints and writes the result.
void reduceWith(const Settings& settings, const Program& whole, const std::function<Verdict(const Program&)>& check,
                const Verdict& first) {
  const auto stillFails = [&](const Program& program) { return manner(check(program)) == manner(first); };
  const auto progress = [](std::size_t tests, std::size_t lines) {
    std::fprintf(stderr, "\r%zu tests, %zu lines ", tests, lines);
    std::fflush(stderr);
  };
  const Program small = reduce(whole, stillFails, progress, settings.reduceSeconds);
  const std::string text = describe(settings, settings.seed, small, check(small));
  const std::string path = writeFile(settings, "reduced-" + std::to_string(settings.seed) + ".cl", text);
  std::printf("\n%s\nwritten to %s\n", text.c_str(), path.c_str());
  std::fflush(stdout);
}

int reduceSeed(Settings settings) {
  settings.comparison.perProgram = 0;
  const auto whole = [&] { return programOf(settings, settings.seed); };
  Comparison& comparison = settings.comparison;
  const Verdict first = checkOne(comparison, whole());
  std::printf("seed %llu: %s\n", static_cast<unsigned long long>(settings.seed), first.describe().c_str());
  if (!first.failed()) return 0;
  // One variant that fails is enough, and quicker.
  for (const Variant& variant : std::vector<Variant>(comparison.variants)) {
    Comparison one = comparison;
    one.variants = {variant};
    if (manner(checkOne(one, whole())) != manner(first)) continue;
    comparison = one;
    break;
  }
  // A process for each program takes time; wrong results need none, unless a smaller program crashes.
  const bool quick =
      first.kind == Verdict::Kind::Different && inChild([&] {
        Checker checker(comparison);
        reduceWith(settings, whole(), [&](const Program& program) { return checker.check(program); }, first);
      });
  if (!quick)
    reduceWith(settings, whole(), [&](const Program& program) { return checkOne(comparison, program); }, first);
  return 1;
}

int run(int count, char** arguments) {
  Settings settings = parse(count, arguments);
  if (settings.print) {
    for (std::uint64_t seed = settings.seed; seed - settings.seed < (settings.countGiven ? settings.count : 1); ++seed)
      std::printf("%s\n", describe(settings, seed, programOf(settings, seed), {}).c_str());
    return 0;
  }
  chooseVariants(settings);
  return settings.reduce ? reduceSeed(settings) : fuzz(settings);
}

}  // namespace
}  // namespace clarity::fuzz

int main(int count, char** arguments) {
  try {
    return clarity::fuzz::run(count, arguments);
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "%s\n\n%s", error.what(), clarity::fuzz::usage().c_str());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kernel_fuzz: %s\n", error.what());
    return 2;
  }
}
