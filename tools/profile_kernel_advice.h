// SPDX-License-Identifier: Apache-2.0
// This file declares what a profile says against the code of kernels: causes that the compiler's report, the source and
// the sampled lines show together. A rule names a cause only where the run spent time in its lines.
#pragma once

#include "kernel_source.h"
#include "profile_advice.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::tools {

/// All that is known about one kernel of a run.
struct KernelFacts {
  const ProfiledProcess& process;
  const KernelCode& code;
  const KernelSummary& launch;  ///< the sizes that took the most time
  KernelSource source;
  std::uint64_t time = 0;  ///< the time of all launches
  std::optional<Use> use;
  std::string file;                   ///< as samples name it
  std::map<unsigned, double> shares;  ///< parts of the kernel's sampled time, by line, with what the line calls
  /// Samples of one line and of the lines that called it, from the inside to the outside.
  struct Sampled {
    std::vector<unsigned> lines;
    double share = 0, denormal = 0;  ///< the part of the kernel's time; of this, with denormal numbers
  };
  std::vector<Sampled> samples;
  double milliseconds = 0;  ///< processor time that samples stand for

  double share(unsigned first, unsigned last) const;
  double share(const SourceBlock& block) const { return share(block.first, block.last); }
  /// A share, less the standard deviation that it has with so few samples.
  double certain(double share) const;
  /// The share of a line. Out-of-order processors are interrupted a little behind what they wait for: a part of the
  /// loop around it is the least.
  double weight(unsigned line) const;
  /// The innermost loop that a line is in; of a function that is called in a loop, this one. Null: none.
  const SourceBlock* loopOf(unsigned line) const;
  /// Whether memory or arithmetic is at its limit.
  bool isAtLimit() const;
  bool isAtMemoryLimit() const;
  /// The part of the lanes that have work where branches and loops diverge; nothing: it was not counted.
  std::optional<double> activeLanes() const;
  /// The line with most samples of its own.
  unsigned hottestLine() const;
  std::uint64_t items() const { return launch.local[0] * launch.local[1] * launch.local[2]; }
  const SourceArray* array(std::string_view name) const;
  /// The text that a macro of the source or a build option (-D) stands for; empty: there is none of this name.
  std::string meaningOf(const std::string& name) const;
  /// A type without the names that typedef and macros give it: "float4" for "real4".
  std::string typeOf(std::string name) const;

  /// An advice about a line: `part` of the time of `share` may be gained.
  Advice advice(std::string title, unsigned line, std::string evidence, std::string cure, double share,
                double part) const;
};

using KernelRule = void(const KernelFacts&, std::vector<Advice>&);
KernelRule adviseOnAccesses, adviseOnArraysOfItems, adviseOnSumsInMemory, adviseOnSharedLines;
KernelRule adviseOnBranches, adviseOnLoops, adviseOnAtomics, adviseOnSingleItems, adviseOnImbalance;
KernelRule adviseOnGroups, adviseOnBarriers, adviseOnSpills, adviseOnSameWork;
KernelRule adviseOnDoubles, adviseOnDivisions, adviseOnPowers, adviseOnFunctions, adviseOnImages, adviseOnDenormals;
/// Rules that need no samples: where the time is not in the kernel's own instructions, or in all of them.
KernelRule adviseOnPrintf, adviseOnOptions;

/// The file, as samples name it, that has a kernel's source, and not that of a header; empty: none of its lines was
/// sampled.
std::string fileOf(const ProfiledProcess& process, const KernelSource& source, const std::string& kernel);

/// "37 %".
std::string percent(double part);
/// A text that is not longer than a line of a title.
std::string clipped(std::string_view text);

}  // namespace clarity::tools
