// SPDX-License-Identifier: Apache-2.0
// This file declares the comparison of two profiles: what became slower or faster by more than the noise.
#pragma once

#include "profile_record.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace clarity::tools {

/// Records of the same program: of one run, or of several, which show how runs differ.
using ProfiledRuns = std::vector<std::vector<ProfiledProcess>>;

/// The record in a file, or those in a folder. Throws Failure.
ProfiledRuns readRuns(const std::string& path);

enum class Change { None, Slower, Faster, Unknown, Gone, Fresh };

/// Launches of one kernel with the same sizes, before and after.
struct ComparedKernel {
  std::string kernel, oldSizes, newSizes;  ///< one of them may be empty
  std::size_t oldCount = 0, newCount = 0;  ///< launches of all runs
  double oldSeconds = 0, newSeconds = 0;   ///< medians
  double oldTotal = 0, newTotal = 0;       ///< seconds a run
  double low = 0, high = 0;                ///< new / old lies between them in 95 % of samples; 0: too few to say
  Change change = Change::Unknown;
  double ratio() const { return oldSeconds > 0 ? newSeconds / oldSeconds : 0; }
};

/// A line of a kernel in which the time of a launch changed by more than its samples vary.
struct ComparedLine {
  std::string kernel, text;
  std::uint32_t oldLine = 0, newLine = 0;        ///< 0: not sampled there
  double oldSeconds = 0, newSeconds = 0;         ///< processor time a launch
  std::uint64_t oldSamples = 0, newSamples = 0;  ///< milliseconds
};

/// Sums of a run, in seconds: the median of several.
struct ComparedSum {
  std::string name;
  double oldSeconds = 0, newSeconds = 0;
};

struct ProfileComparison {
  std::size_t oldRuns = 0, newRuns = 0;
  std::vector<ComparedKernel> kernels;  ///< the one that gained or lost most time a run first
  std::vector<ComparedLine> lines;
  std::vector<ComparedSum> sums;
};

ProfileComparison compareProfiles(const ProfiledRuns& before, const ProfiledRuns& after);

/// Kernels that became slower by more than a part of their time (0.05: 5 %), beyond the noise, and take 1 % of the time
/// of all kernels or more.
std::vector<ComparedKernel> slowerKernels(const ProfileComparison& comparison, double part);

std::string comparisonText(const ProfileComparison& comparison, std::size_t columns, bool colour);
std::string comparisonJson(const ProfileComparison& comparison);

}  // namespace clarity::tools
