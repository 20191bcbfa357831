// SPDX-License-Identifier: Apache-2.0
// This file is the command compile_cost: it measures what large random programs cost the compiler, in packets and one
// work-item at a time. README.md says how to use it.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "large_program.h"
#include "runner.h"

namespace clarity::fuzz {
namespace {

constexpr const char* kScalar = "-cl-std=CL3.0 -cl-clarity-packet-width=1";
constexpr const char* kPackets = "-cl-std=CL3.0";
constexpr int kNoDevice = 3;  ///< exit status of a child without a device
/// The bound: so many times the scalar form's seconds, and these; megabytes.
constexpr double kMostTimes = 5, kMostBeside = 0.05, kMostMegabytes = 300;

struct Settings {
  std::uint64_t seed = 1, count = 300;
  std::string platform;
  double limit = 0;  ///< factor by which the bound may be exceeded; 0: any
  int seconds = 60;  ///< processor time for one form of a program
  int again = 2;     ///< further measurements of a program beyond the bound; the least of each form counts
  bool brief = false;
  std::vector<std::string> files;  ///< programs to measure in place of generated ones
};

/// The costs of one form of a program.
struct Cost {
  double seconds = 0;      ///< processor time, from the source to the first results
  double megabytes = 0;    ///< at most, of the process
  std::uint64_t hash = 0;  ///< a hash of what it computed
  bool finished = false;
};

double processorTime() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// Objects that are made once in a process are no part of a program's cost.
void warmUp(Runner& runner, const char* options) {
  Program::Text text;
  text.source = std::string("__kernel void ") + kKernelName + "(void) {}";
  Launch launch;
  runner.run(text, {launch}, options);
}

struct Given {
  Program::Text text;
  std::vector<Launch> launches;
};

/// A program that CLSmith made: its kernel writes the array `result`, which has an element for each work-item.
Given programFrom(const std::string& path) {
  constexpr int items = 64;
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + " cannot be read");
  Given given;
  given.text.source.assign(std::istreambuf_iterator<char>(file), {});
  // The runner launches the kernel of generated programs.
  given.text.source = std::string("#define entry ") + kKernelName + "\n" + given.text.source;
  given.text.parameters.push_back({.name = "result",
                                   .declaration = "__global ulong* result",
                                   .use = Parameter::Use::Output,
                                   .base = Base::ULong,
                                   .count = items,
                                   .value = 0,
                                   .sameBufferAs = ""});
  Launch launch;
  launch.global[0] = launch.local[0] = items;
  given.launches.push_back(launch);
  return given;
}

Given programOf(const Settings& settings, std::uint64_t seed) {
  if (!settings.files.empty()) return programFrom(settings.files[static_cast<std::size_t>(seed)]);
  const Program program = generateLarge(seed);
  return {program.text(), program.launches};
}

Cost measureHere(const Settings& settings, std::uint64_t seed, const char* options) {
  Runner runner(settings.platform);
  warmUp(runner, options);
  const Given given = programOf(settings, seed);
  Cost cost;
  const double begin = processorTime();
  const Outcome outcome = runner.run(given.text, given.launches, options);
  cost.seconds = processorTime() - begin;
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  cost.megabytes = static_cast<double>(used.ru_maxrss) / 1024;
  cost.finished = outcome.error.empty();
  if (!cost.finished) std::fprintf(stderr, "%s\n", outcome.error.c_str());
  cost.hash = 14695981039346656037u;
  for (const Buffer& buffer : outcome.buffers)
    for (const std::uint8_t byte : buffer.bytes) cost.hash = (cost.hash ^ byte) * 1099511628211u;
  return cost;
}

/// In a process of its own, which starts with nothing and may be ended.
Cost measure(const Settings& settings, std::uint64_t seed, const char* options) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("pipe failed");
  std::fflush(nullptr);
  const pid_t pid = fork();
  if (pid < 0) throw std::runtime_error("fork failed");
  if (pid == 0) {
    const rlimit limit{static_cast<rlim_t>(settings.seconds), static_cast<rlim_t>(settings.seconds)};
    setrlimit(RLIMIT_CPU, &limit);
    try {
      const Cost cost = measureHere(settings, seed, options);
      _exit(write(ends[1], &cost, sizeof cost) == sizeof cost ? 0 : 1);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      _exit(kNoDevice);
    }
  }
  close(ends[1]);
  Cost cost;
  if (read(ends[0], &cost, sizeof cost) != sizeof cost) cost = Cost{};
  close(ends[0]);
  int status = 0;
  rusage used{};
  wait4(pid, &status, 0, &used);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNoDevice) throw std::runtime_error("no device to measure with");
  if (!cost.finished) {
    cost.seconds = static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
    cost.megabytes = static_cast<double>(used.ru_maxrss) / 1024;
  }
  return cost;
}

struct Row {
  std::uint64_t seed;
  Cost scalar, packets;
  double ratio() const { return (packets.seconds - kMostBeside) / scalar.seconds; }
  bool beyond(double times) const { return ratio() > times * kMostTimes || packets.megabytes > times * kMostMegabytes; }
  bool ended() const { return scalar.finished && packets.finished; }
  bool same() const { return scalar.hash == packets.hash; }
};

