// SPDX-License-Identifier: Apache-2.0
// This file declares kernel arguments as `clarity exec` sees them: what the kernel wants, what the user gives, and the
// sentence that says why the two do not fit.
#pragma once

#include "array.h"
#include "cl_api.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace clarity::tools {

enum class ArgumentKind { Value, Buffer, Local, Unsupported };

/// One argument of a kernel, from clGetKernelArgInfo.
struct Argument {
  cl_uint index = 0;
  std::string name;
  std::string typeName;     ///< "float4*"
  std::string declaration;  ///< "__global const float4* positions"
  ArgumentKind kind = ArgumentKind::Value;
  std::optional<ElementType> element;  ///< of the value, or of what is pointed at; nothing for structures

  std::string title() const;       ///< "argument 2 'positions' (__global const float4*)"
  std::string wantedText() const;  ///< "FILE.npy, zeros:COUNT, ..."
};

/// Arguments of the kernel, which must have been built with -cl-kernel-arg-info. Throws cl::Error.
std::vector<Argument> argumentsOf(const cl::Kernel& kernel);

/// The index of the argument that is called `word` or has this number. Throws UsageError that names `option`.
cl_uint findArgument(const std::vector<Argument>& arguments, const std::string& option, const std::string& word);

struct LocalMemory {
  size_t bytes;
};
struct NullBuffer {};
/// What an argument is set to: bytes of a value, a buffer's content, local memory, or NULL.
using ArgumentValue = std::variant<std::vector<std::byte>, Array, LocalMemory, NullBuffer>;

/// Reads what the user gave. Throws UsageError (it does not fit) or Failure (a file cannot be read).
ArgumentValue parseArgument(const Argument& argument, const std::string& given, std::uint64_t seed);

/// How arguments can be given, for help pages.
std::string argumentHelp();

}  // namespace clarity::tools
