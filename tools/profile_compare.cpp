// SPDX-License-Identifier: Apache-2.0
// This file compares two profiles: kernels by their launches, lines by their samples, and the sums of a run.
#include "profile_compare.h"

#include "command.h"
#include "files.h"
#include "numbers.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <random>
#include <system_error>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace clarity::tools {
namespace {

/// Runs of each side from which on their medians are the samples: runs differ by more than the launches in one of them.
constexpr std::size_t enoughRuns = 3;
/// Launches in fewer runs below which nothing is said of the noise.
constexpr std::size_t enoughLaunches = 5;
/// Launches of a kernel that are resampled. More make intervals no more certain: neighbours are alike.
constexpr std::size_t mostLaunches = 1000;
constexpr int resamplings = 1000;
/// Changes below it are no change, however sure they are: code at another address differs as much.
constexpr double leastChange = 0.02;

using Sizes = std::pair<std::array<std::uint64_t, 3>, std::array<std::uint64_t, 3>>;

/// A kernel's launches with the same sizes, by run.
struct Launches {
  std::string kernel, sizes;
  std::vector<std::vector<double>> runs;  // seconds
  std::size_t count() const {
    std::size_t all = 0;
    for (const std::vector<double>& run : runs) all += run.size();
    return all;
  }
  std::vector<double> medians() const {
    std::vector<double> result;
    for (const std::vector<double>& run : runs)
      if (!run.empty()) result.push_back(median(run));
    return result;
  }
  double total() const {
    double sum = 0;
    for (const std::vector<double>& run : runs)
      for (const double seconds : run) sum += seconds;
    return runs.empty() ? 0 : sum / static_cast<double>(runs.size());
  }
};

using LaunchesByShape = std::map<std::pair<std::string, Sizes>, Launches>;

/// A summary for each process of each run.
using Summaries = std::vector<std::vector<ProfileSummary>>;

Summaries summariesOf(const ProfiledRuns& runs) {
  Summaries result(runs.size());
  for (std::size_t run = 0; run < runs.size(); ++run)
    for (const ProfiledProcess& process : runs[run]) result[run].push_back(summaryOf(process));
  return result;
}

LaunchesByShape launchesOf(const Summaries& runs) {
  LaunchesByShape result;
  for (std::size_t run = 0; run < runs.size(); ++run)
    for (const ProfileSummary& process : runs[run])
      for (const KernelSummary& summary : process.kernels) {
        Launches& its = result[{summary.kernel, {summary.global, summary.local}}];
        its.kernel = summary.kernel;
        its.sizes = summary.sizes();
        its.runs.resize(runs.size());
        for (const std::uint64_t time : summary.times.all) its.runs[run].push_back(1e-9 * static_cast<double>(time));
      }
  return result;
}

std::vector<double> samplesOf(const Launches& launches, bool byRun) {
  if (byRun) return launches.medians();
  std::vector<double> all, some;
  for (const std::vector<double>& run : launches.runs) all.insert(all.end(), run.begin(), run.end());
  const std::size_t step = all.size() / mostLaunches + 1;
  for (std::size_t i = 0; i < all.size(); i += step) some.push_back(all[i]);
  return some;
}

double resampledMedian(const std::vector<double>& values, std::vector<double>& room, std::mt19937& random) {
  std::uniform_int_distribution<std::size_t> any(0, values.size() - 1);
  room.clear();
  for (std::size_t i = 0; i < values.size(); ++i) room.push_back(values[any(random)]);
  const auto middle = room.begin() + static_cast<std::ptrdiff_t>(room.size() / 2);
  std::ranges::nth_element(room, middle);
  return *middle;
}

/// Where 95 % of the quotients of the medians of resampled launches lie (the bootstrap's percentiles).
std::pair<double, double> intervalOf(const std::vector<double>& before, const std::vector<double>& after) {
  std::mt19937 random(1);  // the same records give the same interval
  std::vector<double> quotients, room;
  for (int i = 0; i < resamplings; ++i) {
    const double old = resampledMedian(before, room, random), fresh = resampledMedian(after, room, random);
    if (old > 0) quotients.push_back(fresh / old);
  }
  if (quotients.empty()) return {0, 0};
  std::ranges::sort(quotients);
  return {quotients[quotients.size() / 40], quotients[quotients.size() - 1 - quotients.size() / 40]};
}

void judge(ComparedKernel& kernel, const Launches& before, const Launches& after) {
  const bool byRun = before.medians().size() >= enoughRuns && after.medians().size() >= enoughRuns;
  const std::vector<double> old = samplesOf(before, byRun), fresh = samplesOf(after, byRun);
  if (!byRun && std::min(old.size(), fresh.size()) < enoughLaunches) return;
  std::tie(kernel.low, kernel.high) = intervalOf(old, fresh);
  kernel.change = kernel.low > 1 && kernel.ratio() > 1 + leastChange    ? Change::Slower
                  : kernel.high < 1 && kernel.ratio() < 1 - leastChange ? Change::Faster
                                                                        : Change::None;
}

ComparedKernel compared(const Launches* before, const Launches* after) {
  ComparedKernel result;
  result.kernel = (before ? before : after)->kernel;
  if (before) {
    result.oldSizes = before->sizes;
    result.oldCount = before->count();
    result.oldTotal = before->total();
    result.oldSeconds = median(before->medians());
  }
  if (after) {
    result.newSizes = after->sizes;
    result.newCount = after->count();
    result.newTotal = after->total();
    result.newSeconds = median(after->medians());
  }
  if (before && after)
    judge(result, *before, *after);
  else
    result.change = before ? Change::Gone : Change::Fresh;
  return result;
}

/// The launches of a kernel whose sizes are not on the other side, if they are the only ones.
template <class Alike>
const Launches* onlyOther(const LaunchesByShape& others, const LaunchesByShape& ours, const Launches& its,
                          Alike alike) {
  const Launches* found = nullptr;
  for (const auto& [shape, each] : others)
    if (each.kernel == its.kernel && !ours.contains(shape) && alike(shape.second)) {
      if (found) return nullptr;
      found = &each;
    }
  return found;
}

std::vector<ComparedKernel> comparedKernels(const LaunchesByShape& before, const LaunchesByShape& after) {
  std::vector<ComparedKernel> result;
  std::vector<const Launches*> taken;
  for (const auto& [shape, old] : before) {
    const auto same = after.find(shape);
    const Launches* fresh = same == after.end() ? nullptr : &same->second;
    // The same global size with another work-group size, or other sizes altogether.
    const auto& global = shape.second.first;
    const auto alikes = {+[](const Sizes& sizes, const Sizes& own) { return sizes.first == own.first; },
                         +[](const Sizes&, const Sizes&) { return true; }};
    for (const auto alike : alikes) {
      const auto isAlike = [&](const Sizes& sizes) { return alike(sizes, {global, {}}); };
      if (!fresh && onlyOther(before, after, old, isAlike) == &old) fresh = onlyOther(after, before, old, isAlike);
    }
    if (fresh && std::ranges::find(taken, fresh) != taken.end()) fresh = nullptr;
    if (fresh) taken.push_back(fresh);
    result.push_back(compared(&old, fresh));
  }
  for (const auto& [shape, fresh] : after)
    if (std::ranges::find(taken, &fresh) == taken.end()) result.push_back(compared(nullptr, &fresh));
  std::ranges::sort(result, std::greater(),
                    [](const ComparedKernel& each) { return std::abs(each.newTotal - each.oldTotal); });
  return result;
}

/// Samples of a kernel's line in all runs.
struct LineSamples {
  std::uint32_t line = 0;
  std::uint64_t time = 0;  // nanoseconds
};
/// By kernel, and by the line's text: lines move when code above them changes. Lines without text go by their number.
using SamplesByLine = std::map<std::pair<std::string, std::string>, LineSamples>;

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t\r");
  return begin == text.npos ? std::string() : text.substr(begin, end - begin + 1);
}

