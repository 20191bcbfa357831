// SPDX-License-Identifier: Apache-2.0
// This file executes kernels that the test has no function for: their PTX, on the stub's memory.
#include "kernels.h"

#include <cstdio>
#include <cstdlib>

namespace clarity::device::cuda {
namespace {

class StubMemory : public ptx::Memory {
public:
  ptx::Range find(std::uint64_t address) override {
    Stub& stub = Stub::get();
    const std::lock_guard lock(stub.mutex);
    for (const auto* areas : {&stub.memory, &stub.variables})
      if (const ptx::Range range = in(*areas, address); range.host) return range;
    if (address >= bias) return {};
    const auto next = stub.pinned.upper_bound(reinterpret_cast<const std::byte*>(address));
    if (next == stub.pinned.begin()) return {};
    const auto& [first, bytes] = *std::prev(next);
    const auto begin = reinterpret_cast<std::uint64_t>(first);
    return {begin, begin + bytes, const_cast<std::byte*>(first)};
  }

  std::uint64_t version() const override { return Stub::get().memoryVersion.load(std::memory_order_acquire); }

  std::uint64_t allocate(std::uint64_t bytes, std::uint64_t alignment, std::byte*& host) override {
    const std::size_t unit = std::max<std::size_t>(alignment, 256);
    host = static_cast<std::byte*>(std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit));
    if (!host) return 0;
    Stub& stub = Stub::get();
    const std::lock_guard lock(stub.mutex);
    const std::uint64_t address = reinterpret_cast<std::uint64_t>(host) + bias;
    stub.variables[address] = bytes;
    ++stub.memoryVersion;
    return address;
  }

  void release(std::uint64_t address) override {
    Stub& stub = Stub::get();
    const std::lock_guard lock(stub.mutex);
    stub.variables.erase(address);
    ++stub.memoryVersion;
    std::free(hostOf(address));
  }

private:
  static ptx::Range in(const std::map<CuPointer, std::size_t>& areas, std::uint64_t address) {
    const auto next = areas.upper_bound(address);
    if (next == areas.begin()) return {};
    const auto& [first, bytes] = *std::prev(next);
    if (address - first >= bytes) return {};
    return {first, first + bytes, hostOf(first)};
  }
};

}  // namespace

ptx::Memory& memoryForPtx() {
  static StubMemory* const memory = new StubMemory;  // threads may need it while the process ends
  return *memory;
}

void executeKernel(const CuKernelNode& kernel, const ptx::Program& program, const ptx::Entry& entry,
                   const std::vector<std::vector<unsigned char>>& parameters) {
  ptx::Launch launch;
  launch.program = &program;
  launch.entry = &entry;
  std::copy_n(kernel.grid, 3, launch.grid.begin());
  std::copy_n(kernel.block, 3, launch.block.begin());
  launch.sharedBytes = kernel.sharedBytes;
  launch.parameters.resize(entry.parameterBytes);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    std::memcpy(launch.parameters.data() + entry.parameters[i].offset, parameters[i].data(), parameters[i].size());
  launch.capability =
      static_cast<unsigned>(10 * numberOf("CLARITY_TEST_CUDA_MAJOR", 9) + numberOf("CLARITY_TEST_CUDA_MINOR", 0));
  if (const long most = numberOf("CLARITY_TEST_CUDA_INSTRUCTIONS", 0))
    launch.mostInstructions = static_cast<std::uint64_t>(most);
  try {
    const std::uint64_t executed = ptx::execute(launch, memoryForPtx());
    if (numberOf("CLARITY_TEST_CUDA_COUNT", 0))
      std::fprintf(stderr, "kernel '%s': %llu instructions of warps\n", kernel.function->name.c_str(),
                   static_cast<unsigned long long>(executed));
  } catch (const ptx::Fault& fault) {
    std::fprintf(stderr, "stub of the CUDA driver: kernel '%s': %s\n", kernel.function->name.c_str(),
                 fault.text.c_str());
    Stub::get().fault(fault.code);
  }
}

}  // namespace clarity::device::cuda
