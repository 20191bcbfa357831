// SPDX-License-Identifier: Apache-2.0
// This file makes a GPU of the stub, and operations for it.
#include "fixture.h"

#include "device/cuda/driver.h"

#include <cstring>

namespace clarity::test {

using namespace device::cuda;

void CudaParts::SetUp() {
  ASSERT_NE(Driver::get(), nullptr) << Driver::objection();
  ASSERT_TRUE(openControls());
  gpu = std::make_shared<const Gpu>(0);
  ASSERT_TRUE(gpu->start());
  gpu->use();
  completions = std::make_shared<Completions>(gpu);
  staging = std::make_shared<Staging>(gpu);
  pool = std::make_unique<CudaMemory>(gpu);
}

void CudaParts::TearDown() {
  resetControls();
  for (CuStream each : streams_) (void)driver().streamDestroy(each);
  if (module_) (void)driver().moduleUnload(module_);
}

CuStream CudaParts::makeStream() {
  CuStream made = nullptr;
  EXPECT_EQ(driver().streamCreate(&made, cuStreamNonBlocking), 0);
  streams_.push_back(made);
  return made;
}

void CudaParts::hold(CuStream stream) {
  const char* const image =
      "machine code of the stub\nhold\n.version 8.0\n.target sm_90\n.address_size 64\n"
      ".visible .entry hold()\n{\nret;\n}\n";
  if (!module_) ASSERT_EQ(driver().moduleLoadDataEx(&module_, image, 0, nullptr, nullptr), 0);
  CuFunction function = nullptr;
  ASSERT_EQ(driver().moduleGetFunction(&function, module_, "hold"), 0);
  holdKernels(1);
  ASSERT_EQ(driver().launchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr), 0);
}

device::Operation CudaParts::fill(const device::Allocation& to, std::size_t bytes, unsigned char value) {
  device::Fill fill{.to = {const_cast<device::Allocation*>(&to)}, .bytes = bytes, .patternBytes = 1, .pattern = {}};
  fill.pattern[0] = std::byte{value};
  return fill;
}

device::Operation CudaParts::write(const device::Allocation& to, const std::vector<std::byte>& from) {
  return device::Copy{.to = {const_cast<device::Allocation*>(&to)},
                      .from = device::Location::inHost(from.data()),
                      .bytes = from.size()};
}

device::Operation CudaParts::read(std::vector<std::byte>& to, const device::Allocation& from) {
  return device::Copy{
      .to = device::Location::inHost(to.data()), .from = {const_cast<device::Allocation*>(&from)}, .bytes = to.size()};
}

device::Operation CudaParts::call(void (*function)(void*)) {
  device::HostFunction made;
  made.function = function;
  made.hasArgs = false;
  return made;
}

}  // namespace clarity::test