std::string lineName(std::uint32_t line) { return line == 0 ? "(no line)" : fmt::format("(line {})", line); }

SamplesByLine samplesByLine(const ProfiledRuns& runs) {
  SamplesByLine result;
  for (const std::vector<ProfiledProcess>& run : runs)
    for (const ProfiledProcess& process : run)
      for (const ProfiledLine& line : process.lines) {
        const std::string text = trimmed(line.text);
        LineSamples& its = result[{line.kernel, text.empty() ? lineName(line.line) : text}];
        its.line = its.line == 0 ? line.line : std::min(its.line, line.line);
        its.time += line.time;
      }
  return result;
}

std::vector<ComparedLine> comparedLines(const ProfiledRuns& before, const ProfiledRuns& after,
                                        const std::vector<ComparedKernel>& kernels) {
  std::map<std::string, std::pair<double, double>> launches;
  for (const ComparedKernel& kernel : kernels) {
    launches[kernel.kernel].first += static_cast<double>(kernel.oldCount);
    launches[kernel.kernel].second += static_cast<double>(kernel.newCount);
  }
  const SamplesByLine old = samplesByLine(before), fresh = samplesByLine(after);
  std::map<std::pair<std::string, std::string>, std::pair<LineSamples, LineSamples>> both;
  for (const auto& [key, its] : old) both[key].first = its;
  for (const auto& [key, its] : fresh) both[key].second = its;
  std::vector<ComparedLine> result;
  for (const auto& [key, its] : both) {
    const auto [oldLaunches, newLaunches] = launches[key.first];
    if (oldLaunches == 0 || newLaunches == 0) continue;
    constexpr double second = 1e-9, sample = 1e-3;  // a sample is a millisecond of processor time
    const double oldTime = second * static_cast<double>(its.first.time);
    const double newTime = second * static_cast<double>(its.second.time);
    const double change = newTime / newLaunches - oldTime / oldLaunches;
    // Three standard deviations of the difference of two counts.
    const double noise =
        3 * std::hypot(std::sqrt(oldTime * sample) / oldLaunches, std::sqrt(newTime * sample) / newLaunches);
    if (std::abs(change) <= noise) continue;
    result.push_back({key.first, key.second, its.first.line, its.second.line, oldTime / oldLaunches,
                      newTime / newLaunches, its.first.time / 1'000'000, its.second.time / 1'000'000});
  }
  std::ranges::sort(result, std::greater(),
                    [](const ComparedLine& each) { return std::abs(each.newSeconds - each.oldSeconds); });
  return result;
}

