// SPDX-License-Identifier: Apache-2.0
// This file tests the stacks of kernels with functions that do to them what kernels should not.
#include "device/cpu/device_range.h"
#include "device/cpu/kernel_stack.h"
#include "faulting_access.h"
#include "support/fault_guard.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <thread>

namespace clarity::device::cpu {
namespace {

using compiler::LaunchInfo;
using compiler::Slice;
using compiler::WorkerMemory;
using support::Fault;
using support::FaultGuard;

/// Calls a kernel as a launch does. True if it has returned.
bool call(compiler::Entry entry, const std::byte* args, Fault& fault, std::uint64_t frameBytes = 1024) {
  KernelStack& stack = KernelStack::mine();
  if (!stack.reserve(frameBytes)) return false;
  return FaultGuard::run([&] { stack.call(entry, args, nullptr, nullptr, nullptr); }, fault);
}

const std::byte* argument(const void* it) { return static_cast<const std::byte*>(it); }

TEST(KernelStackOfAThread, runsKernelsWithTheirArguments) {
  static const std::byte* seen[4];
  static bool onIt = false;
  KernelStack& stack = KernelStack::mine();
  ASSERT_TRUE(stack.reserve(100));
  const LaunchInfo launch{};
  const Slice slice{};
  const WorkerMemory memory{};
  stack.call(
      [](const std::byte* a, const LaunchInfo* b, const Slice* c, const WorkerMemory* d) {
        onIt = KernelStack::mine().contains(__builtin_frame_address(0));
        seen[0] = a, seen[1] = argument(b), seen[2] = argument(c), seen[3] = argument(d);
      },
      argument(&stack), &launch, &slice, &memory);
  EXPECT_TRUE(onIt);
  EXPECT_EQ(seen[0], argument(&stack));
  EXPECT_EQ(seen[1], argument(&launch));
  EXPECT_EQ(seen[2], argument(&slice));
  EXPECT_EQ(seen[3], argument(&memory));
}

TEST(KernelStackOfAThread, isKeptWhileItIsLargeEnough) {
  KernelStack& stack = KernelStack::mine();
  const auto place = [&] {
    static const void* at;
    stack.call(
        [](const std::byte*, const LaunchInfo*, const Slice*, const WorkerMemory*) { at = __builtin_frame_address(0); },
        nullptr, nullptr, nullptr, nullptr);
    return at;
  };
  ASSERT_TRUE(stack.reserve(1000));
  const void* const first = place();
  ASSERT_TRUE(stack.reserve(10));
  EXPECT_EQ(place(), first);
  ASSERT_TRUE(stack.reserve(std::uint64_t{64} << 20));
  EXPECT_TRUE(stack.contains(place()));
  EXPECT_FALSE(stack.reserve(std::uint64_t{1} << 60));
  ASSERT_TRUE(stack.reserve(10));
  EXPECT_TRUE(stack.contains(place()));
}

// An index that misses a private array by more than the guards must not reach the host's memory.
TEST(KernelStackOfAThread, liesAmongTheDevicesMemory) {
  const DeviceRange& range = DeviceRange::get();
  if (range.bytes() == 0) GTEST_SKIP() << "the addresses of this process are limited";
  for (const std::size_t bytes : {std::size_t{100'000}, std::size_t{1} << 20, std::size_t{150} << 20}) {
    Stack stack;
    ASSERT_TRUE(stack.map(bytes));
    EXPECT_GE(stack.bytes(), bytes);
    const auto whole = static_cast<std::ptrdiff_t>(bytes);
    for (const std::ptrdiff_t distance : {-16 * whole, -whole, std::ptrdiff_t{-1}, whole, 16 * whole})
      EXPECT_TRUE(range.contains(stack.top() + distance)) << distance;
    stack.unmap();
    EXPECT_EQ(stack.bytes(), 0U);
  }
}

/// Writes beyond its private memory, upwards or downwards: on purpose, so no sanitizer looks at it.
template <int Step>
[[clang::no_sanitize("address", "undefined")]] void overruns(const std::byte*, const LaunchInfo*, const Slice*,
                                                             const WorkerMemory*) {
  volatile char mine[64];
  for (std::ptrdiff_t i = 0; i < 1 << 20; ++i) mine[i * Step] = 'x';
}

TEST(KernelStackOfAThread, whatLiesBeyondItFaults) {
  for (int round = 0; round < 100; ++round) {
    Fault fault;
    EXPECT_FALSE(call(overruns<1>, nullptr, fault));
    EXPECT_TRUE(fault.stackOverrun);
    EXPECT_EQ(fault.describe(), "wrote beyond the end of its private memory");
    EXPECT_FALSE(call(overruns<-1>, nullptr, fault));
    EXPECT_TRUE(fault.stackOverflow);
  }
}

#if defined(__x86_64__)

/// Returns to nowhere, as after an overrun that has reached the return address.
[[gnu::naked]] void returnsToNowhere(const std::byte*, const LaunchInfo*, const Slice*, const WorkerMemory*) {
  asm("movq $0x4141, (%rsp)\n ret");
}
[[gnu::naked]] void returnsBeyondAllAddresses(const std::byte*, const LaunchInfo*, const Slice*, const WorkerMemory*) {
  asm("movabsq $0x4141414141414141, %rax\n movq %rax, (%rsp)\n ret");
}
[[gnu::naked]] void losesItsStack(const std::byte*, const LaunchInfo*, const Slice*, const WorkerMemory*) {
  asm("movq $0x41, %rsp\n pushq %rax\n ret");
}
[[gnu::naked]] void losesItsStackBeyondAllAddresses(const std::byte*, const LaunchInfo*, const Slice*,
                                                    const WorkerMemory*) {
  asm("movabsq $0x4141414141414141, %rsp\n pushq %rax\n ret");
}

TEST(KernelStackOfAThread, whatItsFramesHoldIsNotNeededToComeBack) {
  for (const compiler::Entry entry :
       {returnsToNowhere, returnsBeyondAllAddresses, losesItsStack, losesItsStackBeyondAllAddresses})
    for (int round = 0; round < 100; ++round) {
      Fault fault;
      ASSERT_FALSE(call(entry, nullptr, fault));
      ASSERT_NE(fault.signal, 0);
      ASSERT_FALSE(fault.describe().empty());
      ASSERT_FALSE(FaultGuard::active());
    }
}

/// Comes back with other values in the registers that a call preserves, as after an overrun that has reached the saved
/// ones and not the return address.
[[gnu::naked]] void losesRegisters(const std::byte*, const LaunchInfo*, const Slice*, const WorkerMemory*) {
  asm("movq $0x41, %rbp\n movq $0x42, %rbx\n movq $0x43, %r12\n movq $0x44, %r13\n movq $0x45, %r14\n movq $0x46, "
      "%r15\n ret");
}

TEST(KernelStackOfAThread, theCallersRegistersAreSavedElsewhere) {
#if defined(__has_feature) && __has_feature(address_sanitizer)
  GTEST_SKIP() << "a function that tells the sanitizer of the stack lies between, and has registers of its own";
#endif
  // Values that the compiler keeps in registers across the call are used below.
  Fault fault;
  int rounds = 0;
  for (; rounds < 1000; ++rounds) ASSERT_TRUE(call(losesRegisters, nullptr, fault));
  EXPECT_EQ(rounds, 1000);
}

#endif

TEST(KernelStackOfAThread, everyThreadHasItsOwn) {
  const void* other = nullptr;
  std::thread([&] {
    ASSERT_TRUE(KernelStack::mine().reserve(1));
    other = &KernelStack::mine();
  }).join();
  EXPECT_NE(other, &KernelStack::mine());
}

/// A thread's stack and another one, either above the other.
struct TwoStacks {
  static constexpr std::size_t bytes = 512 * 1024;
  std::byte* memory = static_cast<std::byte*>(
      mmap(nullptr, 2 * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0));
  bool ownIsBelow;
  FaultGuard::OtherStack* switched = nullptr;
  Continuation caller = nullptr;
  Fault inner, outer;
  bool innerReturned = true, outerReturned = true;

  explicit TwoStacks(bool below) : ownIsBelow(below) {}
  ~TwoStacks() { munmap(memory, 2 * bytes); }
  std::byte* own() const { return ownIsBelow ? memory : memory + bytes; }
  std::byte* other() const { return ownIsBelow ? memory + bytes : memory; }
};
TwoStacks* twoStacks = nullptr;

/// On the other stack: a guard, and then a fault outside of it.
[[gnu::noinline]] void faultTwice() {
  twoStacks->innerReturned = FaultGuard::run([] { test::writeTo(nullptr, 16); }, twoStacks->inner);
  test::writeTo(nullptr, 24);
}
// It does not return, which ThreadSanitizer would wait for.
[[clang::disable_sanitizer_instrumentation]] void mainOfOther() {
  twoStacks->switched->arrived(nullptr);
  faultTwice();
  __builtin_trap();
}

void* mainOfThread(void*) {
  TwoStacks& it = *twoStacks;
  for (int round = 0; round < 20; ++round) {
    it.innerReturned = it.outerReturned = true;
    it.outerReturned = FaultGuard::run(
        [&] {
          FaultGuard::OtherStack switched({it.other(), it.other() + TwoStacks::bytes, 0});
          it.switched = &switched;
          switchTo(beginningAt(it.other() + TwoStacks::bytes, mainOfOther), it.caller);
        },
        it.outer);
    if (it.innerReturned || it.outerReturned) break;
  }
  return nullptr;
}

// As when printf is given a pointer that is no string, and the kernel faults later.
TEST(KernelStackOfAThread, aGuardOnItLeavesTheOneAroundIt) {
  for (const bool ownIsBelow : {false, true}) {
    SCOPED_TRACE(ownIsBelow);
    TwoStacks stacks(ownIsBelow);
    twoStacks = &stacks;
    pthread_attr_t attributes;
    ASSERT_EQ(pthread_attr_init(&attributes), 0);
    ASSERT_EQ(pthread_attr_setstack(&attributes, stacks.own(), TwoStacks::bytes), 0);
    pthread_t thread = 0;
    ASSERT_EQ(pthread_create(&thread, &attributes, mainOfThread, nullptr), 0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
    EXPECT_FALSE(stacks.innerReturned);
    EXPECT_FALSE(stacks.outerReturned);
    EXPECT_EQ(stacks.inner.address, reinterpret_cast<const void*>(16));
    EXPECT_EQ(stacks.outer.address, reinterpret_cast<const void*>(24));
  }
}

std::size_t mappings() {
  std::ifstream maps("/proc/self/maps");
  return static_cast<std::size_t>(std::count(std::istreambuf_iterator<char>(maps), {}, '\n'));
}

TEST(KernelStackOfAThread, isFreedWithItsThread) {
  const auto launchOnThreads = [](int threads) {
    for (int i = 0; i < threads; ++i)
      std::thread([] {
        Fault fault;
        const auto nothing = [](const std::byte*, const LaunchInfo*, const Slice*, const WorkerMemory*) {};
        ASSERT_TRUE(call(nothing, nullptr, fault, 1 << 20));
      }).join();
  };
  launchOnThreads(3);  // the C library keeps stacks of threads
  const std::size_t before = mappings();
  launchOnThreads(100);
  EXPECT_LT(mappings(), before + 20);
}

}  // namespace
}  // namespace clarity::device::cpu
