// SPDX-License-Identifier: Apache-2.0
// This file tests which code is made on other threads, once each, and how long is waited for it.
#include "device/cuda/stand_ins.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>

namespace clarity::test {
namespace {

using device::cuda::KernelShape;
using device::cuda::Preparations;

KernelShape codeOf(std::size_t kernel, std::uint32_t local) { return {kernel, {.local = {local, 1, 1}}}; }

TEST(CudaPreparations, codeThatIsPendingIsNotBegunAgain) {
  const auto all = std::make_shared<Preparations>();
  auto first = Preparations::begin(all, codeOf(0, 32));
  ASSERT_TRUE(first);
  EXPECT_FALSE(Preparations::begin(all, codeOf(0, 32)));
  EXPECT_FALSE(Preparations::begin(all, codeOf(0, 32))) << "nor when the second one was refused";
  EXPECT_TRUE(Preparations::begin(all, codeOf(0, 64))) << "another shape";
  EXPECT_TRUE(Preparations::begin(all, codeOf(1, 32))) << "another kernel";
  first.reset();
  EXPECT_TRUE(Preparations::begin(all, codeOf(0, 32))) << "it has ended";
}

TEST(CudaPreparations, waitingEndsWithTheLast) {
  const auto all = std::make_shared<Preparations>();
  all->wait();
  auto first = Preparations::begin(all, codeOf(0, 32)), second = Preparations::begin(all, codeOf(1, 32));
  std::atomic<bool> isOver{false};
  std::thread waits([&] {
    all->wait();
    isOver = true;
  });
  first.reset();
  std::this_thread::yield();
  EXPECT_FALSE(isOver);
  second.reset();
  waits.join();
  EXPECT_TRUE(isOver);
}

}  // namespace
}  // namespace clarity::test
