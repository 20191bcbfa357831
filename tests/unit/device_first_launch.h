// SPDX-License-Identifier: Apache-2.0
// This file is for tests of first launches on the CPU: an executable whose quick and full code are written by hand.
#pragma once

#include "compiler/ir/kernel_abi.h"
#include "device/cpu/allocator.h"
#include "device/cpu/executable.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace clarity::test {

using compiler::IfNotKept;
using compiler::LaunchInfo;
using compiler::NativeKernel;
using compiler::Shape;
using compiler::Slice;
using compiler::WorkerMemory;
using compiler::WorkStep;
using device::Launch;
using device::Result;
using device::Runs;
using device::cpu::Allocator;
using device::cpu::CpuExecutable;
using device::cpu::PreparedLaunch;
using device::host::Workers;

using Counter = std::atomic<std::uint32_t>;

/// Work-items that quick code and full code have executed.
inline std::atomic<std::uint64_t> byQuick, byFull;
/// Quick code takes this long for each slice. Behind the first few slices it takes fifty times as long as they do until
/// there is full code, if there will be any: longer than compiling it seems to take where other programs run, too.
inline std::atomic<unsigned> quickMicroseconds, quickSlices;
inline std::atomic<bool> waitsForFull, fullIsMade;
/// They do not return.
inline std::atomic<bool> quickStays, fullStays;
/// Not instrumented, as generated code is not: it is left by a signal, which must not come inside of a sanitizer.
[[gnu::noinline, clang::disable_sanitizer_instrumentation]] inline void stayWhile(const std::atomic<bool>& flag) {
  while (*reinterpret_cast<const volatile bool*>(&flag)) {
  }
}

inline void count(const std::byte* args, const LaunchInfo* launch, const Slice* slice, bool ofItems) {
  Counter* counters = nullptr;
  std::memcpy(&counters, args, sizeof counters);
  const std::uint64_t size = ofItems ? 1 : launch->enqueuedLocalSize[0];
  for (std::uint64_t x = slice->begin[0] * size; x < std::min(slice->end[0] * size, launch->globalSize[0]); ++x)
    ++counters[x];
}

