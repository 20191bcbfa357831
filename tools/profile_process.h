// SPDX-License-Identifier: Apache-2.0
// This file declares what `clarity profile` knows of a process: the contents of the driver's record (src/profile).
#pragma once

#include "kernel_code.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace clarity::tools {

/// Times are nanoseconds of one clock.
struct ProfiledCall {
  std::string name, arguments;
  std::string place;  ///< "file.py:12", of Python programs
  std::uint64_t begin = 0, end = 0;
  std::uint64_t count = 1;   ///< so many calls, one after the other, are one entry
  std::uint64_t inside = 0;  ///< the time in all of them
  int error = 0;
  std::uint64_t time() const { return inside; }
};

struct ProfiledCommand {
  std::string name;                  ///< the call that enqueued it
  std::string kernel;                ///< empty: no launch
  std::size_t thread = 0, call = 0;  ///< which call: numbers of threads, and of calls of the thread
  std::size_t queue = 0;
  unsigned dimensions = 0;
  std::array<std::uint64_t, 3> global{}, local{};
  std::uint64_t bytes = 0;
  int status = 0;
  bool isBlocking = false;
  std::uint64_t queued = 0, submitted = 0, started = 0, ended = 0;
  std::vector<std::size_t> after;  ///< commands of its wait list
  static constexpr std::size_t notCounted = ~std::size_t{0};
  std::size_t count = notCounted;  ///< a launch that ran as counted code: its index in ProfiledProcess::counts
  bool hasEnded() const { return status <= 0 && ended >= started && ended != 0; }
  /// To its end, without an error: its time says what it costs.
  bool hasRun() const { return status == 0 && hasEnded(); }
  std::uint64_t time() const { return ended - started; }
  std::uint64_t waited() const { return started > queued ? started - queued : 0; }
};

struct ProfiledQueue {
  std::string device;
  bool isOutOfOrder = false, isOnGpu = false;
};

struct ProfiledCompile {
  /// "build", "compile", "link", or "code": of a kernel for a shape; "machine code": of a kernel, by the GPU's driver.
  std::string what;
  std::string name;
  std::uint64_t thread = 0, begin = 0, end = 0;
  bool isCached = false, isQuick = false;
  bool isCounted = false;  ///< counted code: for the profile, not for the program
  bool isOwnCode() const { return what == "code" && !isCounted; }
  std::uint64_t time() const { return end - begin; }
};

/// The work of counted code on a GPU in one line of the source (device::ObservedLine).
struct ProfiledCountedLine {
  std::uint32_t line = 0;                                 ///< 0: unknown
  double executions = 0;                                  ///< by warps
  double instructions = 0, activeThreads = 0;             ///< counts of warps; threads a warp, in the mean
  double requests = 0, sectors = 0, leastSectors = 0;     ///< counts of global memory
  double localRequests = 0, passes = 0, leastPasses = 0;  ///< counts of local memory
};

/// The work of one launch that ran as counted code.
struct ProfiledCount {
  std::string kernel;
  std::array<std::uint64_t, 3> global{}, local{};
  std::uint64_t begin = 0, end = 0;
  double floats = 0, doubles = 0, halves = 0;  ///< operations of floating-point
  double integers = 0;                         ///< operations of integers in lanes
  double read = 0, written = 0;                ///< bytes of global memory
  double localBytes = 0, bufferBytes = 0;
  double activeLanes = 0, lanes = 0;       ///< where branches and loops diverge
  std::vector<ProfiledCountedLine> lines;  ///< on GPUs
  bool isOnGpu() const { return !lines.empty(); }
  double bytes() const { return read + written; }
  double operations() const { return floats + doubles + halves; }
};

/// Samples of processor time in one line of a kernel.
struct ProfiledLine {
  std::string kernel, file, function;
  std::uint32_t line = 0;  ///< 0: not known
  std::uint64_t time = 0;  ///< nanoseconds
  std::string text;        ///< the text of the source; empty: not known
};

/// Samples in one line of a kernel, with the lines of the same file that called its function where that is inlined.
struct ProfiledSample {
  std::string kernel, file;
  std::vector<std::uint32_t> lines;  ///< innermost first; 0: not known
  std::uint64_t time = 0;            ///< nanoseconds
  std::uint64_t denormalTime = 0;    ///< the part of it with arithmetic on denormal numbers
};

/// A program that was built from source.
struct ProfiledBuild {
  std::size_t source = 0;  ///< a number of ProfiledProcess::sources
  std::string options;
};

struct ProfiledThread {
  std::uint64_t id = 0;
  std::vector<ProfiledCall> calls;
};

/// A part of a launch that a thread of a device executed: `count` of `all` pieces of equal size, from `first` on.
struct ProfiledSpan {
  std::string kernel;
  std::uint64_t begin = 0, end = 0;
  std::uint64_t first = 0, count = 0, all = 0;
};

struct ProfiledWorker {
  std::uint64_t id = 0;
  std::vector<ProfiledSpan> spans;
};

/// The resources that launches of a kernel with the same sizes have on a GPU.
struct ProfiledGpuLaunch {
  std::string kernel;
  std::array<std::uint64_t, 3> global{}, local{};  ///< local: 0 in records of before
  std::uint64_t blocks = 0, threads = 0;           ///< blocks of the launch, threads of a block
  std::uint64_t registers = 0, privateBytes = 0, sharedBytes = 0;
  std::uint64_t together = 0;  ///< blocks that a multiprocessor executes at once
  std::uint64_t multiprocessors = 0, mostThreads = 0;
  /// The part of a multiprocessor's threads that it can have.
  double occupancy() const {
    return mostThreads == 0 ? 0 : static_cast<double>(together * threads) / static_cast<double>(mostThreads);
  }
  /// How often the GPU is filled with blocks, one time after the other; 0: not known.
  double waves() const {
    const auto atOnce = static_cast<double>(together * multiprocessors);
    return atOnce == 0 ? 0 : static_cast<double>(blocks) / atOnce;
  }
};

struct ProfiledProcess {
  std::uint64_t id = 0, begin = 0, end = 0;
  std::uint64_t dropped = 0;   ///< calls that were too many to be kept
  int signal = 0, status = 0;  ///< that ended it: a signal, or the exit status
  bool endsAtOnce = false;     ///< by _exit(), or the like
  /// A sentence on an end that is none of a program that succeeds; empty: it is.
  std::string endingText() const;
  std::string command;
  std::vector<ProfiledQueue> queues;
  std::vector<ProfiledThread> threads;
  std::vector<ProfiledCommand> commands;
  std::vector<ProfiledWorker> workers;
  std::vector<ProfiledCompile> compiles;
  std::vector<ProfiledCount> counts;
  std::vector<ProfiledGpuLaunch> gpuLaunches;
  std::uint64_t stagedBytes = 0;  ///< transfers between GPUs and memory of the host that is not pinned
  std::vector<std::string> sources;
  std::vector<ProfiledBuild> builds;
  std::map<std::string, KernelCode> codes;  ///< code of kernels that take much of the time (addKernelCode)
  std::vector<ProfiledLine> lines;          ///< the one that takes longest first
  std::vector<ProfiledSample> samples;
  std::uint64_t sampledTime() const;  ///< the time of all lines
  std::uint64_t time() const { return end - begin; }
};

}  // namespace clarity::tools
