// SPDX-License-Identifier: Apache-2.0
// This file tests launches on the CPU with native code that is written by hand: every work-item once, whatever the
// shape; faults; and which code is made when.
#include "device/cpu/executable.h"

#include "compiler/ir/kernel_abi.h"
#include "device/cpu/allocator.h"
#include "device/device_queue.h"
#include "faulting_access.h"
#include "support/enqueue_hooks.h"
#include "support/printf_hook.h"

#include <CL/cl.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <set>
#include <span>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace clarity::test {
namespace {

using compiler::LaunchInfo;
using compiler::Shape;
using compiler::Slice;
using compiler::WorkerMemory;
using device::Launch;
using device::Result;
using device::cpu::Allocator;
using device::cpu::CpuExecutable;
using device::cpu::PreparedLaunch;
using device::host::Workers;
using Size = std::array<std::size_t, 3>;

/// The one argument of the kernels below: a counter for each work-item.
using Counter = std::atomic<std::uint32_t>;

Counter& counterOf(const std::byte* args, const LaunchInfo& launch, std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  Counter* counters = nullptr;
  std::memcpy(&counters, args, sizeof counters);
  return counters[(z * launch.globalSize[1] + y) * launch.globalSize[0] + x];
}

void countItems(const std::byte* args, const LaunchInfo* launch, const Slice* slice, const WorkerMemory*) {
  for (std::uint64_t z = slice->begin[2]; z < slice->end[2]; ++z)
    for (std::uint64_t y = slice->begin[1]; y < slice->end[1]; ++y)
      for (std::uint64_t x = slice->begin[0]; x < slice->end[0]; ++x) ++counterOf(args, *launch, x, y, z);
}

/// Calls of generated code for work-groups; `Exact` trusts that they are full, as code for an exact shape does.
template <bool Exact>
void countGroups(const std::byte* args, const LaunchInfo* launch, const Slice* slice, const WorkerMemory*) {
  for (std::uint64_t z = slice->begin[2]; z < slice->end[2]; ++z)
    for (std::uint64_t y = slice->begin[1]; y < slice->end[1]; ++y)
      for (std::uint64_t x = slice->begin[0]; x < slice->end[0]; ++x) {
        const std::uint64_t group[3] = {x, y, z};
        std::uint64_t size[3];
        for (int d = 0; d < 3; ++d) {
          const std::uint64_t enqueued = launch->enqueuedLocalSize[d];
          size[d] = Exact ? enqueued : std::min(enqueued, launch->globalSize[d] - group[d] * enqueued);
        }
        Slice items;
        for (int d = 0; d < 3; ++d) {
          items.begin[d] = group[d] * launch->enqueuedLocalSize[d];
          items.end[d] = items.begin[d] + size[d];
          if (items.end[d] > launch->globalSize[d]) return;  // the test then misses work-items
        }
        countItems(args, launch, &items, nullptr);
      }
}

/// A program of one kernel "k" whose code comes from `make`.
struct Fixture : testing::Test {
  std::shared_ptr<compiler::CompiledProgram> compiled = std::make_shared<compiler::CompiledProgram>();
  std::vector<Shape> made;        ///< shapes that code was asked for
  std::vector<Shape> kept;        ///< shapes whose code is in the cache
  std::set<std::byte*> storages;  ///< where the program's variables are, as it was called with
  std::mutex madeMutex;
  std::uint64_t cacheBytes = 64 << 20, bufferBytes = 0;
  std::function<std::shared_ptr<compiler::NativeKernel>(const Shape&)> make = [this](const Shape& shape) {
    return native(shape == Shape{} ? (flat() ? countItems : countGroups<false>) : countGroups<true>);
  };
  compiler::KernelInfo& info() { return compiled->kernels[0]; }
  bool flat() { return info().groupAgnostic; }

