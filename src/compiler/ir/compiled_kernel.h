// SPDX-License-Identifier: Apache-2.0
// This file describes a kernel of a compiled program: its arguments, and what is known of it before any native code
// exists.
#pragma once

#include "compiler/ir/combination.h"
#include "compiler/ir/work_estimate.h"
#include "support/fields.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace clarity::compiler {

/// Address qualifiers of kernel arguments (values of CL_KERNEL_ARG_ADDRESS_*).
enum class AddressQualifier : std::uint32_t { Global = 0x119B, Local = 0x119C, Constant = 0x119D, Private = 0x119E };

enum class ArgKind : std::uint8_t { Value, Buffer, Local, Image, Sampler, Pipe, Queue };

/// The type that an image argument is declared with (OpenCL C 3.0, section 6.3.3).
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

/// A reduction is all that a kernel does with a buffer: it combines integers with those there, atomically, and uses no
/// result. The order does not matter, so each thread can do it in a private copy.
struct Reduction {
  Combination combination = Combination::Add;
  std::uint8_t bytes = 0;  ///< bytes of an integer: 4 or 8; 0: the buffer is none
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
  /// Bytes in the block. For a Value those that clSetKernelArg expects; for an Image those of an ImageDescriptor; else
  /// 8.
  std::uint32_t size = 0;
  std::uint32_t align = 0;   ///< the alignment of a Value, or of what a pointer points at
  std::uint32_t offset = 0;  ///< in the packed argument block
  /// The numbers of a structure, "i4@0 f4@4": integer or float, bytes, offset. Also of what a pointer points at where
  /// the program has debugging information (-cl-clarity-instrument).
  std::string layout{};
  std::uint64_t elementBytes = 0;  ///< bytes of what a pointer points at, where `layout` tells
  Reduction reduction{};
  std::uint32_t capturedAt = 0;  ///< the place of a block's Buffer in the literal, the first argument
  /// The value of a number is a constant of its launch's code (Shape::constants).
  bool isConstant = false;

  static constexpr auto fields() {
    using support::field;
    return support::fieldList(field("kind", &KernelArg::kind), field("image", &KernelArg::image),
                              field("name", &KernelArg::name), field("typeName", &KernelArg::typeName),
                              field("address", &KernelArg::address), field("access", &KernelArg::access),
                              field("typeQualifiers", &KernelArg::typeQualifiers), field("size", &KernelArg::size),
                              field("align", &KernelArg::align), field("offset", &KernelArg::offset),
                              field("layout", &KernelArg::layout), field("elementBytes", &KernelArg::elementBytes),
                              field("reduction", &KernelArg::reduction), field("capturedAt", &KernelArg::capturedAt),
                              field("isConstant", &KernelArg::isConstant));
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
  std::uint64_t localBytes = 0;    ///< bytes of __local variables declared in the kernel
  std::uint64_t privateBytes = 0;  ///< estimate per work-item
  std::uint64_t instructions = 0;  ///< the length of its IR with all calls inlined: how long its code takes to make
  bool hasBarrier = false;
  /// The kernel cannot observe work-group boundaries (no barrier, local memory, local or group ids or sizes): the
  /// device may divide the NDRange as it likes and one native code serves every local size.
  bool groupAgnostic = false;
  bool queriesSize = false;  ///< how many work-items or work-groups there are: it may step by them
  bool reductions = false;   ///< one of the arguments is a reduction
  bool usesPrintf = false;
  bool usesSubGroups = false;
  bool isBlock = false;     ///< a block that kernels enqueue: the application cannot launch it (frontend/blocks.h)
  bool enqueues = false;    ///< uses the functions of device-side enqueue
  bool saysWhyNot = false;  ///< built with -g: enqueue_kernel returns why it failed (OpenCL C 3.0, 6.15.18.1)
  std::uint32_t subGroupSize = 0;          ///< work-items of a full sub-group; known once the builtin library is linked
  std::uint32_t requiredSubGroupSize = 0;  ///< intel_reqd_sub_group_size; 0 if none
  std::uint32_t requiredSubGroups = 0;  ///< sub-groups of a work-group, as SPIR-V may demand; 0 if any number will do
  std::uint32_t inStep = 0;       ///< work-items that run in step as they exchange values without a barrier; 0: none
  bool ordersByAtomics = false;   ///< atomic operations may order other accesses; known with -cl-clarity-instrument
  bool uniformWorkGroups = true;  ///< OpenCL C 1.x or -cl-uniform-work-group-size: no smaller groups at the edges
  WorkEstimate work;

  /// CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE: whole sub-groups, or whole sets of work-items that run in step; for
  /// other kernels the device's.
  std::uint32_t preferredMultiple(std::uint32_t ofDevice) const {
    if (usesSubGroups || requiredSubGroupSize != 0) return subGroupSize;
    return inStep != 0 ? inStep : ofDevice;
  }

  static constexpr auto fields() {
    using K = KernelInfo;
    using support::field;
    return support::fieldList(
        field("name", &K::name), field("attributes", &K::attributes), field("args", &K::args),
        field("argBlockBytes", &K::argBlockBytes), field("requiredLocalSize", &K::requiredLocalSize),
        field("localSizeHint", &K::localSizeHint), field("localBytes", &K::localBytes),
        field("privateBytes", &K::privateBytes), field("instructions", &K::instructions),
        field("hasBarrier", &K::hasBarrier), field("groupAgnostic", &K::groupAgnostic),
        field("queriesSize", &K::queriesSize), field("reductions", &K::reductions), field("usesPrintf", &K::usesPrintf),
        field("usesSubGroups", &K::usesSubGroups), field("isBlock", &K::isBlock), field("enqueues", &K::enqueues),
        field("saysWhyNot", &K::saysWhyNot), field("subGroupSize", &K::subGroupSize),
        field("requiredSubGroupSize", &K::requiredSubGroupSize), field("requiredSubGroups", &K::requiredSubGroups),
        field("inStep", &K::inStep), field("ordersByAtomics", &K::ordersByAtomics),
        field("uniformWorkGroups", &K::uniformWorkGroups), field("work", &K::work));
  }
  bool operator==(const KernelInfo&) const = default;
};

static_assert(support::listsEveryField<Reduction> && support::listsEveryField<KernelArg> &&
              support::listsEveryField<KernelInfo>);

}  // namespace clarity::compiler
