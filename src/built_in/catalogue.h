// SPDX-License-Identifier: Apache-2.0
// This file is the list of built-in kernels (OpenCL 3.0, section 5.8.1): names, arguments, documentation. It is
// made from the tables of the families, and reports of devices and docs/built-in-kernels.md are made from it.
#pragma once

#include "built_in/element_type.h"
#include "compiler/ir/compiled_kernel.h"

#include <CL/cl.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::built_in {

class Builder;

/// A row of a family's table: one kernel for each of the types, or for each pair of them.
struct Entry {
  const char* name;         ///< without types: "clarity.axpy"
  const char* types;        ///< "f32 f64"; nullptr: the name is complete
  const char* secondTypes;  ///< the second of pairs; nullptr: there are none
  /// In OpenCL C, where T and U are the types in memory and S and V those that they are computed as.
  const char* signature;
  const char* summary;  ///< one line
  const char* file;     ///< a file of src/builtins/kernels, without .cl
  void (*plan)(Builder&);
  const char* operation = nullptr;  ///< the operation of a file that is compiled once for each
  /// Further files whose functions it launches: "scan sum u32", separated by semicolons; - is no operation, @ the
  /// kernel's own, * its own type.
  const char* also = nullptr;
  bool usesRange = false;  ///< the NDRange is the application's; otherwise the kernel divides its work itself
};

/// Kernels that belong together.
struct Family {
  const char* title;
  const char* text;  ///< about all of them, in Markdown
  std::span<const Entry> entries;
};

/// One built-in kernel. Immutable, and lives as long as the process.
struct Kernel {
  const Entry* entry;
  const Family* family;
  const ElementType* type = nullptr;
  const ElementType* secondType = nullptr;
  /// The name, and the arguments as clGetKernelArgInfo describes them. Offsets are those of a block that no code reads.
  compiler::KernelInfo info{};

  const std::string& name() const { return info.name; }
  /// "void clarity.fill.f32(ulong n, float value, global float* x, ulong incx)"
  std::string signature() const;
  bool needsDouble() const;
};

constexpr cl_version kernelVersion = CL_MAKE_VERSION(1, 0, 0);

std::span<const Family> families();
/// All, in the order of the families.
const std::vector<Kernel>& kernels();
/// A kernel's name as an identifier: with underscores for dots.
std::string identifierOf(std::string name);
/// The kernel of this name, or of the name with dots for underscores: libraries make identifiers of kernels' names. The
/// kernel has the name that is given. Null if there is none.
const Kernel* find(std::string_view name);

}  // namespace clarity::built_in