  Fixture() {
    compiled->kernels.resize(1);
    info().name = "k";
    info().argBlockBytes = 8;
    info().uniformWorkGroups = false;
    compiler::KernelArg arg;
    arg.kind = compiler::ArgKind::Buffer;
    arg.name = "out";
    info().args = {arg};
  }
  std::shared_ptr<compiler::NativeKernel> native(compiler::Entry entry) {
    auto kernel = std::make_shared<compiler::NativeKernel>();
    kernel->entry = entry;
    kernel->groupAgnostic = flat();
    return kernel;
  }
  std::unique_ptr<CpuExecutable> executable(std::uint32_t units) {
    return std::make_unique<CpuExecutable>(
        compiled, compiler::Target{}, std::make_shared<Workers>(units), std::make_shared<Allocator>(1 << 20), 1 << 20,
        device::cpu::CacheSizes{.secondLevel = 1 << 20, .lastLevel = cacheBytes},
        [this](const compiler::CompiledProgram&, std::string_view, const Shape& shape, const compiler::Target&,
               std::byte* variables, compiler::IfNotKept ifNotKept) {
          if (ifNotKept == compiler::IfNotKept::Leave && std::ranges::find(kept, shape) == kept.end())
            return compiler::NativeOutcome{};
          const std::lock_guard lock(madeMutex);
          made.push_back(shape);
          storages.insert(variables);
          compiler::NativeOutcome outcome;
          outcome.kernel = make(shape);
          outcome.status = outcome.kernel ? compiler::Status::Ok : compiler::Status::Internal;
          outcome.log = outcome.kernel ? "" : "no code for you";
          return outcome;
        });
  }
  Launch launch(Size global, Size local, void* argument) {
    Launch l{.info = &info(), .range = {.dims = 3, .global = global, .local = local}, .args = {}};
    l.buffers.push_back({.argument = 0, .bytes = bufferBytes});
    l.hasOtherPointers = true;  // no code of its own for distinct buffers
    l.args.resize(8);
    std::memcpy(l.args.data(), &argument, 8);
    return l;
  }
  Result runOn(CpuExecutable& program, const Launch& l) {
    PreparedLaunch prepared;
    if (Result result = program.prepare(l, prepared); !result) return result;
    return program.run(l, prepared);
  }
  void expectEveryItemOnce(CpuExecutable& program, Size global, Size local, std::uint32_t times = 1) {
    std::vector<Counter> counters(global[0] * global[1] * global[2]);
    for (std::uint32_t i = 0; i < times; ++i) {
      const Result result = runOn(program, launch(global, local, counters.data()));
      ASSERT_TRUE(result) << result.text;
    }
    for (std::size_t i = 0; i < counters.size(); ++i)
      ASSERT_EQ(counters[i].load(), times) << "work-item " << i << " of " << global[0] << 'x' << global[1] << 'x'
                                           << global[2] << " by " << local[0] << 'x' << local[1] << 'x' << local[2];
  }
};

using CpuExecutableTest = Fixture;

const Size sizes[] = {{1, 1, 1}, {1000, 1, 1}, {64, 64, 1}, {70, 33, 1}, {20, 9, 7}, {100000, 1, 1}, {300, 300, 3}};

TEST_F(CpuExecutableTest, everyWorkGroupOnce) {
  for (const std::uint32_t units : {1u, 2u, 4u}) {
    const auto program = executable(units);
    for (const Size& global : sizes)
      for (const Size& local : {Size{1, 1, 1}, Size{16, 1, 1}, Size{8, 4, 2}, Size{64, 2, 1}})
        expectEveryItemOnce(*program, global, local, 3);
  }
}

TEST_F(CpuExecutableTest, everyWorkItemOfFlatKernelsOnce) {
  info().groupAgnostic = true;
  for (const std::uint32_t units : {1u, 2u, 4u}) {
    const auto program = executable(units);
    for (const Size& global : sizes) expectEveryItemOnce(*program, global, {7, 1, 1}, 3);
  }
  EXPECT_EQ(made, std::vector<Shape>(3));
}

// Work that looked small is divided among workers once it turns out to be large.
TEST_F(CpuExecutableTest, slowKernelsAreSharedOut) {
  static std::atomic<bool> slow;
  static std::mutex mutex;
  static std::set<std::thread::id> threads;
  slow = false;
  threads.clear();
  make = [&](const Shape&) {
    return native([](const std::byte* args, const LaunchInfo* launch, const Slice* slice, const WorkerMemory* memory) {
      countGroups<false>(args, launch, slice, memory);
      if (!slow) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      const std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
    });
  };
  cpu_set_t processors;
  if (sched_getaffinity(0, sizeof processors, &processors) == 0 && CPU_COUNT(&processors) < 2)
    GTEST_SKIP() << "on one processor no other thread has to come";
  // Another thread comes when it comes: try again until one has, with workers that have not learnt that it comes late.
  for (int i = 0; i < 50 && threads.size() < 2 && !HasFailure(); ++i) {
    const auto program = executable(2);
    slow = false;
    expectEveryItemOnce(*program, {1024, 1, 1}, {16, 1, 1});
    slow = true;
    expectEveryItemOnce(*program, {1024, 1, 1}, {16, 1, 1});
  }
  if (threads.size() < 2) GTEST_SKIP() << "this machine is too busy for a second thread to come";
}

// Code that takes several work-groups at once finds memory for each of them, and no more groups than there is near
// memory for.
TEST_F(CpuExecutableTest, workGroupsTogetherHaveMemoryOfTheirOwn) {
  static std::mutex mutex;
  static std::set<std::uint64_t> groups, bytes, boxes;
  make = [&](const Shape& shape) {
    auto kernel =
        native([](const std::byte* args, const LaunchInfo* launch, const Slice* slice, const WorkerMemory* memory) {
          countGroups<false>(args, launch, slice, memory);
          std::memset(memory->local, 1, memory->localBytes * memory->groups);
          std::memset(memory->spill, 1, 12 * 48 * memory->groups);
          const std::lock_guard lock(mutex);
          groups.insert(memory->groups);
          bytes.insert(memory->localBytes);
          if (slice->end[0] != launch->numGroups[0]) boxes.insert(slice->end[0] - slice->begin[0]);
        });
    kernel->interleavedGroups = shape == Shape{} ? 1 : 6;
    kernel->spillBytesPerItem = 12;
    return kernel;
  };
  const auto runWith = [&](std::uint64_t localBytes, std::size_t items) {
    groups.clear();
    bytes.clear();
    boxes.clear();
    std::vector<Counter> counters(items);
    Launch l = launch({items, 1, 1}, {48, 1, 1}, counters.data());
    l.localBytes = localBytes;
    const auto program = executable(2);
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(runOn(*program, l));
    for (const Counter& counter : counters) ASSERT_EQ(counter.load(), 3u);
  };
  runWith(100, 48 * 1000);
  EXPECT_EQ(groups, std::set<std::uint64_t>({6}));
  EXPECT_EQ(bytes, std::set<std::uint64_t>({128}));
  EXPECT_FALSE(boxes.empty());
  for (const std::uint64_t box : boxes) EXPECT_TRUE(box < 6 || box % 6 == 0) << box;
  runWith(20'000, 48 * 100);
  EXPECT_EQ(groups, std::set<std::uint64_t>({3}));
  runWith(1'000'000, 48 * 100);
  EXPECT_EQ(groups, std::set<std::uint64_t>({1}));
}

TEST_F(CpuExecutableTest, exactShapesFirstThenOneForAll) {
  const auto program = executable(1);
  constexpr std::uint32_t divisors[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 24};
  for (const std::uint32_t local : divisors) expectEveryItemOnce(*program, {5040, 1, 1}, {local, 1, 1}, 2);
  std::vector<Shape> wanted;
  for (const std::uint32_t local : std::span(divisors).first(16)) wanted.push_back({{local, 1, 1}});
  wanted.push_back({});
  EXPECT_EQ(made, wanted);
}

// A kernel that steps by the global size and counts in a histogram has code of many kinds: each must be there to run.
TEST_F(CpuExecutableTest, codeOfEveryKindIsThere) {
  cacheBytes = 64 << 10;
  info().groupAgnostic = info().queriesSize = info().reductions = true;
  make = [&](const Shape&) {
    return native([](const std::byte* args, const LaunchInfo*, const Slice* slice, const WorkerMemory*) {
      Counter* counter = nullptr;
      std::memcpy(&counter, args, sizeof counter);
      *counter += static_cast<std::uint32_t>(slice->end[0] - slice->begin[0]);
    });
  };
  struct Case {
    std::uint64_t tableBytes;
    std::size_t items;
  };
  // In the caches, in steps, with non-temporal stores, both.
  constexpr Case cases[] = {{1000, 20000}, {100 << 10, 50}, {200 << 10, 20000}, {200 << 10, 50}};
  info().args.push_back({.kind = compiler::ArgKind::Buffer, .offset = 8});
  const auto program = executable(1);
  for (const std::size_t offset : {std::size_t{0}, std::size_t{1} << 31})
    for (const bool counted : {false, true})
      for (const Case& each : cases) {
        Counter counter = 0;
        bufferBytes = sizeof counter;
        Launch l = launch({each.items, 1, 1}, {1, 1, 1}, &counter);
        l.range.offset[0] = offset;
        l.args.resize(16);
        l.buffers.push_back({.argument = 1, .bytes = each.tableBytes});
        info().args[0].reduction = {.combination = compiler::Combination::Add, .bytes = std::uint8_t(counted ? 4 : 0)};
        const Result result = runOn(*program, l);
        EXPECT_TRUE(result) << result.text << " as kind " << made.size();
        EXPECT_EQ(counter.load(), each.items);
      }
  const std::set<std::tuple<bool, bool, bool, bool>> kinds = [&] {
    std::set<std::tuple<bool, bool, bool, bool>> found;
    for (const Shape& s : made) found.emplace(s.wideIds, s.nonTemporal, s.interchange, s.privateReductions);
    return found;
  }();
  EXPECT_GE(kinds.size(), 9u);
  EXPECT_EQ(kinds.size(), made.size()) << "each is compiled once";
}

// Sizes beyond those with code of their own, in every kind: the code for any size of that kind serves.
TEST_F(CpuExecutableTest, moreSizesThanHaveCodeOfTheirOwnInSeveralKinds) {
  const auto program = executable(1);
  for (const std::size_t offset : {std::size_t{0}, std::size_t{1} << 31})
    for (std::size_t local = 1; local <= 20; ++local) {
      std::vector<Counter> counters(60);
      Launch l = launch({60, 1, 1}, {local, 1, 1}, counters.data());
      l.range.offset[0] = offset;
      make = [&](const Shape& shape) { return native(shape.local[0] == 0 ? countGroups<false> : countGroups<true>); };
      const Result result = runOn(*program, l);
      ASSERT_TRUE(result) << result.text;
      for (const Counter& counter : counters) ASSERT_EQ(counter.load(), 1u);
    }
}

// A kernel that asks how many work-items there are may step by so many: often where buffers are large beside that
// number.
TEST_F(CpuExecutableTest, launchesWithMuchMemoryHaveCodeForSteps) {
  const auto inSteps = [&](std::uint64_t buffers, std::uint64_t caches) {
    bufferBytes = buffers;
    cacheBytes = caches;
    expectEveryItemOnce(*executable(1), {1024, 1, 1}, {16, 1, 1});
    return made.back().interchange;
  };
  EXPECT_TRUE(inSteps(1000, 4096));
  info().queriesSize = true;
  EXPECT_TRUE(inSteps(1024 * 1024, 4096));
  EXPECT_FALSE(inSteps(1024 * 1024 - 1, 4096));
  EXPECT_FALSE(inSteps(2048 * 1024, 2048 * 1024));
  EXPECT_TRUE(inSteps(2048 * 1024 + 1, 2048 * 1024));
}

TEST_F(CpuExecutableTest, everyExecutableHasVariablesOfItsOwn) {
  compiled->scope.variables = {.bytes = 10000,
                               .alignment = 4096,
                               .largest = 10000,
                               .variables = {},
                               .contents = {{5, "abc"}},
                               .pointers = {{8, 5}, {9992, 10000}}};
  const auto first = executable(1), second = executable(1);
  for (const std::uint32_t local : {1u, 2u, 3u}) expectEveryItemOnce(*first, {60, 1, 1}, {local, 1, 1});
  ASSERT_EQ(storages.size(), 1u) << "all code of an executable has the same";
  expectEveryItemOnce(*second, {60, 1, 1}, {4, 1, 1});
  ASSERT_EQ(storages.size(), 2u);
  for (std::byte* base : storages) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(base) % 4096, 0u);
    std::vector<std::byte> expected(10000);
    std::memcpy(&expected[5], "abc", 3);
    std::byte *five = base + 5, *end = base + 10000;
    std::memcpy(&expected[8], &five, sizeof five);
    std::memcpy(&expected[9992], &end, sizeof end);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), base));
  }
  compiled->scope.variables.bytes = 2 << 20;
  EXPECT_THROW(executable(1), std::bad_alloc);
}

