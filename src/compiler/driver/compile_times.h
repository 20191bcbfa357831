// SPDX-License-Identifier: Apache-2.0
// This file tells a listener of every compile, when it began and ended, and whether the disk cache had the result.
#pragma once

#include "compiler/ir/shape.h"

#include <cstdint>
#include <string_view>

namespace clarity::compiler {

struct CompileTimes {
  /// "build", "compile", "link", or "code": of a kernel for a shape; "machine code": by the GPU's driver, behind
  /// "code".
  std::string_view what;
  std::string_view kernel;           ///< the kernel of "code" and "machine code"
  std::uint64_t begin = 0, end = 0;  ///< support/clock.h
  bool fromCache = false;
  bool isQuick = false;    ///< Shape::quick
  bool isCounted = false;  ///< counted code, which a profile asks for and the program does not
};

/// Called on the thread that asked for the compile. Set once, before the first; there is one.
void listenToCompiles(void (*listener)(const CompileTimes&));

/// A compile, from its construction to its destruction.
class TimedCompile {
public:
  explicit TimedCompile(std::string_view what);
  TimedCompile(std::string_view kernel, const Shape& shape, std::string_view what = "code");
  ~TimedCompile();
  TimedCompile(const TimedCompile&) = delete;
  TimedCompile& operator=(const TimedCompile&) = delete;

  void setFromCache(bool is) { times_.fromCache = is; }
  /// It was no compile: nothing was found, and nothing was made.
  void forget() { listener_ = nullptr; }

private:
  void (*listener_)(const CompileTimes&);
  CompileTimes times_;
};

}  // namespace clarity::compiler
