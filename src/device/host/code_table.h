// SPDX-License-Identifier: Apache-2.0
// This file is the code of a kernel on a device, by the shape that it was made for, and the constructors of a program.
#pragma once

#include "compiler/ir/compiled_program.h"
#include "compiler/ir/shape.h"
#include "device/executable.h"
#include "device/result.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace clarity::device::host {

/// Whether a launch has work-groups of its full size, which code for exactly this size may serve; smaller ones at the
/// upper edges, which code for any size serves.
bool hasFullGroups(const NDRange&);
bool hasSmallerGroups(const NDRange&);
/// The shape of code for exactly the launch's work-group size. `kind`: that of code for any size.
compiler::Shape exactShape(const NDRange&, compiler::Shape kind);
inline bool isExact(const compiler::Shape& shape) { return shape.local[0] != 0; }

/// The index of a kernel in the program, also of a copy of the metadata; `kernels.size()` if it is none.
std::size_t indexOf(const compiler::CompiledProgram&, const compiler::KernelInfo&);

/// A map from shapes to a kernel's code. Thread-safe; lookups take no lock. Code that was found stays as long as the
/// table.
template <class Code>
class CodeTable {
public:
  struct Entry {
    compiler::Shape shape;
    std::shared_ptr<Code> code;  ///< null: it could not be made
  };

  /// nullptr if there is none.
  const Entry* find(const compiler::Shape& shape) const { return published().find(shape); }
  /// The code of a shape that `suits(entry)`, or null.
  template <class Suits>
  std::shared_ptr<Code> findIf(const Suits& suits) const {
    const auto& entries = published().entries;
    const auto found = std::ranges::find_if(entries, suits);
    return found == entries.end() ? nullptr : found->code;
  }
  /// So many entries are of code for exactly one work-group size.
  std::size_t exact(bool isQuick) const { return published().exact[isQuick]; }
  /// Adds the code of a shape, or replaces it.
  void add(compiler::Shape shape, std::shared_ptr<Code> code) {
    const std::lock_guard lock(adding_);
    auto next = std::make_unique<Published>(published());
    const auto known = std::ranges::find(next->entries, shape, &Entry::shape);
    if (known != next->entries.end()) {
      known->code = std::move(code);
    } else {
      next->exact[shape.quick] += isExact(shape);
      next->entries.push_back({std::move(shape), std::move(code)});
    }
    all_.push_back(std::move(next));
    published_.store(all_.back().get(), std::memory_order_release);
  }
  /// Locked by who makes code: of quick code and of full code one may be made beside the other.
  std::mutex& making(const compiler::Shape& shape) { return making_[shape.quick]; }
  /// The code of a shape, made unless it is there: `make` returns it, or null and why in `result`, which is tried again
  /// the next time.
  template <class Make>
  Code* findOrMake(const compiler::Shape& shape, Result& result, const Make& make) {
    const std::lock_guard lock(making(shape));
    if (const Entry* const known = find(shape)) return known->code.get();
    std::shared_ptr<Code> code = make(result);
    Code* const made = code.get();
    if (made) add(shape, std::move(code));
    return made;
  }

  /// The code of a shape, or what `take` returns, which takes it from where it is ready. Null if that is null, or a
  /// thread is making code: this one does not wait for it.
  template <class Take>
  Code* findOrTake(const compiler::Shape& shape, const Take& take) {
    if (const Entry* const known = find(shape)) return known->code.get();
    const std::unique_lock lock(making(shape), std::try_to_lock);
    if (!lock) return nullptr;
    std::shared_ptr<Code> code = take();
    Code* const taken = code.get();
    if (taken) add(shape, std::move(code));
    return taken;
  }

private:
  /// Immutable once published. It has few entries, so that a search from end to end is the fastest.
  struct Published {
    std::vector<Entry> entries;
    std::array<std::size_t, 2> exact{};  ///< entries with a work-group size: of full code, of quick code

    const Entry* find(const compiler::Shape& shape) const {
      for (const Entry& entry : entries)
        if (entry.shape == shape) return &entry;
      return nullptr;
    }
  };

  const Published& published() const { return *published_.load(std::memory_order_acquire); }

  const Published none_{};
  std::atomic<const Published*> published_{&none_};
  std::array<std::mutex, 2> making_;
  std::mutex adding_;
  std::vector<std::unique_ptr<const Published>> all_;  ///< ever published, because lookups may use old ones
};

/// The constructors of a program's objects, a kernel of one work-item that runs ahead of the first launch. Thread-safe.
class Constructors {
public:
  explicit Constructors(const compiler::CompiledProgram& compiled)
      : info_(compiled.scope.constructors ? &*compiled.scope.constructors : nullptr),
        isPending_(info_ != nullptr),
        isOver_(!info_) {}

  /// There are some, and they have not run.
  bool arePending() const { return isPending_.load(std::memory_order_acquire); }
  /// Runs them by `run(info)` unless they have run. If that fails, every later call has the error.
  template <class Run>
  Result runOnce(const Run& run) {
    if (isOver_.load(std::memory_order_acquire)) [[likely]]
      return {};
    const std::lock_guard lock(mutex_);
    if (!outcome_) outcome_ = run(*info_);
    isPending_.store(false, std::memory_order_release);
    if (*outcome_) isOver_.store(true, std::memory_order_release);
    return *outcome_;
  }
  /// Their launch, without an executable.
  static Launch launchOf(const compiler::KernelInfo&);

private:
  const compiler::KernelInfo* info_;
  std::atomic<bool> isPending_;
  std::atomic<bool> isOver_;  ///< there are none, or they have run without an error
  std::mutex mutex_;
  std::optional<Result> outcome_;
};

}  // namespace clarity::device::host