TEST_F(CpuExecutableTest, aFaultBehindAVariableNamesIt) {
  static char* beyond;
  compiled->scope.variables = {.bytes = 128,
                               .alignment = 64,
                               .largest = 128,
                               .variables = {{"cl.table", 0, 128}},
                               .contents = {},
                               .pointers = {}};
  make = [&](const Shape&) {
    return native([](const std::byte*, const LaunchInfo*, const Slice*, const WorkerMemory*) { writeTo(beyond, 0); });
  };
  const auto program = executable(1);
  const Launch l = launch({1, 1, 1}, {1, 1, 1}, nullptr);
  PreparedLaunch prepared;
  ASSERT_TRUE(program->prepare(l, prepared));
  beyond = reinterpret_cast<char*>(*storages.begin()) + 4500;
  const Result result = program->run(l, prepared);
  EXPECT_EQ(result.code, CL_INVALID_OPERATION);
  EXPECT_NE(result.text.find("wrote byte 4500 of program-scope variable 'table', which has 128 bytes: 4372 bytes past"),
            std::string::npos)
      << result.text;
}

TEST_F(CpuExecutableTest, constructorsRunOnceBeforeAnything) {
  static std::atomic<int> constructed, early, fails;
  constructed = early = fails = 0;
  compiled->scope.constructors = info();
  compiled->scope.constructors->name = "first";
  compiled->scope.constructors->args.clear();
  std::atomic<int> asked = 0;
  make = [&](const Shape& shape) {
    if (shape.local == std::array<std::uint32_t, 3>{1, 1, 1}) {
      ++asked;
      return native([](const std::byte*, const LaunchInfo*, const Slice*, const WorkerMemory*) {
        ++constructed;
        if (fails) writeTo(nullptr, 8);
      });
    }
    return native([](const std::byte* args, const LaunchInfo* launch, const Slice* slice, const WorkerMemory* memory) {
      if (!constructed) ++early;
      countGroups<false>(args, launch, slice, memory);
    });
  };
  const auto program = executable(2);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { expectEveryItemOnce(*program, {60, 1, 1}, {4, 1, 1}); });
  threads.clear();
  EXPECT_EQ(constructed, 1);
  EXPECT_EQ(early, 0);
  EXPECT_EQ(asked, 1);
  fails = 1;
  const auto other = executable(1);
  Counter counter{0};
  for (int i = 0; i < 2; ++i)
    EXPECT_NE(runOn(*other, launch({4, 1, 1}, {4, 1, 1}, &counter)).text.find("kernel 'first'"), std::string::npos)
        << "what went wrong once stays wrong";
  EXPECT_EQ(constructed, 2);
}

