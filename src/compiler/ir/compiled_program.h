// SPDX-License-Identifier: Apache-2.0
// This file is a compiled program: its kernels with their arguments, its variables and its code, and how it becomes
// bytes.
#pragma once

#include "compiler/ir/combination.h"
#include "compiler/ir/target.h"
#include "compiler/ir/work_estimate.h"
#include "support/fields.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::compiler {

/// Address qualifiers of kernel arguments (values of CL_KERNEL_ARG_ADDRESS_*).
enum class AddressQualifier : std::uint32_t { Global = 0x119B, Local = 0x119C, Constant = 0x119D, Private = 0x119E };

enum class ArgKind : std::uint8_t { Value, Buffer, Local, Image, Sampler, Pipe };

/// What an argument that is an image is declared as (OpenCL C 3.0, section 6.3.3).
enum class ImageArgType : std::uint8_t {
  None,  ///< the argument is no image
  Image1D,
  Image1DBuffer,
  Image1DArray,
  Image2D,
  Image2DArray,
  Image3D,
  Image2DDepth,
  Image2DArrayDepth,
  Other,  ///< with several samples: there are no such images
};

/// What a kernel does with a buffer if this is all it does with it: it combines integers with those there, atomically,
/// and uses no result. The order does not matter, so each thread can do it in a private copy.
struct Reduction {
  Combination combination = Combination::Add;
  std::uint8_t bytes = 0;  ///< of an integer: 4 or 8; 0: the buffer is none
  explicit operator bool() const { return bytes != 0; }

  static constexpr auto fields() {
    return support::fieldList(support::field("combination", &Reduction::combination),
                              support::field("bytes", &Reduction::bytes));
  }
  bool operator==(const Reduction&) const = default;
};

/// One kernel argument (clGetKernelArgInfo; clSetKernelArg checks against it).
struct KernelArg {
  ArgKind kind = ArgKind::Value;
  ImageArgType image = ImageArgType::None;
  std::string name{};      ///< empty unless built with -cl-kernel-arg-info or from source
  std::string typeName{};  ///< as in the source, "float4*"
  AddressQualifier address = AddressQualifier::Private;
  std::uint32_t access = 0x11A3;     ///< CL_KERNEL_ARG_ACCESS_*; NONE
  std::uint64_t typeQualifiers = 0;  ///< CL_KERNEL_ARG_TYPE_* bits
  /// Bytes in the block. Of a Value, what clSetKernelArg expects; of an Image, those of an ImageDescriptor; else 8.
  std::uint32_t size = 0;
  std::uint32_t align = 0;   ///< of a Value, or of what a pointer points at
  std::uint32_t offset = 0;  ///< in the packed argument block
  /// Of a structure: its numbers, "i4@0 f4@4": integer or float, bytes, offset. Also of what a pointer points at where
  /// the program has debugging information (-cl-clarity-instrument).
  std::string layout{};
  std::uint64_t elementBytes = 0;  ///< of what a pointer points at, where `layout` tells
  Reduction reduction{};

  static constexpr auto fields() {
    using support::field;
    return support::fieldList(field("kind", &KernelArg::kind), field("image", &KernelArg::image),
                              field("name", &KernelArg::name), field("typeName", &KernelArg::typeName),
                              field("address", &KernelArg::address), field("access", &KernelArg::access),
                              field("typeQualifiers", &KernelArg::typeQualifiers), field("size", &KernelArg::size),
                              field("align", &KernelArg::align), field("offset", &KernelArg::offset),
                              field("layout", &KernelArg::layout), field("elementBytes", &KernelArg::elementBytes),
                              field("reduction", &KernelArg::reduction));
  }
  bool operator==(const KernelArg&) const = default;
};

/// A kernel of a compiled program, as it is known before any native code exists.
struct KernelInfo {
  std::string name;
  std::string attributes;  ///< CL_KERNEL_ATTRIBUTES
  std::vector<KernelArg> args;
  std::uint32_t argBlockBytes = 0;
  std::array<std::uint32_t, 3> requiredLocalSize{};  ///< reqd_work_group_size; 0 0 0 if none
  std::array<std::uint32_t, 3> localSizeHint{};
  std::uint64_t localBytes = 0;    ///< of __local variables declared in the kernel
  std::uint64_t privateBytes = 0;  ///< estimate per work-item
  bool hasBarrier = false;
  /// The kernel cannot observe work-group boundaries (no barrier, local memory, local or group ids or sizes): the
  /// device may divide the NDRange as it likes and one native code serves every local size.
  bool groupAgnostic = false;
  bool queriesSize = false;  ///< how many work-items or work-groups there are: it may step by them
  bool reductions = false;   ///< one of the arguments is a reduction
  bool usesPrintf = false;
  bool usesSubGroups = false;
  std::uint32_t subGroupSize = 0;          ///< work-items of a full sub-group; known once the builtin library is linked
  std::uint32_t requiredSubGroupSize = 0;  ///< intel_reqd_sub_group_size; 0 if none
  bool ordersByAtomics = false;   ///< atomic operations may order other accesses; known with -cl-clarity-instrument
  bool uniformWorkGroups = true;  ///< OpenCL C 1.x or -cl-uniform-work-group-size: no smaller groups at the edges
  WorkEstimate work;