using SumsByName = std::map<std::string, std::vector<double>>;

SumsByName sumsOf(const ProfiledRuns& runs, const Summaries& summaries) {
  SumsByName result;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    std::map<std::string, std::uint64_t> sums;
    for (const ProfiledProcess& process : runs[run]) sums["with the driver"] += process.time();
    for (const ProfileSummary& summary : summaries[run]) {
      sums["kernels"] += summary.kernelTime;
      sums["transfers"] += summary.transferTime;
      sums["waits of the host"] += summary.waitTime;
      sums["compiles"] += summary.compileTime;
    }
    for (const auto& [name, time] : sums) result[name].push_back(1e-9 * static_cast<double>(time));
  }
  return result;
}

}  // namespace

ProfiledRuns readRuns(const std::string& path) {
  std::vector<std::string> files;
  if (std::error_code error; std::filesystem::is_directory(path, error)) {
    for (const auto& entry : std::filesystem::directory_iterator(path, error))
      if (entry.is_regular_file()) files.push_back(entry.path());
    if (files.empty()) throw Failure(fmt::format("the folder '{}' has no record", path));
    std::ranges::sort(files);
  } else {
    files.push_back(path);
  }
  ProfiledRuns runs;
  for (const std::string& file : files) try {
      runs.push_back(readRecord(readData(file)));
    } catch (const Failure& failure) {
      if (files.size() == 1) throw;
      throw Failure(fmt::format("{}: {}", file, failure.what()));
    }
  return runs;
}

ProfileComparison compareProfiles(const ProfiledRuns& before, const ProfiledRuns& after) {
  ProfileComparison result;
  result.oldRuns = before.size();
  result.newRuns = after.size();
  const Summaries oldSummaries = summariesOf(before), newSummaries = summariesOf(after);
  result.kernels = comparedKernels(launchesOf(oldSummaries), launchesOf(newSummaries));
  result.lines = comparedLines(before, after, result.kernels);
  SumsByName old = sumsOf(before, oldSummaries), fresh = sumsOf(after, newSummaries);
  for (const char* name : {"with the driver", "kernels", "transfers", "waits of the host", "compiles"})
    result.sums.push_back({name, median(old[name]), median(fresh[name])});
  return result;
}

std::vector<ComparedKernel> slowerKernels(const ProfileComparison& comparison, double part) {
  double all = 0;
  for (const ComparedKernel& kernel : comparison.kernels) all += kernel.newTotal;
  std::vector<ComparedKernel> result;
  std::ranges::copy_if(comparison.kernels, std::back_inserter(result), [&](const ComparedKernel& kernel) {
    return kernel.change == Change::Slower && kernel.ratio() > 1 + part && kernel.newTotal >= 0.01 * all;
  });
  return result;
}

}  // namespace clarity::tools
