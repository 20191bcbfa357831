// SPDX-License-Identifier: Apache-2.0
// This file declares kernel arguments as `clarity exec` sees them: what the kernel expects, what the user gives, and
// the errors if the two do not match.
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

enum class ArgumentKind { Value, Buffer, Local, Queue, Unsupported };

/// One argument of a kernel, from clGetKernelArgInfo.
struct Argument {
  cl_uint index = 0;
  std::string name;
  std::string typeName;     ///< "float4*"
  std::string declaration;  ///< "__global const float4* positions"
  ArgumentKind kind = ArgumentKind::Value;
  bool readOnly = false;               ///< a pointer to const or __constant
  std::optional<ElementType> element;  ///< the type of the value, or of what is pointed at; nothing for structures

  std::string title() const;         ///< "argument 2 'positions' (__global const float4*)"
  std::string expectedText() const;  ///< "FILE.npy, zeros:COUNT, ..."
};

/// The arguments of the kernel, which must have been built with -cl-kernel-arg-info. Throws cl::Error.
std::vector<Argument> argumentsOf(const cl::Kernel& kernel);

/// The index of the argument whose name or number is `word`. Throws UsageError that names `option`.
cl_uint findArgument(const std::vector<Argument>& arguments, const std::string& option, const std::string& word);

struct LocalMemory {
  size_t bytes;
};
struct NullBuffer {};
/// The default on-device command-queue.
struct OnDeviceQueue {};
/// The buffer of an argument ahead of this one.
struct SameBuffer {
  cl_uint argument;
};
/// The value of an argument: bytes of a value, a buffer's content, local memory, NULL, or a command-queue.
using ArgumentValue = std::variant<std::vector<std::byte>, Array, LocalMemory, NullBuffer, SameBuffer, OnDeviceQueue>;

/// Parses what the user gave. Throws UsageError (it does not match) or Failure (a file cannot be read).
ArgumentValue parseArgument(const Argument& argument, const std::string& given, std::uint64_t seed);

/// The syntax of arguments, for help texts.
std::string argumentHelp();

}  // namespace clarity::tools