TEST_F(CpuExecutableTest, largeLaunchesHaveCodeThatStoresPastTheCaches) {
  cacheBytes = 16384;
  const auto program = executable(1);
  bufferBytes = cacheBytes;
  expectEveryItemOnce(*program, {1040, 1, 1}, {16, 1, 1});
  ++bufferBytes;
  expectEveryItemOnce(*program, {1024, 1, 1}, {16, 1, 1});
  EXPECT_EQ(made, (std::vector<Shape>{{{16, 1, 1}}}));
  expectEveryItemOnce(*program, {1040, 1, 1}, {16, 1, 1});
  EXPECT_EQ(made, (std::vector<Shape>{{{16, 1, 1}}, {{16, 1, 1}, false, true}}));
  // Few work-items that step through more.
  info().queriesSize = true;
  bufferBytes = 4 * cacheBytes + 1;
  expectEveryItemOnce(*program, {64, 1, 1}, {16, 1, 1});
  EXPECT_EQ(made.size(), 2u);
  made.clear();
  expectEveryItemOnce(*executable(1), {64, 1, 1}, {16, 1, 1});
  EXPECT_EQ(made, (std::vector<Shape>{{{16, 1, 1}, false, true}}));
}

// The second level has 1 MiB, of the last one 16 MiB are expected.
TEST_F(CpuExecutableTest, longLaunchesThatReadFarHaveCodeThatCopiesPanels) {
  cacheBytes = 16 << 20;
  info().groupAgnostic = true;
  const auto copies = [&](Size global, std::uint64_t bytes, std::uint64_t instructions = 4000, bool others = false) {
    info().work = {.steps = {{.value = instructions}}, .isBounded = true};
    bufferBytes = bytes;
    Launch l = launch(global, {1, 1, 1}, nullptr);
    l.hasOtherPointers = others;
    l.buffers.push_back({.argument = 0, .bytes = 4});
    PreparedLaunch prepared;
    EXPECT_TRUE(executable(1)->prepare(l, prepared));
    return made.back().panels;
  };
  EXPECT_TRUE(copies({200, 256, 1}, (8 << 20) + 4));
  EXPECT_FALSE(copies({200, 256, 1}, (8 << 20) - 4));
  EXPECT_TRUE(copies({200, 256, 1}, 1 << 20, 4000, true)) << "what other pointers point to may be large";
  // Rows of a multiple of 4096 bytes, for work-items along x or y.
  EXPECT_TRUE(copies({200, 256, 1}, 200 * 8192));
  EXPECT_TRUE(copies({256, 200, 1}, 200 * 8192));
  EXPECT_FALSE(copies({200, 256, 1}, 200 * 8192 + 64));
  EXPECT_FALSE(copies({256, 200, 1}, 256 * 4096)) << "the second level holds it";
  // Too few work-items along a dimension, or too few instructions.
  EXPECT_FALSE(copies({127, 256, 1}, 64 << 20));
  EXPECT_FALSE(copies({256, 127, 1}, 64 << 20));
  EXPECT_FALSE(copies({256, 256, 1}, 64 << 20, 3999));
}