template <bool OfItems>
void quickCode(const std::byte* args, const LaunchInfo* launch, const Slice* slice, const WorkerMemory*) {
  count(args, launch, slice, OfItems);
  byQuick += slice->end[0] - slice->begin[0];
  stayWhile(quickStays);
  if (quickMicroseconds) std::this_thread::sleep_for(std::chrono::microseconds(quickMicroseconds));
  if (!waitsForFull || ++quickSlices <= 4) return;
  for (int i = 0; i < 100 && !fullIsMade; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

template <bool OfItems>
void fullCode(const std::byte* args, const LaunchInfo* launch, const Slice* slice, const WorkerMemory*) {
  count(args, launch, slice, OfItems);
  byFull += slice->end[0] - slice->begin[0];
  stayWhile(fullStays);
}

/// A program of one kernel with one buffer, a counter for each work-item, and one integer.
struct FirstLaunch : testing::Test {
  std::shared_ptr<compiler::CompiledProgram> compiled = std::make_shared<compiler::CompiledProgram>();
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Shape> made;  ///< code was asked for, and not kept
  std::vector<Shape> kept;  ///< code in the cache
  bool fullIsLate = false;  ///< full code is there when letItEnd() is called
  bool fullFails = false;
  std::vector<Counter> counters = std::vector<Counter>(1 << 16);
  std::function<void(NativeKernel&, const Shape&)> adjust = [](NativeKernel&, const Shape&) {};

  std::vector<std::weak_ptr<CpuExecutable>> executables;

  compiler::KernelInfo& info() { return compiled->kernels[0]; }

  FirstLaunch() {
    byQuick = byFull = 0;
    quickMicroseconds = quickSlices = 0;
    waitsForFull = fullIsMade = quickStays = fullStays = false;
    compiled->kernels.resize(1);
    info().name = "k";
    info().argBlockBytes = 16;
    info().args.resize(2);
    info().args[0].kind = compiler::ArgKind::Buffer;
    info().args[1] = {.kind = compiler::ArgKind::Value, .size = 4, .align = 4, .offset = 8};
    info().work = {.steps = {{.kind = WorkStep::Kind::Argument, .which = 1}}, .isBounded = true};
  }

  /// Code may still be made for an executable that the test has given up: a thread of the driver keeps it meanwhile.
  ~FirstLaunch() override {
    letItEnd();
    for (const std::weak_ptr<CpuExecutable>& each : executables)
      while (!each.expired()) std::this_thread::yield();
  }

  std::shared_ptr<CpuExecutable> executable(std::uint32_t units, bool quickFirst = true) {
    auto its = std::make_shared<CpuExecutable>(
        compiled, compiler::Target{}, std::make_shared<Workers>(units), std::make_shared<Allocator>(1 << 20), 1 << 20,
        device::cpu::CacheSizes{.secondLevel = 1 << 20, .lastLevel = 64 << 20},
        [this](const compiler::CompiledProgram&, std::string_view, const Shape& shape, const compiler::Target&,
               std::byte*, IfNotKept ifNotKept) {
          compiler::NativeOutcome outcome;
          std::unique_lock lock(mutex);
          const bool isKept = std::ranges::find(kept, shape) != kept.end();
          if (!isKept && ifNotKept == IfNotKept::Leave) return outcome;
          if (!isKept) made.push_back(shape);
          changed.notify_all();
          changed.wait(lock, [&] { return shape.quick || !fullIsLate; });
          if (fullFails && !shape.quick) {
            outcome.status = compiler::Status::CompileFailure;
            outcome.log = "no full code for you";
            return outcome;
          }
          const bool ofItems = info().groupAgnostic;
          outcome.kernel = std::make_shared<NativeKernel>();
          outcome.kernel->groupAgnostic = ofItems;
          outcome.kernel->fromCache = isKept;
          outcome.kernel->entry = shape.quick ? (ofItems ? quickCode<true> : quickCode<false>)
                                              : (ofItems ? fullCode<true> : fullCode<false>);
          adjust(*outcome.kernel, shape);
          if (!shape.quick) fullIsMade = true;
          return outcome;
        },
        quickFirst);
    executables.push_back(its);
    return its;
  }
  Launch launch(std::size_t items, std::size_t local = 16, std::int32_t instructions = 1) {
    Launch l{.info = &info(), .range = {.dims = 1, .global = {items, 1, 1}, .local = {local, 1, 1}}, .args = {}};
    l.args.resize(16);
    const Counter* const first = counters.data();
    std::memcpy(l.args.data(), &first, sizeof first);
    std::memcpy(l.args.data() + 8, &instructions, sizeof instructions);
    return l;
  }
  /// Has code made for a launch that is not executed: one that takes longer than it should begins full code as well.
  static Result prepare(CpuExecutable& program, const Launch& l) {
    PreparedLaunch prepared;
    return program.prepare(l, prepared, Runs::Once);
  }
  static Result run(CpuExecutable& program, const Launch& l, Runs runs = Runs::Once) {
    PreparedLaunch prepared;
    if (Result result = program.prepare(l, prepared, runs); !result) return result;
    return program.run(l, prepared);
  }
  void expectEach(std::size_t items, std::uint32_t times) {
    for (std::size_t i = 0; i < items; ++i) ASSERT_EQ(counters[i].load(), times) << "work-item " << i;
  }
  void waitForMade(std::size_t count) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return made.size() >= count; });
  }
  void letItEnd() {
    const std::lock_guard lock(mutex);
    fullIsLate = false;
    changed.notify_all();
  }
  std::vector<Shape> shapes() {
    const std::lock_guard lock(mutex);
    return made;
  }
  static Shape shape(std::uint32_t local, bool quick) {
    Shape s{.local = {local, local ? 1u : 0u, local ? 1u : 0u}};
    s.quick = quick;
    return s;
  }
};

}  // namespace clarity::test
