// SPDX-License-Identifier: Apache-2.0
// This file is a program on the CPU: native code made when it is first needed, and launches divided among workers.
#pragma once

#include "compiler/host/host_code.h"
#include "device/cpu/variable_storage.h"
#include "device/cpu/workers.h"
#include "device/executable.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

namespace clarity::device::cpu {

/// Where native code comes from: compiler::generateNative, or a test's own.
using Generate = std::function<compiler::NativeOutcome(const compiler::Image&, std::string_view kernel,
                                                       const compiler::Shape&, const compiler::Target&, std::byte* variables)>;

/// The same for the kernels of one program.
using MakeCode = std::function<compiler::NativeOutcome(std::string_view kernel, const compiler::Shape&)>;

/// Native code of one kernel. Lookups take no lock.
class KernelCode {
public:
  /// What a launch executes. `exact` serves work-groups of the full size, `any` all others; one may be null when the
  /// launch has no such groups.
  struct Choice {
    const compiler::NativeKernel* exact = nullptr;
    const compiler::NativeKernel* any = nullptr;
    bool privateReductions = false;  ///< its code takes a thread's own copies of reductions
    compiler::Instrumentation instrumentation = compiler::Instrumentation::None;
  };

  /// The code for a launch if it is there already; false in `complete` if some is missing. `kind`: what the shape of
  /// its code says apart from the work-group's size.
  Choice find(const compiler::KernelInfo&, const NDRange&, const compiler::Shape& kind, bool& complete) const;
  /// Makes what find() misses. A text is what went wrong.
  Result make(const compiler::KernelInfo&, const NDRange&, const compiler::Shape& kind, const MakeCode&);

  /// Nanoseconds that a work-item took in recent launches; 0: unknown.
  std::atomic<float> nsPerItem{0};

  /// Some thread will make code for a launch to come.
  std::atomic<bool> beingMadeAhead{false};

private:
  /// Shapes that get code of their own; more of them share the code for any size.
  static constexpr std::size_t mostExact = 16;
  static constexpr std::size_t kinds = 8;  ///< wide ids or not, past the caches or not, in steps or not
  struct Variant {
    compiler::Shape shape;
    std::shared_ptr<compiler::NativeKernel> kernel;  ///< null: could not be made, `any` serves
  };

  using Slot = std::atomic<const Variant*>;
  static const Variant* findIn(std::span<const Slot> slots, const compiler::Shape&);

  std::mutex making_;
  std::array<Slot, mostExact> exact_{};
  std::array<Slot, kinds> any_{};
  std::vector<std::unique_ptr<const Variant>> owned_;  ///< guarded by making_
};

/// device::Executable for the CPU.
class CpuExecutable final : public Executable {
public:
  /// std::bad_alloc when there is no memory for the program's variables.
  CpuExecutable(std::shared_ptr<const compiler::Image> image, const compiler::Target& target, std::shared_ptr<Workers> workers,
                std::shared_ptr<Allocator> allocator, std::size_t printfBytes, std::uint64_t cacheBytes, Generate generate);
  ~CpuExecutable() override;

  Result prepare(const Launch&) override;
  void prepareAhead(const Launch&) override;
  Result run(const Launch&) override;

private:
  KernelCode* codeOf(const compiler::KernelInfo&);
  compiler::Shape kindOf(const Launch&) const;
  /// Runs the constructors of program-scope objects, if there are any and nobody has; what went wrong then goes wrong for all.
  Result construct();
  Result runConstructors(const compiler::KernelInfo&);

  std::shared_ptr<const compiler::Image> image_;
  compiler::Target target_;
  std::shared_ptr<Workers> workers_;
  std::size_t printfBytes_;
  std::uint64_t cacheBytes_;  ///< what a launch may expect to find again in the last level
  VariableStorage variables_;  ///< shared by all code of all kernels
  MakeCode makeCode_;
  std::unique_ptr<KernelCode[]> kernels_;  ///< as many as image_->kernels

  std::mutex constructing_;
  bool constructed_ = false;
  Result construction_;
};

}  // namespace clarity::device::cpu