TEST_F(CpuExecutableTest, idsThatIntMayNotHoldHaveCodeOfTheirOwn) {
  for (const bool isFlat : {false, true}) {
    info().groupAgnostic = isFlat;
    made.clear();
    make = [&](const Shape&) {
      return native([](const std::byte*, const LaunchInfo*, const Slice*, const WorkerMemory*) {});
    };
    const auto program = executable(1);
    Launch l = launch({16, 2, 1}, {16, 1, 1}, nullptr);
    l.range.offset = {0, compiler::wideIdsFrom - 3, 0};
    ASSERT_TRUE(runOn(*program, l));
    EXPECT_FALSE(made.back().wideIds);
    l.range.offset[1] += 1;
    ASSERT_TRUE(runOn(*program, l));
    EXPECT_TRUE(made.back().wideIds);
    EXPECT_EQ(made.size(), 2u);
  }
}

TEST_F(CpuExecutableTest, edgesNeedTheCodeForAnySize) {
  const auto program = executable(1);
  expectEveryItemOnce(*program, {120, 1, 1}, {50, 1, 1});
  EXPECT_EQ(made, (std::vector<Shape>{{{50, 1, 1}}, {}}));
  // No full work-group: no code for them.
  made.clear();
  expectEveryItemOnce(*program, {20, 1, 1}, {64, 1, 1});
  EXPECT_EQ(made, std::vector<Shape>{});
}

TEST_F(CpuExecutableTest, whereNoExactCodeCanBeMadeTheOtherServes) {
  make = [&](const Shape& shape) { return shape == Shape{} ? native(countGroups<false>) : nullptr; };
  const auto program = executable(2);
  expectEveryItemOnce(*program, {1000, 1, 1}, {10, 1, 1}, 2);
  EXPECT_EQ(made.size(), 2u);
}

