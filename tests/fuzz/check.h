// SPDX-License-Identifier: Apache-2.0
// This file says what is compared with what, and what came of it. Checks run in child processes, because a compiler
// that is being tested may crash or never end.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "program.h"
#include "runner.h"

namespace clarity::fuzz {

/// One way to build a program.
struct Variant {
  std::string label;
  std::string options;
  bool dear = false;  ///< takes long to build
};

struct Comparison {
  std::string platform;           ///< part of the name of the platform under test
  std::string referencePlatform;  ///< part of the name of another platform, or empty
  Variant reference;
  std::vector<Variant> variants;
  std::size_t perProgram = 0;  ///< how many of the variants each program is built in, as its seed chooses; 0: all
  int timeLimit = 20;          ///< seconds of processor time for one program
};

struct Verdict {
  enum class Kind : std::uint8_t { Same, Different, ReferenceFailed, Crashed, TimedOut };
  Kind kind = Kind::Same;
  std::string variants;  ///< labels of those that differ
  std::string detail;
  bool failed() const { return kind != Kind::Same; }
  std::string describe() const;
};

/// The body of a child process: it may report verdicts by number.
using Report = std::function<void(std::uint64_t number, const Verdict& verdict)>;
/// Checks the program of a number in a child process.
using Check = std::function<Verdict(std::uint64_t number)>;

/// The runners of a comparison; made in child processes only.
class Checker {
public:
  explicit Checker(const Comparison& comparison);
  Verdict check(const Program& program, std::uint64_t seed = 0);

private:
  std::vector<Variant> variantsFor(std::uint64_t seed) const;
  const Comparison& comparison_;
  Runner runner_;
  std::unique_ptr<Runner> reference_;
};

/// Runs the comparison for numbers first, first + 1, ... in child processes until next returns false, and reports each
/// in order. A child that crashes or takes too long is replaced.
void checkAll(const Comparison& comparison, std::uint64_t first, const std::function<Program(std::uint64_t)>& program,
              const std::function<bool(std::uint64_t)>& goesOn, const Report& report);

/// Runs something in a child process that prints as this one does; whether it came to its end.
bool inChild(const std::function<void()>& run);

/// Which of the options the platform accepts, found out in a child process; throws std::runtime_error without a
/// platform.
std::vector<bool> accepted(const std::string& platform, const std::vector<std::string>& options);

}  // namespace clarity::fuzz
