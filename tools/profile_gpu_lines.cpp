// SPDX-License-Identifier: Apache-2.0
// This file finds the lines that cost a GPU's time in what its counted code says.
#include "profile_gpu_lines.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace clarity::tools {
namespace {

constexpr double threadsOfWarp = 32;
/// Instructions of warps that a multiprocessor begins in a cycle, and cycles of a sector: about 16 bytes a cycle come
/// to each multiprocessor of current GPUs from beyond its own cache.
constexpr double instructionsOfCycle = 4, cyclesOfSector = 2;
/// From these on an access is far apart, waits for banks, or a line lacks threads.
constexpr double leastSectorRatio = 2, leastMoreSectors = 1.5, leastPassRatio = 1.5, mostActive = 24;
/// The part of the kernel's cycles that a finding is to save at least.
constexpr double leastSaved = 0.1;

std::string sourceTextOf(const ProfiledProcess& process, const std::string& kernel) {
  if (const auto code = process.codes.find(kernel); code != process.codes.end()) return code->second.source;
  ProfiledLine line;
  line.kernel = kernel;
  return sourceOf(process, line);
}

struct LineCycles {
  double instructions = 0, idle = 0, sectors = 0, farSectors = 0, passes = 0, conflicts = 0;
  explicit LineCycles(const ProfiledCountedLine& line)
      : instructions(line.instructions / instructionsOfCycle),
        idle(instructions * (1 - line.activeThreads / threadsOfWarp)),
        sectors(line.sectors * cyclesOfSector),
        farSectors(std::max(line.sectors - line.leastSectors, 0.0) * cyclesOfSector),
        passes(line.passes),
        conflicts(std::max(line.passes - line.leastPasses, 0.0)) {}
};

class LineRules {
public:
  LineRules(const KernelSummary& kernel, const CountedLines& counted) : kernel_(kernel), counted_(counted) {}

  std::vector<Advice> all() {
    for (const CountedLines::Line& line : counted_.lines) {
      accesses(line);
      banks(line);
    }
    divergence();
    return std::move(found_);
  }

private:
  void add(std::string title, unsigned line, std::string evidence, std::string cure, double saved) {
    if (counted_.cycles == 0 || saved < leastSaved * counted_.cycles) return;
    const double part = saved / counted_.cycles;
    found_.push_back({.title = std::move(title),
                      .evidence = std::move(evidence),
                      .cure = std::move(cure),
                      .place = fmt::format("'{}', line {}", kernel_.kernel, line),
                      .gain = static_cast<std::uint64_t>(static_cast<double>(kernel_.times.total) * part),
                      .kernel = kernel_.kernel,
                      .source = counted_.source.isKnown() ? counted_.source.shown(line) : std::string(),
                      .line = line});
  }

  void accesses(const CountedLines::Line& line) {
    const ProfiledCountedLine& its = line.counts;
    if (its.requests == 0 || its.sectors < leastSectorRatio * its.leastSectors) return;
    // Bytes side by side that begin in the middle of a sector need one more.
    if (its.sectors - its.leastSectors < leastMoreSectors * its.requests) return;
    add("Threads of a warp access memory that is far apart", its.line,
        fmt::format("a request of a warp takes {} sectors of 32 bytes, as {} would do; {:.0f} requests were counted",
                    unitsText(its.sectors, its.requests), unitsText(its.leastSectors, its.requests), its.requests),
        "Let neighbouring work-items of x access neighbouring elements: swap the ids or the order of the data, or load "
        "a tile into local memory row by row and read it from there.",
        LineCycles(its).farSectors);
  }

  void banks(const CountedLines::Line& line) {
    const ProfiledCountedLine& its = line.counts;
    if (its.localRequests == 0 || its.passes < leastPassRatio * its.leastPasses) return;
    add("Threads of a warp wait for the same banks of local memory", its.line,
        fmt::format("a request of a warp takes {} passes, as {} would do; {:.0f} requests were counted",
                    unitsText(its.passes, its.localRequests), unitsText(its.leastPasses, its.localRequests),
                    its.localRequests),
        "Local memory has 32 banks of 4 bytes: add a column to arrays that are read by columns (float a[32][33]), or "
        "let neighbouring work-items access neighbouring words.",
        LineCycles(its).conflicts);
  }

  /// Lines with few threads belong to the innermost branch or loop that they are in.
  void divergence() {
    struct Block {
      double saved = 0, instructions = 0, threads = 0;
    };
    std::map<std::pair<unsigned, bool>, Block> blocks;  // by line, and whether it is a loop
    for (const CountedLines::Line& line : counted_.lines) {
      const ProfiledCountedLine& its = line.counts;
      if (its.instructions == 0 || its.activeThreads > mostActive) continue;
      const SourceBlock* const branch = counted_.source.branchOf(its.line);
      const SourceBlock* const loop = counted_.source.loopOf(its.line);
      // A loop in which threads differ may be in a branch in which they do not: then the branch's own lines have them.
      const SourceBlock* const around = branch && isDivided(*branch) ? branch : loop ? loop : branch;
      Block& block = blocks[{around ? around->first : its.line, around && around == loop}];
      block.saved += LineCycles(its).idle;
      block.instructions += its.instructions;
      block.threads += its.instructions * its.activeThreads;
    }
    for (const auto& [place, block] : blocks) {
      const double active = block.threads / block.instructions;
      add(place.second ? "Loops of a warp's threads have different numbers of iterations"
                       : "Threads of a warp take different branches",
          place.first, fmt::format("{:.1f} of 32 threads are active in it", active),
          place.second
              ? "Give neighbouring work-items loops of similar length: sort the work by length, or let several "
                "work-items share a long one."
              : "Decide by what neighbouring work-items have in common, such as the work-group, or compute both "
                "sides without a branch.",
          block.saved);
    }
  }

  /// Whether a side of a branch has fewer threads than the line of the branch.
  bool isDivided(const SourceBlock& branch) const {
    double outside = 0, most = 0;
    for (const CountedLines::Line& line : counted_.lines) {
      if (line.counts.line == branch.first) outside = line.counts.activeThreads;
      if (line.counts.line > branch.first && line.counts.line <= branch.last)
        most = std::max(most, line.counts.activeThreads);
    }
    return branch.first == branch.last || most < outside - 1 || outside <= mostActive;
  }

  const KernelSummary& kernel_;
  const CountedLines& counted_;
  std::vector<Advice> found_;
};

}  // namespace

std::string unitsText(double units, double requests) {
  return requests == 0 ? std::string() : fmt::format("{:.3g}", units / requests);
}

CountedLines::CountedLines(const ProfiledProcess& process, const KernelSummary& kernel)
    : source(sourceTextOf(process, kernel.kernel), kernel.kernel) {
  if (!kernel.work) return;
  for (const ProfiledCountedLine& line : kernel.work->lines) {
    const LineCycles cost(line);
    const double all = cost.instructions + cost.sectors + cost.passes;
    cycles += all;
    if (line.line == 0 || all == 0) continue;
    lines.push_back({.counts = line,
                     .text = source.isKnown() ? source.shown(line.line) : std::string(),
                     .cycles = all,
                     .inVain = cost.idle + cost.farSectors + cost.conflicts});
  }
  std::ranges::sort(lines, std::greater{}, &Line::cycles);
}

std::vector<Advice> adviceOnCountedLines(const KernelSummary& kernel, const CountedLines& counted) {
  return LineRules(kernel, counted).all();
}

}  // namespace clarity::tools
