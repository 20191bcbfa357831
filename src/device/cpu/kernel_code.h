// SPDX-License-Identifier: Apache-2.0
// This file is the native code of one kernel: one compiled function for each shape that was launched.
#pragma once

#include "compiler/driver/generate_native.h"
#include "device/executable.h"
#include "device/host/code_table.h"
#include "device/host/constant_arguments.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace clarity::device::cpu {

/// Compiles a kernel of one program for a shape, or takes it from the cache.
using MakeCode =
    std::function<compiler::NativeOutcome(std::string_view kernel, const compiler::Shape&, compiler::IfNotKept)>;

/// The native code of a kernel, and what its launches have been like. Thread-safe; lookups take no lock.
class KernelCode {
public:
  /// The code that a launch executes. `exact` serves work-groups of the full size, `any` all others; one may be null
  /// when the launch has no such groups.
  struct Choice {
    const compiler::NativeKernel* exact = nullptr;
    const compiler::NativeKernel* any = nullptr;
    compiler::Instrumentation instrumentation = compiler::Instrumentation::None;
    bool privateReductions = false;  ///< its code uses a thread's private copies of reductions
  };

  /// So many work-group sizes have code compiled for exactly that size; all further ones share the code for any size.
  /// A policy that limits compile time, not room: kernels are launched with few sizes, or with as many as there are.
  static constexpr std::size_t mostExact = 16;

  /// The code for a launch if it is there already; false in `complete` if some is missing. `kind` is the shape of its
  /// code without the work-group size; quick code and full code are different kinds.
  Choice find(const compiler::KernelInfo&, const NDRange&, const compiler::Shape& kind, bool& complete) const;
  /// Compiles what find() misses. After success find() is complete.
  Result make(const compiler::KernelInfo&, const NDRange&, const compiler::Shape& kind, const MakeCode&,
              compiler::IfNotKept = compiler::IfNotKept::Generate);
  /// Code of a shape for groups of any size, compiled unless it is there.
  Result makeForAnySize(const compiler::KernelInfo&, const compiler::Shape&, const MakeCode&,
                        const compiler::NativeKernel*& code);
  /// Takes what find() misses from the cache; false if that does not have all of it. Waits for no thread that compiles.
  bool loadFromCache(const compiler::KernelInfo&, const NDRange&, const compiler::Shape& kind, const MakeCode&);

  /// A launch begins: whether it is the first of its shape that does, so that quick code is enough for it. `kind` is
  /// that of full code. False too if many shapes have been launched.
  bool beginsFirst(const compiler::KernelInfo&, const NDRange&, const compiler::Shape& kind);
  /// A launch is going to begin when others have ended: whether it is the first that is known of.
  bool waitsFirst(const compiler::KernelInfo&, const NDRange&, const compiler::Shape& kind);

  /// Nanoseconds that a work-item took in recent launches; 0: unknown.
  std::atomic<float> nsPerItem{0};

  bool usesConstants = false;  ///< there are numbers among the arguments that are constants of the code
  mutable host::ConstantArguments constants;
  bool usesImages = false;  ///< there are images or samplers among the arguments: the shape has their formats

  /// Some thread will compile code for a launch to come: full code, quick code.
  std::array<std::atomic<bool>, 2> beingMadeAhead{};

private:
  /// Code for a work-group size that could not be compiled is null: the code for any size serves.
  using Table = host::CodeTable<const compiler::NativeKernel>;

  /// A shape that has been launched, or will be.
  struct Launched {
    compiler::Shape shape;
    bool waits = false, begun = false;
  };
  static constexpr std::size_t mostLaunched = 64;

  /// Whether find() misses code for exactly this work-group size.
  bool wantsExact(const compiler::KernelInfo&, const NDRange&, const compiler::Shape& exact) const;

  /// The place of a shape in launched_, which is locked; null if there are too many.
  Launched* launched(const compiler::KernelInfo&, const NDRange&, const compiler::Shape& kind);

  Table table_;
  std::mutex launching_;
  std::vector<Launched> launched_;
};

}  // namespace clarity::device::cpu
