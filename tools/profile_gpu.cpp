// SPDX-License-Identifier: Apache-2.0
// This file says what launches are to a GPU, and which of them leave it without work.
#include "profile_gpu.h"

#include "numbers.h"
#include "profile_gpu_lines.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace clarity::tools {
namespace {

constexpr std::uint64_t warp = 32;
constexpr std::uint64_t leastPrivate = 32;  ///< bytes of a thread that are not in registers
constexpr double leastOfKernelTime = 0.1;   ///< a part of the time of all kernels
constexpr double lowOccupancy = 0.25, lowTail = 0.6;

/// The part of the time of its waves in which blocks fill the GPU.
double filled(const ProfiledGpuLaunch& launch) {
  const double waves = launch.waves();
  return waves == 0 ? 1 : waves / std::ceil(waves);
}

class GpuRules {
public:
  GpuRules(const KernelSummary& kernel, const ProfiledGpuLaunch& launch, std::vector<Advice>& found)
      : kernel_(kernel), launch_(launch), found_(found) {}

  void all() {
    privateMemory();
    warps();
    if (launch_.multiprocessors != 0 && launch_.blocks < launch_.multiprocessors)
      fewBlocks();
    else if (launch_.together != 0 && launch_.occupancy() < lowOccupancy)
      occupancy();
    else if (launch_.waves() > 1 && filled(launch_) < lowTail)
      tail();
  }

private:
  void add(std::string title, std::string evidence, std::string cure, double part) {
    found_.push_back({.title = std::move(title),
                      .evidence = std::move(evidence),
                      .cure = std::move(cure),
                      .place = fmt::format("'{}'", kernel_.kernel),
                      .gain = static_cast<std::uint64_t>(static_cast<double>(kernel_.times.total) * part),
                      .kernel = kernel_.kernel,
                      .source = {},
                      .line = 0});
  }

  void privateMemory() {
    if (launch_.privateBytes < leastPrivate) return;
    add(fmt::format("Private variables of '{}' are not in registers: {} bytes of a thread", kernel_.kernel,
                    launch_.privateBytes),
        fmt::format("each of its {} threads has them in the GPU's memory, beside {} registers", launch_.threads,
                    launch_.registers),
        "Index private arrays by constants, in loops that are unrolled, keep large ones in local memory, or let a "
        "work-item do less: arrays and values that are too many for the registers cost as much as buffers.",
        0.5);
  }

  void warps() {
    const std::uint64_t lanes = (launch_.threads + warp - 1) / warp * warp;
    if (2 * lanes < 3 * launch_.threads) return;
    add(fmt::format("Work-groups of '{}' fill {} of {} lanes of their warps", kernel_.kernel, launch_.threads, lanes),
        fmt::format("a block has {} threads, and a GPU executes 32 at a time", launch_.threads),
        "Use work-groups of a multiple of 32 work-items, of 128 or 256 where nothing else matters.",
        1 - static_cast<double>(launch_.threads) / static_cast<double>(lanes));
  }

  void fewBlocks() {
    add(fmt::format("'{}' has fewer work-groups than the GPU has multiprocessors", kernel_.kernel),
        fmt::format("{} blocks for {} multiprocessors: the others have nothing to do", launch_.blocks,
                    launch_.multiprocessors),
        "Use more and smaller work-groups, or give each a part of what one does now.",
        1 - static_cast<double>(launch_.blocks) / static_cast<double>(launch_.multiprocessors));
  }

  void occupancy() {
    add(fmt::format("A multiprocessor has {:.0f} % of the threads that it could have", 100 * launch_.occupancy()),
        fmt::format("'{}': {} blocks of {} threads at once; a thread uses {} registers, a block {} of shared memory",
                    kernel_.kernel, launch_.together, launch_.threads, launch_.registers,
                    siText(static_cast<double>(launch_.sharedBytes), "B")),
        "Use less local memory or smaller work-groups, so that more of them run at once and hide each other's waits.",
        0.3);
  }

  void tail() {
    add(fmt::format("The last blocks of '{}' leave most of the GPU idle", kernel_.kernel),
        fmt::format("{} blocks are {:.1f} times what the GPU executes at once", launch_.blocks, launch_.waves()),
        "Choose sizes that make the work-groups a little fewer, or many more and smaller.", 1 - filled(launch_));
  }

  const KernelSummary& kernel_;
  const ProfiledGpuLaunch& launch_;
  std::vector<Advice>& found_;
};

}  // namespace

const ProfiledGpuLaunch* gpuLaunchOf(const ProfiledProcess& process, const KernelSummary& kernel) {
  if (kernel.gpu.empty()) return nullptr;
  // Smaller work-groups at the edges of a launch are launches of their own, and other code may have come first: that of
  // most threads counts, and the last of those.
  const ProfiledGpuLaunch* found = nullptr;
  const auto threadsOf = [](const ProfiledGpuLaunch& each) { return each.blocks * each.threads; };
  for (const ProfiledGpuLaunch& each : process.gpuLaunches) {
    if (each.kernel != kernel.kernel || each.global != kernel.global) continue;
    if (each.local[0] != 0 && each.local != kernel.local) continue;
    if (!found || threadsOf(each) >= threadsOf(*found)) found = &each;
  }
  return found;
}

std::string textOf(const ProfiledGpuLaunch& launch) {
  std::string text = fmt::format("{} registers", launch.registers);
  if (launch.privateBytes != 0)
    text += fmt::format(", {} bytes a thread that are not in registers", launch.privateBytes);
  if (launch.sharedBytes != 0) text += fmt::format(", {} bytes of shared memory a block", launch.sharedBytes);
  text += fmt::format("; {} blocks of {} threads, {} at once on each of {} multiprocessors: occupancy {:.0f} %",
                      launch.blocks, launch.threads, launch.together, launch.multiprocessors, 100 * launch.occupancy());
  if (launch.waves() != 0)
    text += fmt::format(", {:.1f} waves, filled to {:.0f} %", launch.waves(), 100 * filled(launch));
  return text;
}

std::vector<Advice> gpuAdviceFor(const ProfiledProcess& process, const ProfileSummary& summary) {
  std::vector<Advice> found;
  for (const KernelSummary& kernel : summary.kernels) {
    const ProfiledGpuLaunch* const launch = gpuLaunchOf(process, kernel);
    if ((!launch && !kernel.work) || kernel.times.median() < shortLaunch) continue;
    if (static_cast<double>(kernel.times.total) < leastOfKernelTime * static_cast<double>(summary.kernelTime)) continue;
    if (launch) GpuRules(kernel, *launch, found).all();
    if (!kernel.work || !kernel.work->isOnGpu()) continue;
    std::ranges::move(adviceOnCountedLines(kernel, CountedLines(process, kernel)), std::back_inserter(found));
  }
  return found;
}

}  // namespace clarity::tools