/// Other work on the machine makes both forms slower, and not alike: a result that seems beyond the bound is measured
/// again.
Row measureBoth(const Settings& settings, std::uint64_t seed) {
  Row row{seed, measure(settings, seed, kScalar), measure(settings, seed, kPackets)};
  for (int i = 0; i < settings.again && row.ended() && row.same() && row.beyond(1); ++i) {
    row.scalar.seconds = std::min(row.scalar.seconds, measure(settings, seed, kScalar).seconds);
    row.packets.seconds = std::min(row.packets.seconds, measure(settings, seed, kPackets).seconds);
  }
  return row;
}

template <class Value>
void printLine(const char* name, const std::vector<Row>& rows, Value value) {
  std::vector<double> all;
  for (const Row& row : rows) all.push_back(value(row));
  std::ranges::sort(all);
  const auto at = [&](double part) {
    return all[static_cast<std::size_t>(part * (static_cast<double>(all.size()) - 1))];
  };
  std::printf("%-26s %8.2f %8.2f %8.2f %8.2f\n", name, at(0.5), at(0.9), at(0.99), at(1));
}

/// The programs whose packets take the most time beside their scalar form's.
void printWorst(std::vector<Row> rows) {
  constexpr std::size_t most = 5;
  std::ranges::sort(rows, std::ranges::greater(), &Row::ratio);
  if (rows.size() > most) rows.resize(most);
  std::printf("\n%-26s %8s %8s %8s %8s\n", "the highest ratios", "scalar s", "packets", "ratio", "MB");
  for (const Row& row : rows)
    std::printf("seed %-21llu %8.2f %8.2f %8.2f %8.0f\n", static_cast<unsigned long long>(row.seed), row.scalar.seconds,
                row.packets.seconds, row.ratio(), row.packets.megabytes);
}

void printTable(const std::vector<Row>& rows) {
  std::printf("%-26s %8s %8s %8s %8s\n", "", "median", "90 %", "99 %", "worst");
  printLine("scalar form, s", rows, [](const Row& row) { return row.scalar.seconds; });
  printLine("in packets, s", rows, [](const Row& row) { return row.packets.seconds; });
  printLine("ratio beside 50 ms", rows, [](const Row& row) { return row.ratio(); });
  printLine("scalar form, MB", rows, [](const Row& row) { return row.scalar.megabytes; });
  printLine("in packets, MB", rows, [](const Row& row) { return row.packets.megabytes; });
  printWorst(rows);
}

Settings parse(int count, char** arguments) {
  Settings settings;
  for (int i = 1; i < count; ++i) {
    const std::string name = arguments[i];
    const auto next = [&]() -> std::string {
      if (++i >= count) throw std::invalid_argument(name + " needs a value");
      return arguments[i];
    };
    if (name == "--seed")
      settings.seed = std::stoull(next());
    else if (name == "--count")
      settings.count = std::stoull(next());
    else if (name == "--platform")
      settings.platform = next();
    else if (name == "--limit")
      settings.limit = std::stod(next());
    else if (name == "--seconds")
      settings.seconds = std::stoi(next());
    else if (name == "--again")
      settings.again = std::stoi(next());
    else if (name == "--quiet")
      settings.brief = true;
    else if (name == "--file")
      settings.files.push_back(next());
    else
      throw std::invalid_argument("unknown option " + name);
  }
  if (settings.count == 0) throw std::invalid_argument("--count is 0");
  if (!settings.files.empty()) {
    settings.seed = 0;
    settings.count = settings.files.size();
  }
  return settings;
}

int run(const Settings& settings) {
  setenv("CLARITY_CACHE", "0", 1);
  std::vector<Row> rows;
  std::size_t failed = 0, beyond = 0, farBeyond = 0;
  for (std::uint64_t seed = settings.seed; seed - settings.seed < settings.count; ++seed) {
    const Row row = measureBoth(settings, seed);
    const bool same = row.same(), ended = row.ended();
    if (!same || !ended) ++failed;
    if (row.beyond(1)) ++beyond;
    if (settings.limit > 0 && row.beyond(settings.limit)) ++farBeyond;
    if (!settings.brief || !same || !ended)
      std::printf("seed %llu: %.2f s, in packets %.2f s, %.0f MB%s%s\n", static_cast<unsigned long long>(seed),
                  row.scalar.seconds, row.packets.seconds, row.packets.megabytes, ended ? "" : ", did not end well",
                  same ? "" : ", different results");
    std::fflush(stdout);
    rows.push_back(row);
  }
  printTable(rows);
  std::printf("\n%zu of %zu programs beyond %.0f times + 50 ms, or %.0f MB; %zu failed\n", beyond, rows.size(),
              kMostTimes, kMostMegabytes, failed);
  return failed || farBeyond ? 1 : 0;
}

}  // namespace
}  // namespace clarity::fuzz

int main(int count, char** arguments) {
  try {
    return clarity::fuzz::run(clarity::fuzz::parse(count, arguments));
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr,
                 "%s\n\ncompile_cost [options]: what large random programs cost the compiler\n"
                 "  --seed S --count N  programs (1, 300)\n"
                 "  --platform NAME     part of the platform's name (any)\n"
                 "  --limit F           fail where the bound is exceeded by this factor (0: never)\n"
                 "  --seconds T         processor time for one form of a program (60)\n"
                 "  --again N           measure programs beyond the bound N times more, as other work on\n"
                 "                      the machine adds to the time; the least counts (2)\n"
                 "  --file FILE         in place of generated programs, as often as wanted:\n"
                 "                      kernels of CLSmith; the seeds are their numbers\n"
                 "  --quiet             print the table and failures only\n",
                 error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "compile_cost: %s\n", error.what());
    return 2;
  }
}
