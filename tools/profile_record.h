// SPDX-License-Identifier: Apache-2.0
// This file declares how `clarity profile` reads the driver's record, and what it sums up from it.
#pragma once

#include "profile_machine.h"
#include "profile_process.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace clarity::tools {

/// "12.3 us".
std::string nanosecondsText(std::uint64_t time);

/// The processes of a record. Throws Failure if the text is none.
std::vector<ProfiledProcess> readRecord(std::string_view text);

/// Several times that belong together.
struct Times {
  std::vector<std::uint64_t> all;
  std::uint64_t total = 0;
  std::uint64_t more = 0;  ///< times that are not in `all`
  void add(std::uint64_t time) {
    all.push_back(time);
    total += time;
  }
  /// Several that took so long together.
  void add(std::uint64_t time, std::uint64_t several) {
    add(time / several);
    total += time - time / several;
    more += several - 1;
  }
  std::size_t count() const { return all.size() + more; }
  std::uint64_t median() const;
  std::uint64_t least() const;
  std::uint64_t most() const;
};

/// Compiles of one kind, or of one kernel.
struct CompileSummary {
  /// The kind of counted code, which the profile asks for: it is in no sum of the program's compiles.
  static constexpr const char* ofProfile = "counted code";
  Times times;
  std::size_t cached = 0;  ///< compiles among them that the cache had
};

/// Launches of one kernel with the same sizes.
struct KernelSummary {
  std::string kernel;
  std::string gpu;  ///< the name of the GPU that executed them; empty: the machine's processors did
  unsigned dimensions = 0;
  std::array<std::uint64_t, 3> global{}, local{};
  Times times, waits;
  CompileSummary compiles;  ///< compiles of the kernel, whatever the sizes; with the first of its summaries only
  std::optional<ProfiledCount> work;  ///< the work of a launch
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
  double ofInstructions = 0;              ///< on a GPU: part of the rate at which warps begin instructions
  /// Where a cache holds the buffers, the part of its rate: memory is no limit then.
  std::optional<double> ofHoldingCache;
  /// The part of each limit. A cache beyond the first has one only if it moves the buffers: they do not fit nearer.
  struct Part {
    std::string limit;  ///< "L1", "memory", "float", ...
    double part = 0;
  };
  std::vector<Part> parts;
  bool isAtMemory() const { return ofHoldingCache.value_or(ofMemory) >= mostOfMemory; }
  bool isAtArithmetic() const { return ofArithmetic >= mostOfArithmetic || ofInstructions >= mostOfInstructions; }

private:
  /// From these parts on a kernel is taken to be at the limit.
  static constexpr double mostOfMemory = 0.55, mostOfArithmetic = 0.4, mostOfInstructions = 0.6;
};
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
  /// Nanoseconds that a kernel took, whatever its sizes.
  struct OfKernel {
    std::uint64_t launches = 0, compiles = 0, transfers = 0;
  };
  std::unordered_map<std::string, OfKernel> ofKernels;
  /// The devices that executed counted kernels, by the name of a GPU; "" for the machine's processors.
  std::map<std::string, MachineLimits> machines;
  std::uint64_t kernelTime = 0, transferTime = 0, waitTime = 0;
  std::uint64_t compileTime = 0;  ///< the time for the program's own code
};
ProfileSummary summaryOf(const ProfiledProcess& process);

/// The name of the GPU that executed a command; empty: none did.
std::string gpuOf(const ProfiledProcess& process, const ProfiledCommand& command);
/// The limits of the device that executed the kernel; null: not known.
const MachineLimits* limitsOf(const ProfileSummary& summary, const KernelSummary& kernel);
/// Nothing if the kernel was not counted, or neither the limits nor the GPU are known.
std::optional<Use> useOf(const ProfileSummary& summary, const KernelSummary& kernel);

/// "build", "compile fill", or "compile for the profile: fill".
std::string titleOf(const ProfiledCompile& compile);

/// The count that was taken of a launch; null: it ran as others do.
const ProfiledCount* countOf(const ProfiledProcess& process, const ProfiledCommand& command);

/// Whether a call waits for commands.
bool waitsForCommands(const ProfiledCall& call);

/// The text of a kernel's source that a line stands in: of its file, or of the program's source; empty: not known.
std::string sourceOf(const ProfiledProcess& process, const ProfiledLine& line);

}  // namespace clarity::tools
