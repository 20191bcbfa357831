// SPDX-License-Identifier: Apache-2.0
// This file bounds the time and the memory of one compile, as a last resort: where the front end has read another piece
// of the program and between passes the compiler asks whether it may go on.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace clarity::compiler {

/// The time and memory that one compile may take: a build, or the code of a kernel at its first launch. A compile that
/// takes more ends with an error in its log. 0: no limit.
struct CompileLimits {
  std::uint64_t memoryBytes = 0;
  std::chrono::milliseconds time{0};
};
/// Set once, before the first build; without a call there are no limits.
void configureLimits(const CompileLimits&);

/// The most bytes that a compile may ask for at once; 0: any number.
std::size_t mostBytesAtOnce();
/// The sentence about a compile that asked for more.
std::string tooMuchAtOnce(std::size_t bytes);

/// Thrown by checkLimits(). It passes through frames of clang and LLVM, whose objects are lost.
class LimitExceeded : public std::runtime_error {
  using runtime_error::runtime_error;
};

/// While one exists, this thread compiles: what it takes is counted from here. Inside another one it counts nothing of
/// its own.
class LimitedCompile {
public:
  LimitedCompile();
  ~LimitedCompile();
  LimitedCompile(const LimitedCompile&) = delete;
  LimitedCompile& operator=(const LimitedCompile&) = delete;

private:
  friend void checkLimits();
  void check();

  using Clock = std::chrono::steady_clock;
  const CompileLimits limits_;
  LimitedCompile* const outer_;
  const Clock::time_point begin_ = Clock::now();
  Clock::time_point checked_ = begin_;
  std::uint64_t residentAtBegin_ = 0;
  std::uint64_t faultsAtBegin_ = 0;
  unsigned calls_ = 0;
};

/// Watches the compile of another thread from outside, for phases of clang and LLVM that never ask: it has a little
/// more than the compile itself may take.
class CompileWatch {
public:
  /// @param thread the number of the system's (gettid) of the thread that begins to compile now
  explicit CompileWatch(pid_t thread);
  /// A sentence once the compile has taken more than it may; empty until then.
  std::string exceeded() const;

private:
  using Clock = std::chrono::steady_clock;
  const CompileLimits limits_;
  const pid_t thread_;
  const Clock::time_point begin_ = Clock::now();
  std::uint64_t residentAtBegin_ = 0;
  std::uint64_t faultsAtBegin_ = 0;
};

/// While one exists, the compile on this thread is for a launch to come, if `ahead` is true: it ends with LimitExceeded
/// when the process ends, or when cancelAhead() says so.
class CompileAhead {
public:
  explicit CompileAhead(bool ahead);
  ~CompileAhead();
  CompileAhead(const CompileAhead&) = delete;
  CompileAhead& operator=(const CompileAhead&) = delete;
};

/// While it is true, compiles ahead (CompileAhead) end without code.
void cancelAhead(bool isGivenUp) noexcept;

/// LimitExceeded with a sentence if the compile on this thread has taken more than it may; std::bad_alloc if there is
/// no more memory (support/memory_reserve.h). Cheap: most calls only count.
void checkLimits();

}  // namespace clarity::compiler
