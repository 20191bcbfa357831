// SPDX-License-Identifier: Apache-2.0
// This file is the types of the elements that built-in kernels work on.
#pragma once

#include <cstddef>
#include <string_view>

namespace clarity::built_in {

/// A type as the name of a kernel ends with it.
struct ElementType {
  std::string_view suffix;      ///< "f16"
  std::string_view stored;      ///< in memory, as OpenCL C writes it: "half"; bfloat16 is ushort
  std::string_view arithmetic;  ///< the type that it is computed and passed as: "float"
  std::size_t bytes;            ///< in memory
};

/// Null if there is none.
const ElementType* elementType(std::string_view suffix);

}  // namespace clarity::built_in
