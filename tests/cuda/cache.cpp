// SPDX-License-Identifier: Apache-2.0
// This file tests that machine code is kept between programs, for the CUDA driver that made it only.
#include "cuda_stub.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace clarity::test {
namespace {

struct CudaCache : CudaStub {
  static std::filesystem::path folder() {
    return std::filesystem::temp_directory_path() / ("clarity-cuda-cache-" + std::to_string(getpid()));
  }
  // The driver reads its options once: these must be there before any other test has used it.
  void SetUp() override {
    if (dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD)) GTEST_SKIP() << "another test has used the driver";
    setenv("CLARITY_CACHE", "1", 1);
    setenv("CLARITY_CACHE_DIR", folder().c_str(), 1);
    CudaStub::SetUp();
  }
  void TearDown() override {
    unsetenv("CLARITY_TEST_CUDA_VERSION");
    CudaStub::TearDown();
    std::filesystem::remove_all(folder());
  }
  /// How often the driver compiles for a new program with a launch.
  std::uint64_t compilesOfALaunch() {
    const auto before = calls("cuLinkComplete");
    const cl_mem data = bufferOf(std::vector<cl_int>{1});
    launchOne(queue, adder(data, 2));
    EXPECT_EQ(read<cl_int>(data, 1)[0], 3);
    return calls("cuLinkComplete") - before;
  }
};

TEST_F(CudaCache, machineCodeIsThatOfTheDriversVersion) {
  EXPECT_EQ(compilesOfALaunch(), 1U);
  EXPECT_EQ(compilesOfALaunch(), 0U) << "it is kept";
  setenv("CLARITY_TEST_CUDA_VERSION", "13010", 1);
  EXPECT_EQ(compilesOfALaunch(), 1U) << "another driver makes its own";
  EXPECT_EQ(compilesOfALaunch(), 0U);
  unsetenv("CLARITY_TEST_CUDA_VERSION");
  EXPECT_EQ(compilesOfALaunch(), 0U) << "that of the first one is still there";
}

}  // namespace
}  // namespace clarity::test