  static constexpr auto fields() {
    using K = KernelInfo;
    using support::field;
    return support::fieldList(
        field("name", &K::name), field("attributes", &K::attributes), field("args", &K::args),
        field("argBlockBytes", &K::argBlockBytes), field("requiredLocalSize", &K::requiredLocalSize),
        field("localSizeHint", &K::localSizeHint), field("localBytes", &K::localBytes),
        field("privateBytes", &K::privateBytes), field("hasBarrier", &K::hasBarrier),
        field("groupAgnostic", &K::groupAgnostic), field("queriesSize", &K::queriesSize),
        field("reductions", &K::reductions), field("usesPrintf", &K::usesPrintf),
        field("usesSubGroups", &K::usesSubGroups), field("subGroupSize", &K::subGroupSize),
        field("requiredSubGroupSize", &K::requiredSubGroupSize), field("ordersByAtomics", &K::ordersByAtomics),
        field("uniformWorkGroups", &K::uniformWorkGroups), field("work", &K::work));
  }
  bool operator==(const KernelInfo&) const = default;
};

/// A program's variables in global memory: one block, of which every program object has its own on every device. Native
/// code names a variable by a symbol that is bound to the block's address when the code is loaded.
struct GlobalVariables {
  struct Variable {
    std::string symbol;
    std::uint64_t offset = 0, bytes = 0;

    static constexpr auto fields() {
      using support::field;
      return support::fieldList(field("symbol", &Variable::symbol), field("offset", &Variable::offset),
                                field("bytes", &Variable::bytes));
    }
    bool operator==(const Variable&) const = default;
  };
  /// What is not zero to begin with.
  struct Content {
    std::uint64_t offset = 0;
    std::string bytes;

    static constexpr auto fields() {
      return support::fieldList(support::field("offset", &Content::offset), support::field("bytes", &Content::bytes));
    }
    bool operator==(const Content&) const = default;
  };
  /// A place that begins as the address of another place of the block.
  struct Pointer {
    std::uint64_t offset = 0, target = 0;

    static constexpr auto fields() {
      return support::fieldList(support::field("offset", &Pointer::offset), support::field("target", &Pointer::target));
    }
    bool operator==(const Pointer&) const = default;
  };
  std::uint64_t bytes = 0;
  std::uint32_t alignment = 1;
  std::uint64_t largest = 0;        ///< bytes of the largest variable
  std::vector<Variable> variables;  ///< by symbol
  std::vector<Content> contents;
  std::vector<Pointer> pointers;

  const Variable* find(std::string_view symbol) const;

  static constexpr auto fields() {
    using G = GlobalVariables;
    using support::field;
    return support::fieldList(field("bytes", &G::bytes), field("alignment", &G::alignment),
                              field("largest", &G::largest), field("variables", &G::variables),
                              field("contents", &G::contents), field("pointers", &G::pointers));
  }
  bool operator==(const GlobalVariables&) const = default;
};

/// What a program has beside its kernels.
struct ProgramScope {
  GlobalVariables variables;
  /// Runs once, as one work-item, ahead of the first kernel: the constructors of program-scope objects. The application
  /// cannot launch it.
  std::optional<KernelInfo> constructors;

  static constexpr auto fields() {
    return support::fieldList(support::field("variables", &ProgramScope::variables),
                              support::field("constructors", &ProgramScope::constructors));
  }
  bool operator==(const ProgramScope&) const = default;
};

enum class BinaryType : std::uint8_t { Object = 1, Library = 2, Executable = 4 };  // values of CL_PROGRAM_BINARY_TYPE_*

/// A compiled program: what clGetProgramInfo(CL_PROGRAM_BINARIES) returns and clCreateProgramWithBinary takes.
struct CompiledProgram {
  BinaryType kind = BinaryType::Executable;
  std::string options;              ///< of the build, as the application gave them
  std::vector<KernelInfo> kernels;  ///< in the source's order
  ProgramScope scope;               ///< of an Executable; of others, how many bytes of variables they define
  std::string bitcode;     ///< Object, Library: portable IR; Executable: kernel IR (builtins linked, optimised)
  std::string portableIR;  ///< of an Executable whose code may be instrumented: with source lines and names; else empty
  std::array<std::uint64_t, 2> hash{};  ///< of all of the above and the target; native code is cached under it

  const KernelInfo* find(std::string_view kernel) const;

  static constexpr auto fields() {
    using support::field;
    return support::fieldList(field("kind", &CompiledProgram::kind), field("options", &CompiledProgram::options),
                              field("kernels", &CompiledProgram::kernels), field("scope", &CompiledProgram::scope),
                              field("bitcode", &CompiledProgram::bitcode),
                              field("portableIR", &CompiledProgram::portableIR), field("hash", &CompiledProgram::hash));
  }
  bool operator==(const CompiledProgram&) const = default;
};

static_assert(support::listsEveryField<Reduction> && support::listsEveryField<KernelArg> &&
              support::listsEveryField<KernelInfo>);
static_assert(support::listsEveryField<GlobalVariables> && support::listsEveryField<GlobalVariables::Variable> &&
              support::listsEveryField<GlobalVariables::Content> && support::listsEveryField<GlobalVariables::Pointer>);
static_assert(support::listsEveryField<ProgramScope> && support::listsEveryField<CompiledProgram>);

/// Fills in CompiledProgram::hash from everything else in the compiled program and from the target. Last step of making
/// one.
void seal(CompiledProgram&, const Target&);

std::string serialise(const CompiledProgram&, const Target&);
/// nullptr and a sentence in `why` when the bytes are cut short, changed, or of another version or device.
std::shared_ptr<const CompiledProgram> deserialise(std::span<const std::byte>, const Target&, std::string& why);

}  // namespace clarity::compiler
