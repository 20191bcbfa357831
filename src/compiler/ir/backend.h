// SPDX-License-Identifier: Apache-2.0
// This file is what a back end is: everything that the way from portable IR to device code needs to know about one kind
// of device. The rest of the compiler depends on no processor. backends.cpp lists the back ends; host/ is the CPU's.
#pragma once

#include "compiler/ir/compiled_program.h"
#include "compiler/ir/device_code.h"
#include "compiler/ir/shape.h"
#include "compiler/ir/target.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace clarity::compiler {

struct Options;
struct VectorTarget;

/// A machine of LLVM's to generate code for, which no other thread uses meanwhile. The back end may keep it for its
/// next compile.
using Machine = std::unique_ptr<llvm::TargetMachine, std::function<void(llvm::TargetMachine*)>>;

/// The input of generation: a module of kernel IR with one kernel, and the target, shape and options.
struct KernelToGenerate {
  llvm::Module& module;
  const KernelInfo& kernel;
  const ProgramScope& scope;  ///< the scope of the kernel's program
  const Shape& shape;
  const Options& options;
  const Target& target;
};

/// One kind of device. Without state; any thread.
class BackEnd {
public:
  virtual ~BackEnd() = default;
  /// The name in Target::backEnd.
  virtual std::string_view name() const = 0;

  // --- once a program ---------------------------------------------------------------------------------------------

  /// Macros that the target's processor makes true for the preprocessor: "FP_FAST_FMAF=1".
  virtual std::vector<std::string> macros(const Target&) const = 0;
  /// Work-items of a full sub-group where neither the kernel nor an option asks for another size.
  virtual std::uint32_t subGroupSize(const Target&) const = 0;
  /// The sizes that a kernel may ask for.
  virtual std::span<const std::uint32_t> subGroupSizes(const Target&) const = 0;
  /// The facts that passes need about the processor's vectors and floating-point instructions.
  virtual VectorTarget vectors(const Target&, const llvm::TargetMachine&) const = 0;
  /// Null if LLVM has no code generator for the target.
  virtual Machine machine(const Target&, bool optimise) const = 0;
  /// Portable IR, linked with what it uses of the builtin library, becomes a module for the device: triple, data
  /// layout, function attributes, which operations may be contracted. Address spaces stay.
  virtual void retarget(llvm::Module&, const llvm::TargetMachine&, const Target&) const = 0;
  /// Whether atomic operations and fences have scopes and orders of their own (passes/lower_atomic_orders.h).
  virtual bool hasScopes() const { return false; }
  /// Whether it has functions of its own for products of matrices that a sub-group has in its registers.
  virtual bool multipliesMatrices() const { return false; }
  /// Whether code may contain inline assembly, in the device's language.
  virtual bool takesAssembly() const { return false; }
  /// Remarks on the parts of a kernel that will be given up for the compiler's budget, a line each, as far as known
  /// before there is a work-group size.
  virtual std::string remarks(const llvm::Module& kernelIR, const KernelInfo&, const Options&, const Target&) const = 0;
  /// Why no device of the target can execute a kernel that toKernelIR() has filled in, whatever the launch: "kernel 'k'
  /// has ...". Empty if one can.
  virtual std::string objectionTo(const KernelInfo&, const Target&) const { return {}; }
  /// Whether the lesser and the greater of two floats are an instruction each, which takes the other one of a NaN.
  virtual bool choosesAmongFloats() const { return false; }
  /// The device's function, found when code is generated, that computes the builtin `name` of scalars whose first
  /// parameter is float ("exp"), within the bounds of unsafe math if `relaxed`; empty where the library's code serves.
  virtual std::string_view floatForm([[maybe_unused]] std::string_view name, [[maybe_unused]] bool relaxed) const {
    return {};
  }
  /// The same for double, which unsafe math does not change.
  virtual std::string_view doubleForm([[maybe_unused]] std::string_view name) const { return {}; }
  /// Called when a process builds its first program, before the front end runs: what takes long may begin on another
  /// thread.
  virtual void warmUp(const Target&) const {}

  // --- once a shape -----------------------------------------------------------------------------------------------

  /// The kernel's code; null and a reason in `error` if there is none. The module is used up.
  virtual std::unique_ptr<DeviceCode> generate(const KernelToGenerate&, std::string& error) const = 0;
  /// The same as text (or as the device's object) for people; empty with a reason in `error`.
  virtual std::string show(const KernelToGenerate&, NativeForm, std::string& error) const = 0;
  /// The report on generate()'s code for the kernel, region by region and by source line where the module has them. The
  /// module is used up.
  virtual std::string report(const KernelToGenerate&) const = 0;
  /// DeviceCode::bytes() back; null if they are damaged.
  virtual std::shared_ptr<DeviceCode> read(std::string_view bytes) const = 0;
};

/// All back ends.
std::span<const BackEnd* const> backEnds();

/// The back end of this name; null if there is none.
const BackEnd* findBackEnd(std::string_view name);

/// The back end of a target that findBackEnd() has been asked about.
const BackEnd& backEndOf(const Target&);

}  // namespace clarity::compiler