TEST_F(CpuExecutableTest, whatCannotBeCompiledSaysWhy) {
  make = [](const Shape&) { return nullptr; };
  const auto program = executable(1);
  const Result result = runOn(*program, launch({10, 1, 1}, {10, 1, 1}, nullptr));
  EXPECT_EQ(result.code, CL_OUT_OF_RESOURCES);
  EXPECT_NE(result.text.find("'k'"), std::string::npos) << result.text;
  EXPECT_NE(result.text.find("no code for you"), std::string::npos) << result.text;
}

TEST_F(CpuExecutableTest, severalThreadsMayLaunchAtOnce) {
  const auto program = executable(3);
  std::vector<std::thread> threads;
  for (std::size_t t = 1; t <= 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) expectEveryItemOnce(*program, {4000, 3, 1}, {t, 1, 1});
    });
  for (std::thread& thread : threads) thread.join();
}

TEST_F(CpuExecutableTest, launchInfoIsComplete) {
  make = [&](const Shape&) {
    return native([](const std::byte*, const LaunchInfo* launch, const Slice*, const WorkerMemory*) {
      EXPECT_EQ(launch->workDim, 2u);
      EXPECT_EQ(launch->globalOffset[0], 5u);
      EXPECT_EQ(launch->globalOffset[1], 6u);
      EXPECT_EQ(launch->globalSize[0], 10u);
      EXPECT_EQ(launch->globalSize[2], 1u);
      EXPECT_EQ(launch->enqueuedLocalSize[0], 4u);
      EXPECT_EQ(launch->numGroups[0], 3u);
      EXPECT_EQ(launch->numGroups[1], 3u);
      EXPECT_EQ(launch->numGroups[2], 1u);
    });
  };
  const auto program = executable(1);
  const Launch l{
      .info = &info(), .range = {.dims = 2, .offset = {5, 6, 0}, .global = {10, 3, 1}, .local = {4, 1, 1}}, .args = {}};
  EXPECT_TRUE(runOn(*program, l));
}

TEST_F(CpuExecutableTest, workersHaveMemoryOfTheirOwn) {
  static std::atomic<int> wrong;
  wrong = 0;
  make = [&](const Shape&) {
    auto kernel = native([](const std::byte*, const LaunchInfo* launch, const Slice* slice,
                            const WorkerMemory* memory) {
      if (reinterpret_cast<std::uintptr_t>(memory->local) % 64 || reinterpret_cast<std::uintptr_t>(memory->spill) % 64)
        ++wrong;
      for (std::uint64_t group = slice->begin[0]; group < slice->end[0]; ++group) {
        std::memset(memory->local, static_cast<int>(group), 4096);
        // 100 work-items of 24 bytes, rounded up to 128 of them.
        std::memset(memory->spill, static_cast<int>(group + 1), 128 * 24);
        for (int i = 0; i < 4096; ++i)
          if (memory->local[i] != static_cast<std::byte>(group)) ++wrong;
        for (int i = 0; i < 128 * 24; ++i)
          if (memory->spill[i] != static_cast<std::byte>(group + 1)) ++wrong;
      }
      (void)launch;
    });
    kernel->spillBytesPerItem = 24;
    return kernel;
  };
  const auto program = executable(4);
  Launch l = launch({100 * 2000, 1, 1}, {100, 1, 1}, nullptr);
  l.localBytes = 4096;
  EXPECT_TRUE(runOn(*program, l));
  EXPECT_EQ(wrong, 0);
}

TEST_F(CpuExecutableTest, tooMuchMemoryIsAnError) {
  make = [&](const Shape&) {
    auto kernel = native(countGroups<false>);
    kernel->spillBytesPerItem = std::uint64_t{1} << 40;
    return kernel;
  };
  const auto program = executable(1);
  const Result result = runOn(*program, launch({64, 1, 1}, {64, 1, 1}, nullptr));
  EXPECT_EQ(result.code, CL_OUT_OF_RESOURCES);
}

TEST_F(CpuExecutableTest, aFaultEndsTheLaunchAndNothingElse) {
  make = [&](const Shape&) {
    return native([](const std::byte* args, const LaunchInfo*, const Slice* slice, const WorkerMemory*) {
      volatile char* out = nullptr;
      std::memcpy(&out, args, sizeof out);
      if (slice->begin[0] <= 70 && 70 < slice->end[0]) writeTo(out, 24);
    });
  };
  for (const std::uint32_t units : {1u, 4u}) {
    const auto program = executable(units);
    const Result result =
        runOn(*program, launch({1000, 1, 1}, {10, 1, 1}, reinterpret_cast<void*>(std::uintptr_t{4096})));
    EXPECT_EQ(result.code, CL_INVALID_OPERATION);
    for (const char* part : {"kernel 'k': a work-item of ", "work-group", "wrote byte 24 of argument 0 'out'"})
      EXPECT_NE(result.text.find(part), std::string::npos) << part << " is missing in: " << result.text;
  }
  make = [&](const Shape&) { return native(countGroups<false>); };
  expectEveryItemOnce(*executable(2), {1000, 1, 1}, {10, 1, 1});
}

