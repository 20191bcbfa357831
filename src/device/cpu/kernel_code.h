// SPDX-License-Identifier: Apache-2.0
// This file is the native code of one kernel: one compiled function for each shape that was launched.
#pragma once

#include "compiler/host/host_code.h"
#include "device/executable.h"

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

/// A map from shapes to native code. Thread-safe; lookups take no lock.
class KernelCode {
public:
  /// What a launch executes. `exact` serves work-groups of the full size, `any` all others; one may be null when the
  /// launch has no such groups.
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
  /// code without the work-group size.
  Choice find(const compiler::KernelInfo&, const NDRange&, const compiler::Shape& kind, bool& complete) const;
  /// Compiles what find() misses. After success find() is complete.
  Result make(const compiler::KernelInfo&, const NDRange&, const compiler::Shape& kind, const MakeCode&);
  /// Code of a shape for groups of any size, compiled unless it is there.
  Result makeForAnySize(const compiler::KernelInfo&, const compiler::Shape&, const MakeCode&,
                        const compiler::NativeKernel*& code);
  /// Takes what find() misses from the cache; false if that does not have all of it. Waits for no thread that compiles.
  bool takeKept(const compiler::KernelInfo&, const NDRange&, const compiler::Shape& kind, const MakeCode&);

  /// Nanoseconds that a work-item took in recent launches; 0: unknown.
  std::atomic<float> nsPerItem{0};

  bool usesImages = false;  ///< there are images or samplers among the arguments: the shape has their formats

  /// Some thread will compile code for a launch to come.
  std::atomic<bool> beingMadeAhead{false};

private:
  struct Entry {
    compiler::Shape shape;
    std::shared_ptr<compiler::NativeKernel> kernel;  ///< null: could not be compiled, the code for any size serves
  };
  /// Immutable once published. Has few entries, so a search from end to end is the fastest.
  struct Table {
    std::vector<Entry> entries;
    std::size_t exact = 0;  ///< entries with a work-group size

    const Entry* find(const compiler::Shape&) const;
  };

  const Table& table() const { return *table_.load(std::memory_order_acquire); }
  /// Publishes a table with one more entry; call with making_ locked.
  void add(Entry);
  /// Whether find() misses code for exactly this work-group size.
  bool wantsExact(const compiler::KernelInfo&, const NDRange&, const compiler::Shape& exact) const;

  static const Table none;
  std::atomic<const Table*> table_{&none};
  std::mutex making_;
  std::vector<std::unique_ptr<const Table>> tables_;  ///< all ever published, because lookups may use old ones
};

}  // namespace clarity::device::cpu
