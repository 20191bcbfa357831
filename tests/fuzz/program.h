// SPDX-License-Identifier: Apache-2.0
// This file holds a random program: one kernel, what it is launched with, and the definitions around it. Parts that the
// kernel does not mention are not printed, so a reducer need not tidy up behind itself.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "syntax_tree.h"

namespace clarity::fuzz {

/// A kernel argument.
struct Parameter {
  /// Mistakes: zeros, and anything else afterwards says that the program noticed a wrong result itself.
  enum class Use : std::uint8_t { Input, Output, Value, LocalMemory, Mistakes };

  std::string name;
  std::string declaration;
  Use use = Use::Input;
  Base base = Base::Int;
  std::int64_t count = 1;    ///< elements of a buffer or of local memory
  std::int64_t value = 0;    ///< the value of a scalar
  std::string sameBufferAs;  ///< the parameter whose buffer this one gets too, or empty
  std::int64_t most = 0;     ///< a bound of an input of integers: none is larger, nor smaller than the negative; 0: any
};

struct Launch {
  unsigned dimensions = 1;
  std::array<std::size_t, 3> global{1, 1, 1}, local{1, 1, 1}, offset{0, 0, 0};
  bool localGiven = true;  ///< otherwise the implementation chooses the work-group size
  std::string describe() const;
  std::size_t items() const { return global[0] * global[1] * global[2]; }
  std::size_t localItems() const { return localGiven ? local[0] * local[1] * local[2] : items(); }
};

/// Something that is printed where the text after it mentions its name.
struct Definition {
  std::string name;
  NodeRef node;
};

struct Program {
  std::vector<Parameter> parameters;
  std::vector<Definition> definitions;  ///< at file scope: types, tables, functions
  std::vector<Definition> prologue;     ///< at the start of the kernel: ids, local memory
  NodeRef body;
  std::vector<Launch> launches;
  int subGroupSize = 0;  ///< that the kernel requires if it has sub-group functions

  struct Text {
    std::string source;
    std::vector<Parameter> parameters;  ///< the ones that the kernel has, in order
  };
  Text text() const;
};

/// The kernel's name in every program.
inline constexpr const char* kKernelName = "fuzz";

}  // namespace clarity::fuzz