TEST_F(CpuExecutableTest, aNullBufferIsNamed) {
  make = [&](const Shape&) {
    return native([](const std::byte* args, const LaunchInfo*, const Slice*, const WorkerMemory*) {
      volatile char* out = nullptr;
      std::memcpy(&out, args, sizeof out);
      writeTo(out, 8);
    });
  };
  const Result result = runOn(*executable(1), launch({1, 1, 1}, {1, 1, 1}, nullptr));
  EXPECT_NE(result.text.find("wrote byte 8 of argument 0 'out', which is a null pointer"), std::string::npos)
      << result.text;
}

TEST_F(CpuExecutableTest, printfGoesToStandardOutput) {
  info().usesPrintf = true;
  make = [&](const Shape&) {
    return native([](const std::byte*, const LaunchInfo* launch, const Slice* slice, const WorkerMemory*) {
      for (std::uint64_t x = slice->begin[0]; x < slice->end[0]; ++x)
        __clarity_printf(launch->printfSink, "item %d\n", &x, 1);
    });
  };
  testing::internal::CaptureStdout();
  const Result result = runOn(*executable(1), launch({3, 1, 1}, {1, 1, 1}, nullptr));
  const std::string output = testing::internal::GetCapturedStdout();
  EXPECT_TRUE(result);
  EXPECT_EQ(output, "item 0\nitem 1\nitem 2\n");
}

#if defined(__x86_64__)
// Kernels compute with denormals and rounding to nearest, whatever the application has set for its own thread.
TEST_F(CpuExecutableTest, theFloatingPointModeIsTheStandards) {
  static unsigned seen;
  make = [&](const Shape&) {
    return native([](const std::byte*, const LaunchInfo*, const Slice*, const WorkerMemory*) {
      seen = __builtin_ia32_stmxcsr();
    });
  };
  const unsigned before = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(before | 0x8040);  // flush to zero, denormals are zero
  const Result result = runOn(*executable(1), launch({1, 1, 1}, {1, 1, 1}, nullptr));
  const unsigned after = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(before);
  EXPECT_TRUE(result);
  EXPECT_EQ(seen, 0x1f80u);
  EXPECT_EQ(after & 0x8040u, 0x8040u);
}
#endif

/// Code is generated while no thread waits for it, until `open` is set.
struct PrepareAhead : Fixture {
  std::mutex mutex;
  std::condition_variable changed;
  int begun = 0;
  bool open = false;

  PrepareAhead() {
    make = [this](const Shape&) {
      std::unique_lock lock(mutex);
      ++begun;
      changed.notify_all();
      changed.wait(lock, [this] { return open; });
      return native(countGroups<true>);
    };
  }
  void waitForBegin(int count) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return begun >= count; });
  }
  void letThemEnd() {
    const std::lock_guard lock(mutex);
    open = true;
    changed.notify_all();
  }
};

TEST_F(PrepareAhead, returnsAtOnceAndMakesTheCodeOnce) {
  const std::shared_ptr<CpuExecutable> program = executable(1);
  std::vector<Counter> counters(64);
  const Launch l = launch({64, 1, 1}, {16, 1, 1}, counters.data());
  for (int i = 0; i < 5; ++i) program->prepareAhead(l, device::Runs::Once);
  waitForBegin(1);
  letThemEnd();
  EXPECT_TRUE(runOn(*program, l));
  EXPECT_EQ(made, std::vector<Shape>({Shape{.local = {16, 1, 1}}}));
  for (const Counter& counter : counters) EXPECT_EQ(counter.load(), 1u);
}

// Code that is in the cache is taken by the thread that enqueues.
TEST_F(PrepareAhead, whatIsKeptNeedsNoThread) {
  kept = {Shape{.local = {16, 1, 1}}};
  std::thread::id maker;
  make = [&](const Shape&) {
    maker = std::this_thread::get_id();
    return native(countGroups<true>);
  };
  const std::shared_ptr<CpuExecutable> program = executable(1);
  std::vector<Counter> counters(64);
  const Launch l = launch({64, 1, 1}, {16, 1, 1}, counters.data());
  program->prepareAhead(l, device::Runs::Once);
  EXPECT_EQ(maker, std::this_thread::get_id());
  EXPECT_TRUE(runOn(*program, l));
  EXPECT_EQ(made, kept) << "it is there";
  for (const Counter& counter : counters) EXPECT_EQ(counter.load(), 1u);
}

