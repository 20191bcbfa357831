// SPDX-License-Identifier: Apache-2.0
// This file tests that whatever goes wrong inside submit(), the issuer and the thread of Completions becomes the result
// of the operation, which ends once, and that later operations run: there is no memory, no thread, or the driver
// refuses something.
#include "device/cuda/driver.h"
#include "device/cuda/stream.h"
#include "failing_allocations.h"
#include "failing_threads.h"
#include "fixture.h"

#include <CL/cl.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <span>
#include <string_view>

namespace clarity::test {
namespace {

using namespace device::cuda;

constexpr std::size_t smallBytes = 16, largeBytes = 2 * Staging::smallBytes;

struct CudaGuards : CudaParts {
  std::unique_ptr<device::Allocation> memory;
  std::vector<std::byte> few = std::vector<std::byte>(smallBytes), many = std::vector<std::byte>(largeBytes);

  void SetUp() override {
    CudaParts::SetUp();
    memory = allocate(largeBytes);
  }
  /// One of each kind of operation that needs no compiler: short ones, and such as the issuer issues.
  std::vector<device::Operation> operations() {
    return {fill(*memory, smallBytes, 3), write(*memory, few), read(few, *memory),
            write(*memory, many),         read(many, *memory), call([](void*) {})};
  }
  std::unique_ptr<CudaStream> stream(bool isOutOfOrder = false) {
    return std::make_unique<CudaStream>(gpu, completions, staging, 1 << 10,
                                        device::StreamOptions{.outOfOrder = isOutOfOrder, .profiled = true});
  }
  static void submit(device::Stream& to, Noted& its, Noted* after = nullptr) {
    device::Submission* const all[] = {after};
    to.submit(its, device::Start::AtOnce, std::span(all, after ? 1 : 0));
  }
  /// Waits as clFinish does.
  static void finish(device::Stream& stream, Noted& its) {
    stream.flush();
    while (!its.ended()) stream.help(its);
  }
  /// Later operations run: what one copies arrives.
  void expectToWork(device::Stream& on) {
    Noted filled(fill(*memory, smallBytes, 7)), copied(read(few, *memory));
    submit(on, filled);
    submit(on, copied, &filled);
    finish(on, copied);
    EXPECT_EQ(copied.result.code, CL_SUCCESS) << copied.result.text;
    EXPECT_TRUE(std::ranges::all_of(few, [](std::byte each) { return each == std::byte{7}; }));
  }
  /// An operation in each of two streams, of which the second comes after the first, while something fails. Returns
  /// whether it has: `fail` makes something that says so.
  template <class Fail>
  bool runWhile(const device::Operation& operation, bool isOutOfOrder, const Fail& fail) {
    const auto first = stream(), second = stream(isOutOfOrder);
    Noted before(fill(*memory, smallBytes, 1)), its(operation);
    bool has = false;
    {
      auto failing = fail();
      submit(*first, before);
      submit(*second, its, &before);
      finish(*first, before);
      finish(*second, its);
      has = failing();
    }
    EXPECT_EQ(before.completed, 1);
    EXPECT_EQ(its.completed, 1);
    last = its.result.code ? its.result : before.result;
    expectToWork(*second);
    return has;
  }
  Result last;
};

TEST_F(CudaGuards, noMemoryInSubmit) {
  struct Failing {
    FailingAllocation allocation;
    bool operator()() const { return allocation.hasFailed(); }
  };
  int failures = 0;
  for (const bool isOutOfOrder : {false, true})
    for (const device::Operation& operation : operations())
      for (int before = 0;; ++before) {
        if (!runWhile(operation, isOutOfOrder, [&] { return Failing{FailingAllocation(before)}; })) break;
        EXPECT_TRUE(last.code == CL_SUCCESS || last.code == CL_OUT_OF_HOST_MEMORY) << last.code << ' ' << last.text;
        failures += last.code != CL_SUCCESS;
        ASSERT_FALSE(HasFailure()) << "allocation " << before << " of operation " << operation.index();
      }
  EXPECT_GT(failures, 0);
}

/// Runs the second operation on the thread that completes the first one, where the allocation fails that comes after so
/// many. Returns whether it did.
bool failOnThatThread(device::Stream& stream, Noted& first, Noted& second, int before) {
  std::optional<FailingAllocation> failing;
  bool has = false;
  first.then = [&] { failing.emplace(before); };
  second.then = [&] {
    if (failing) has = failing->hasFailed();
    failing.reset();
  };
  stream.submit(first, device::Start::AtOnce, {});
  first.wait();
  stream.submit(second, device::Start::AtOnce, {});
  stream.flush();
  second.wait();
  return has;
}

// Large transfers are issued by the issuer, which retires them, too: they have been executed by then.
TEST_F(CudaGuards, noMemoryInTheIssuer) {
  for (const device::Operation& operation : {read(many, *memory), write(*memory, many)})
    for (int before = 0;; ++before) {
      const auto on = stream();
      Noted first(read(many, *memory)), second(operation);
      const bool has = failOnThatThread(*on, first, second, before);
      EXPECT_EQ(second.completed, 1);
      EXPECT_TRUE(second.result.code == CL_SUCCESS || second.result.code == CL_OUT_OF_HOST_MEMORY)
          << second.result.text;
      expectToWork(*on);
      if (!has) break;
    }
}

// No thread waits: the thread of Completions retires.
TEST_F(CudaGuards, noMemoryInTheThreadOfCompletions) {
  for (const device::Operation& operation : {fill(*memory, smallBytes, 2), read(few, *memory), call([](void*) {})})
    for (int before = 0; before < 12; ++before) {
      const auto on = stream();
      Noted first(fill(*memory, smallBytes, 1)), second(operation);
      (void)failOnThatThread(*on, first, second, before);
      EXPECT_EQ(second.completed, 1);
      EXPECT_TRUE(second.result.code == CL_SUCCESS || second.result.code == CL_OUT_OF_HOST_MEMORY)
          << second.result.text;
      expectToWork(*on);
    }
}

// Each function of the driver fails once at each kind of operation. Not those that say what has ended: their errors are
// those of kernels, which lose the GPU (errors.cpp).
TEST_F(CudaGuards, theDriverRefuses) {
  constexpr const char* symbols[] = {
#define CUDA_FUNCTION(name, symbol, parameters) symbol,
#include "device/cuda/driver.def"
  };
  struct Failing {
    const StubControls& controls;
    const char* symbol;
    unsigned long long before;
    Failing(const StubControls& its, const char* of) : controls(its), symbol(of), before(its.calls(of)) {
      controls.failCall(symbol, 1, 1);
    }
    ~Failing() { controls.failCall(nullptr, 0, 0); }
    bool operator()() const { return controls.calls(symbol) != before; }
  };
  int failures = 0;
  for (const std::string_view symbol : symbols) {
    if (symbol.ends_with("Query") || symbol == "cuEventSynchronize") continue;
    for (const device::Operation& operation : operations()) {
      (void)runWhile(operation, false, [&] { return Failing(*this, symbol.data()); });
      failures += last.code != CL_SUCCESS;
      ASSERT_FALSE(HasFailure()) << symbol << ' ' << last.text;
    }
  }
  EXPECT_GT(failures, 0);
}

#ifdef CLARITY_THREADS_CAN_FAIL
TEST_F(CudaGuards, noThreads) {
  // The stub's streams have their threads, and so has the pool of the host's copies.
  const auto warm = stream();
  expectToWork(*warm);
  for (const bool isOutOfOrder : {false, true})
    for (const device::Operation& operation : operations()) {
      const auto first = stream(), second = stream(isOutOfOrder);
      for (const auto& each : {&first, &second}) expectToWork(**each);
      const FailingThreads none;
      Noted before(fill(*memory, smallBytes, 1)), its(operation);
      submit(*first, before);
      submit(*second, its, &before);
      finish(*second, its);
      finish(*first, before);
      EXPECT_EQ(its.completed, 1);
      EXPECT_EQ(its.result.code, CL_SUCCESS) << its.result.text;
    }
}

// Without the thread of Completions, whoever waits retires; it is made with the next stream for which there is one.
TEST_F(CudaGuards, noThreadOfCompletions) {
  {
    const FailingThreads none;
    completions = std::make_shared<Completions>(gpu);
  }
  const auto without = std::make_shared<StreamQueue>(gpu, completions, staging, 1 << 10, false);
  Noted waitedFor(fill(*memory, smallBytes, 1)), its(fill(*memory, smallBytes, 2));
  without->submit(waitedFor, {});
  without->wait(waitedFor.link.place, waitedFor);
  EXPECT_EQ(waitedFor.completed, 1);
  without->close();
  const auto with = stream();
  submit(*with, its);
  its.wait();  // does not help
  EXPECT_EQ(its.result.code, CL_SUCCESS) << its.result.text;
}
#endif

}  // namespace
}  // namespace clarity::test
