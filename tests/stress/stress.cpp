// SPDX-License-Identifier: Apache-2.0
// This file runs scenarios one after the other until the time is over, and tells what failed and how to repeat it.
#include "run.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::stress {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Scenario scenarios[] = {
    {"threads", "random operations on many threads", threads},
    {"faults", "kernels that overrun and trap", faults},
    {"forks", "forks in the middle of it", forks},
    {"endings", "processes that exit or are killed", endings},
    {"memory-limits", "RLIMIT_AS and RLIMIT_DATA", memoryLimits},
    {"file-limits", "RLIMIT_NOFILE and RLIMIT_FSIZE", fileLimits},
    {"cache-attacks", "damage to the cache while it is used", cacheAttacks},
    {"signals", "handlers that come and go, interruptions", signals},
};

struct Options {
  double seconds = 60;
  std::uint64_t seed = std::random_device()();
  std::string only;   ///< a scenario's name; empty: all
  bool once = false;  ///< the scenario with exactly this seed, once
  std::string folder = std::filesystem::temp_directory_path();
};

struct Count {
  unsigned runs = 0, failures = 0;
  double seconds = 0;
};

[[noreturn]] void usage(const char* wrong) {
  if (wrong) std::fprintf(stderr, "stress: %s\n", wrong);
  std::fprintf(stderr,
               "usage: stress [--minutes M | --seconds S] [--seed N] [--scenario NAME] [--folder DIR]\n"
               "       stress --scenario NAME --repeat N     one run again, with the seed of a failure\n"
               "scenarios:\n");
  for (const Scenario& each : scenarios) std::fprintf(stderr, "  %-14s %s\n", each.name, each.what);
  std::exit(2);
}

double numberOf(const char* text) {
  char* end = nullptr;
  const double number = std::strtod(text, &end);
  if (end == text || *end || !(number >= 0)) usage((std::string("'") + text + "' is not a number").c_str());
  return number;
}

Options optionsOf(int count, char** words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string_view option = words[i];
    if (i + 1 == count) usage((std::string(option) + " needs a value, or is unknown").c_str());
    const char* const value = words[++i];
    if (option == "--minutes")
      options.seconds = 60 * numberOf(value);
    else if (option == "--seconds")
      options.seconds = numberOf(value);
    else if (option == "--seed" || option == "--repeat")
      options.seed = std::strtoull(value, nullptr, 10), options.once = option == "--repeat";
    else if (option == "--scenario")
      options.only = value;
    else if (option == "--folder")
      options.folder = value;
    else
      usage((std::string(option) + " is unknown").c_str());
  }
  bool known = options.only.empty();
  for (const Scenario& each : scenarios) known = known || options.only == each.name;
  if (!known) usage(("there is no scenario '" + options.only + "'").c_str());
  if (options.once && options.only.empty()) usage("--repeat needs --scenario");
  return options;
}

/// Removed with all that is in it, whatever the permissions are now.
class Folder {
public:
  explicit Folder(std::string pattern) : path(std::move(pattern)) {
    if (!mkdtemp(path.data())) {
      std::fprintf(stderr, "stress: the folder %s cannot be made: %s\n", path.c_str(), std::strerror(errno));
      std::exit(2);
    }
  }
  ~Folder() {
    namespace fs = std::filesystem;
    std::error_code ignored;
    for (int attempt = 0; attempt < 2; ++attempt) {
      fs::remove_all(path, ignored);
      if (!fs::exists(path, ignored)) return;
      for (auto each = fs::recursive_directory_iterator(path, ignored); each != fs::recursive_directory_iterator();
           each.increment(ignored))
        if (each->is_directory(ignored) && !each->is_symlink(ignored))
          fs::permissions(each->path(), fs::perms::owner_all, ignored);
    }
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path;
};

/// True if nothing was wrong.
bool runOne(const Scenario& scenario, std::uint64_t seed, const std::string& folder, const std::string& cache) {
  const Folder own(folder + "/run-XXXXXX");
  try {
    Run run(seed, own.path, cache);
    scenario.run(run);
    return true;
  } catch (const std::exception& failure) {
    std::printf("%s %llu: %s\n", scenario.name, static_cast<unsigned long long>(seed), failure.what());
    std::fflush(stdout);
    return false;
  }
}

void printTable(const std::vector<Count>& counts, std::uint64_t seed) {
  std::printf("%-14s  %-44s  %5s  %4s  %5s\n", "scenario", "what", "runs", "bad", "s");
  Count all;
  std::size_t i = 0;
  for (const Scenario& each : scenarios) {
    const Count& its = counts[i++];
    if (its.runs == 0) continue;
    std::printf("%-14s  %-44s  %5u  %4u  %5.0f\n", each.name, each.what, its.runs, its.failures, its.seconds);
    all = {all.runs + its.runs, all.failures + its.failures, all.seconds + its.seconds};
  }
  std::printf("%-14s  %-44s  %5u  %4u  %5.0f\n", "all", ("seed " + std::to_string(seed)).c_str(), all.runs,
              all.failures, all.seconds);
}

int runAll(const Options& options) {
  const Folder folder(options.folder + "/clarity-stress-XXXXXX");
  const std::string cache = folder.path + "/cache";
  std::vector<Count> counts(std::size(scenarios));
  Random seeds(options.seed);
  unsigned failures = 0;
  const auto begin = Clock::now();
  const auto since = [](Clock::time_point from) { return std::chrono::duration<double>(Clock::now() - from).count(); };
  if (!options.once) std::printf("seed %llu\n", static_cast<unsigned long long>(options.seed));
  std::fflush(stdout);
  do {
    std::size_t i = 0;
    for (const Scenario& scenario : scenarios) {
      Count& its = counts[i++];
      const std::uint64_t seed = options.once ? options.seed : seeds.next();
      if (!options.only.empty() && options.only != scenario.name) continue;
      if (its.runs > 0 && since(begin) >= options.seconds) continue;
      const auto runBegin = Clock::now();
      const bool good = runOne(scenario, seed, folder.path, cache);
      ++its.runs;
      its.failures += !good;
      failures += !good;
      its.seconds += since(runBegin);
    }
  } while (!options.once && since(begin) < options.seconds);
  printTable(counts, options.seed);
  if (failures > 0) std::printf("a line 'SCENARIO N: ...' is run again by: stress --scenario SCENARIO --repeat N\n");
  return failures > 0 ? 1 : 0;
}

}  // namespace
}  // namespace clarity::stress

int main(int count, char** words) {
  using namespace clarity::stress;
  return runAll(optionsOf(count, words));
}