// A compile that fails ahead of its time fails again, aloud, when the launch's turn has come.
TEST_F(PrepareAhead, failuresAreToldInTheirTurn) {
  const std::shared_ptr<CpuExecutable> program = executable(1);
  make = [&](const Shape&) {
    const std::lock_guard lock(mutex);
    ++begun;
    changed.notify_all();
    return nullptr;
  };
  const Launch l = launch({64, 1, 1}, {16, 1, 1}, nullptr);
  program->prepareAhead(l, device::Runs::Once);
  waitForBegin(1);
  const Result result = runOn(*program, l);
  EXPECT_EQ(result.code, CL_OUT_OF_RESOURCES);
  EXPECT_NE(result.text.find("no code for you"), std::string::npos);
}

/// A kernel that enqueues the block behind it in its program, and that goes on when code of the block is being made.
struct PrepareBlock : PrepareAhead {
  static PrepareBlock* self;
  device::Properties limits;
  std::shared_ptr<device::DeviceQueue> queue = std::make_shared<device::DeviceQueue>(1 << 20);
  bool isParentMade = false, wasAhead = false;
  std::atomic<std::uint32_t> ofBlock{0};  ///< work-items that have run

  PrepareBlock() {
    self = this;
    limits.maxWorkGroupSize = 64;
    std::ranges::fill(limits.maxWorkItemSizes, 64);
    compiler::KernelArg literal;
    literal.size = literal.align = 8;
    compiler::KernelInfo block;
    block.name = "block";
    block.isBlock = true;
    block.argBlockBytes = 8;
    block.args = {literal};
    compiled->kernels.push_back(block);
    info().enqueues = true;
    make = [this, makeBlock = make](const Shape& shape) {
      if (std::exchange(isParentMade, true)) {
        (void)makeBlock(shape);
        return native([](const std::byte*, const LaunchInfo*, const Slice*, const WorkerMemory*) { ++self->ofBlock; });
      }
      return native([](const std::byte*, const LaunchInfo* launch, const Slice*, const WorkerMemory*) {
        self->enqueueAndWait(launch->parent);
      });
    };
  }
  void enqueueAndWait(void* parent) {
    const EnqueueRange range{.dims = 1, .offset = {}, .global = {1, 1, 1}, .local = {1, 1, 1}};
    const std::uint64_t literal = 0;
    const EnqueueRequest request{.queue = device::LaunchQueues::nameOf(queue.get()),
                                 .range = &range,
                                 .literal = &literal,
                                 .waits = nullptr,
                                 .event = nullptr,
                                 .localSizes = nullptr,
                                 .block = 1,
                                 .flags = 0,
                                 .waitCount = 0,
                                 .localCount = 0,
                                 .hasEvents = 0};
    for (int i = 0; i < 3; ++i) EXPECT_EQ(__clarity_enqueue_kernel(parent, &request), 0);
    std::unique_lock lock(mutex);
    wasAhead = changed.wait_for(lock, std::chrono::minutes(1), [this] { return begun > 0; });
    open = true;
    changed.notify_all();
  }
};

PrepareBlock* PrepareBlock::self = nullptr;

TEST_F(PrepareBlock, isMadeOnceWhileItsParentRuns) {
  const std::shared_ptr<CpuExecutable> program = executable(2);
  Launch l = launch({1, 1, 1}, {1, 1, 1}, nullptr);
  l.executable = program.get();
  l.queues = std::make_shared<device::LaunchQueues>(device::LaunchQueues{&limits, queue, {}});
  const Result result = runOn(*program, l);
  EXPECT_TRUE(result) << result.text;
  EXPECT_TRUE(wasAhead) << "nothing made the block's code before its parent ended";
  EXPECT_EQ(ofBlock.load(), 3u);
  EXPECT_EQ(begun, 1);
}

// A program that goes while its code waits to be made takes the work with it.
TEST_F(PrepareAhead, nothingIsMadeForAProgramThatIsGone) {
  const std::shared_ptr<CpuExecutable> keepsThreads = executable(1);
  std::vector<std::shared_ptr<CpuExecutable>> busy;
  const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  for (unsigned i = 0; i < threads; ++i) {
    busy.push_back(executable(1));
    busy.back()->prepareAhead(launch({16, 1, 1}, {16, 1, 1}, nullptr), device::Runs::Once);
  }
  // `made` is written under the lock that generate holds: one at a time begins. All threads are busy or wait for it.
  waitForBegin(1);
  std::shared_ptr<CpuExecutable> gone = executable(1);
  const std::weak_ptr<CpuExecutable> watched = gone;
  gone->prepareAhead(launch({32, 1, 1}, {32, 1, 1}, nullptr), device::Runs::Once);
  gone.reset();
  EXPECT_TRUE(watched.expired());
  letThemEnd();
  for (const auto& program : busy) {
    PreparedLaunch prepared;
    EXPECT_TRUE(program->prepare(launch({16, 1, 1}, {16, 1, 1}, nullptr), prepared));
  }
  const std::lock_guard lock(madeMutex);
  EXPECT_EQ(made, std::vector<Shape>(threads, Shape{.local = {16, 1, 1}}));
}

}  // namespace
}  // namespace clarity::test
