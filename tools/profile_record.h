// SPDX-License-Identifier: Apache-2.0
// This file declares what `clarity profile` reads of the driver's record (src/profile), and what it sums up from it.
#pragma once

#include "kernel_code.h"
#include "machine.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::tools {

/// Times are nanoseconds of one clock.
struct ProfiledCall {
  std::string name, arguments;
  std::string place;  ///< "file.py:12", of Python programs
  std::uint64_t begin = 0, end = 0;
  int error = 0;
  std::uint64_t time() const { return end - begin; }
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
  bool hasEnded() const { return status <= 0 && ended >= started && ended != 0; }
  std::uint64_t time() const { return ended - started; }
  std::uint64_t waited() const { return started > queued ? started - queued : 0; }
};

struct ProfiledQueue {
  std::string device;
  bool isOutOfOrder = false;
};

struct ProfiledCompile {
  std::string what;  ///< "build", "compile", "link", or "code": of a kernel for a shape
  std::string name;
  std::uint64_t thread = 0, begin = 0, end = 0;
  bool isCached = false, isQuick = false;
  std::uint64_t time() const { return end - begin; }
};

/// The work of one launch that ran as counted code.
struct ProfiledCount {
  std::string kernel;
  std::array<std::uint64_t, 3> global{};
  std::uint64_t begin = 0, end = 0;
  double floats = 0, doubles = 0;  ///< operations
  double read = 0, written = 0;    ///< bytes of global memory
  double localBytes = 0, bufferBytes = 0;
  double activeLanes = 0, lanes = 0;  ///< where branches and loops diverge
  double bytes() const { return read + written; }
  double operations() const { return floats + doubles; }
};

/// Samples of processor time in one line of a kernel.
struct ProfiledLine {
  std::string kernel, file, function;
  std::uint32_t line = 0;  ///< 0: not known
  std::uint64_t time = 0;  ///< nanoseconds
  std::string text;        ///< of the source; empty: not known
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

struct ProfiledProcess {
  std::uint64_t id = 0, begin = 0, end = 0;
  std::uint64_t dropped = 0;  ///< calls that were too many to be kept
  std::string command;
  std::vector<ProfiledQueue> queues;
  std::vector<ProfiledThread> threads;
  std::vector<ProfiledCommand> commands;
  std::vector<ProfiledCompile> compiles;
  std::vector<ProfiledCount> counts;
  std::vector<std::string> sources;
  std::vector<ProfiledBuild> builds;
  std::map<std::string, KernelCode> codes;  ///< of kernels that take much of the time (addKernelCode)
  std::vector<ProfiledLine> lines;          ///< the one that takes longest first
  std::uint64_t sampledTime() const;        ///< of all lines
  std::uint64_t time() const { return end - begin; }
};

/// "12.3 us".
std::string nanosecondsText(std::uint64_t time);

/// The processes of a record. Throws Failure if the text is none.
std::vector<ProfiledProcess> readRecord(std::string_view text);

/// Several times that belong together.
struct Times {
  std::vector<std::uint64_t> all;
  std::uint64_t total = 0;
  void add(std::uint64_t time) {
    all.push_back(time);
    total += time;
  }
  std::size_t count() const { return all.size(); }
  std::uint64_t median() const;
  std::uint64_t least() const;
  std::uint64_t most() const;
};

/// Compiles of one kind, or of one kernel.
struct CompileSummary {
  Times times;
  std::size_t cached = 0;  ///< of them, those that the cache had
};

/// Launches of one kernel with the same sizes.
struct KernelSummary {
  std::string kernel;
  unsigned dimensions = 0;
  std::array<std::uint64_t, 3> global{}, local{};
  Times times, waits;
  CompileSummary compiles;            ///< of the kernel, whatever the sizes; with the first of its summaries only
  std::optional<ProfiledCount> work;  ///< of a launch
  std::string sizes() const;          ///< "1024x1024 / 16x16"
  std::uint64_t workGroups() const;
  std::uint64_t workItems() const { return global[0] * global[1] * global[2]; }
};

/// Launches that take less, in nanoseconds, than starting one does.
inline constexpr std::uint64_t shortLaunch = 20'000;

/// The machine that a kernel ran on, and what of it the kernel uses.
struct Use {
  double bytesPerSecond = 0, operationsPerSecond = 0;
  double ofMemory = 0, ofArithmetic = 0;  ///< parts of the machine's rates; of memory: at least
  std::string verdict;                    ///< "memory", "arithmetic", "launches", "few work-groups", "latency"
};
/// Nothing if the kernel was not counted, or the machine's rates are not known.
std::optional<Use> useOf(const KernelSummary& kernel, const std::optional<MachineRates>& machine);

/// Commands of one kind that move or fill bytes.
struct TransferSummary {
  std::string name;
  Times times;
  std::uint64_t bytes = 0;
  std::size_t blocking = 0;
};

struct CallSummary {
  std::string name;
  Times times;
  std::size_t errors = 0;
};

struct ProfileSummary {
  std::vector<KernelSummary> kernels;  ///< each list begins with what took longest
  std::vector<TransferSummary> transfers;
  std::vector<CallSummary> waits;                  ///< calls that return when commands have ended
  std::vector<CallSummary> calls;                  ///< all
  std::map<std::string, CompileSummary> compiles;  ///< by kind
  std::optional<MachineRates> machine;             ///< where kernels of the CPU were counted
  std::uint64_t kernelTime = 0, transferTime = 0, waitTime = 0, compileTime = 0;
};
ProfileSummary summaryOf(const ProfiledProcess& process);

/// Whether a call waits for commands.
bool waitsForCommands(const ProfiledCall& call);

/// The text of a kernel's source that a line stands in: of its file, or of the program's source; empty: not known.
std::string sourceOf(const ProfiledProcess& process, const ProfiledLine& line);

}  // namespace clarity::tools
