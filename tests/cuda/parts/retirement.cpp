// SPDX-License-Identifier: Apache-2.0
// This file tests in which order operations retire, and what becomes of their results.
#include "device/cuda/retirement.h"

#include "device/cuda/end_tracker.h"
#include "device/cuda/stream_queue.h"
#include "fixture.h"

#include <CL/cl.h>

#include <deque>
#include <system_error>
#include <thread>

namespace clarity::test {
namespace {

using namespace device::cuda;

struct CudaRetirement : CudaParts {
  std::mutex mutex;
  std::unique_ptr<EndTracker> ends;
  std::unique_ptr<Retirement> retirement;
  std::deque<Noted> operations;
  std::vector<std::uint64_t> order;

  void SetUp() override {
    CudaParts::SetUp();
    ends = std::make_unique<EndTracker>(gpu, completions, makeStream());
    retirement = std::make_unique<Retirement>(gpu, completions);
  }
  void TearDown() override {
    ends.reset();
    CudaParts::TearDown();
  }
  /// An operation that has been issued.
  Noted& add(std::unique_ptr<Details> details = nullptr) {
    Noted& made = operations.emplace_back();
    made.link.place = operations.size();
    made.link.data = details.release();
    made.then = [this, &made] { order.push_back(made.link.place); };
    retirement->append(made);
    return made;
  }
  void execute(std::uint64_t place) {
    ends->noteIssued(place);
    while (ends->executed() < place) (void)ends->look();
  }
  bool retire() {
    std::unique_lock lock(mutex);
    return retirement->retire(lock, *ends);
  }
  /// The result of an operation with such a host part.
  Result resultOf(Afterwards afterwards) {
    auto details = std::make_unique<Details>();
    details->afterwards = std::move(afterwards);
    Noted& its = add(std::move(details));
    execute(its.link.place);
    EXPECT_TRUE(retire());
    EXPECT_EQ(its.completed, 1);
    return its.result;
  }
};

TEST_F(CudaRetirement, whatHasBeenExecutedRetiresInItsOrder) {
  for (int i = 0; i < 3; ++i) add();
  EXPECT_FALSE(retire()) << "nothing has been executed";
  execute(2);
  EXPECT_TRUE(retire());
  EXPECT_EQ(order, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(retirement->retired(), 2U);
  EXPECT_EQ(retirement->first(), &operations[2]);
  EXPECT_FALSE(retire());
  execute(3);
  EXPECT_TRUE(retire());
  EXPECT_EQ(retirement->first(), nullptr);
}

// complete() is called without the mutex, by one thread at a time; until it has returned, the place has not retired.
TEST_F(CudaRetirement, insideComplete) {
  Noted& first = add();
  add();
  int inside = 0;
  first.then = [&] {
    ++inside;
    std::jthread([&] {
      const std::unique_lock lock(mutex, std::try_to_lock);
      EXPECT_TRUE(lock.owns_lock());
      EXPECT_FALSE(retirement->isRetiringHere());
    }).join();
    EXPECT_TRUE(retirement->isRetiringHere());
    EXPECT_FALSE(retire());
    EXPECT_EQ(retirement->retired(), 0U);
  };
  execute(2);
  EXPECT_TRUE(retire());
  EXPECT_EQ(inside, 1);
  EXPECT_EQ(retirement->retired(), 2U);
  EXPECT_FALSE(retirement->isRetiring());
}

TEST_F(CudaRetirement, notBeforeWhatItComesAfter) {
  const auto other = std::make_shared<StreamQueue>(gpu, completions, staging, 1 << 10, false);
  auto details = std::make_unique<Details>();
  details->after = {{other, 1}};
  add(std::move(details));
  execute(1);
  EXPECT_FALSE(retire());
  ASSERT_NE(retirement->missing(), nullptr);
  EXPECT_EQ(retirement->missing()->queue, other);
  const auto memory = allocate(16);
  Noted its(fill(*memory, 16, 1));
  other->submit(its, {});
  other->wait(1, its);
  EXPECT_EQ(retirement->missing(), nullptr);
  EXPECT_TRUE(retire());
  other->close();
}

TEST_F(CudaRetirement, resultsOfHostParts) {
  EXPECT_EQ(resultOf([] { return Result{}; }).code, CL_SUCCESS);
  EXPECT_EQ(resultOf([] { return Result{CL_INVALID_OPERATION, "no"}; }).text, "no");
  EXPECT_EQ(resultOf([]() -> Result { throw std::bad_alloc(); }).code, CL_OUT_OF_HOST_MEMORY);
  const Result noThread = resultOf(
      []() -> Result { throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again)); });
  EXPECT_EQ(noThread.code, CL_OUT_OF_RESOURCES);
  EXPECT_NE(noThread.text.find("no thread"), std::string::npos) << noThread.text;
  EXPECT_EQ(resultOf([]() -> Result { throw std::runtime_error("this"); }).text, "this");
  EXPECT_EQ(resultOf([]() -> Result { throw 1; }).code, CL_OUT_OF_RESOURCES);
}

TEST_F(CudaRetirement, failures) {
  Noted& first = add();
  first.link.flags = failedWithoutMemory;
  auto details = std::make_unique<Details>();
  details->failure = {CL_INVALID_OPERATION, "refused"};
  bool called = false;
  details->afterwards = [&] {
    called = true;
    return Result{};
  };
  Noted& second = add(std::move(details));
  execute(2);
  EXPECT_TRUE(retire());
  EXPECT_EQ(first.result.code, CL_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(second.result.text, "refused");
  EXPECT_FALSE(called);
  Noted& third = add();
  ends->noteIssued(3);
  failCall("cuStreamQuery", 1, 700);
  EXPECT_TRUE(ends->look());
  EXPECT_TRUE(retire());
  EXPECT_EQ(third.result.code, device::faultCode);
  EXPECT_FALSE(gpu->state());
}

}  // namespace
}  // namespace clarity::test
