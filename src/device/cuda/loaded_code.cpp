// SPDX-License-Identifier: Apache-2.0
// This file is a kernel's machine code in the CUDA driver, and what the driver says of it.
#include "device/cuda/executable.h"
#include "device/gpu_launches.h"

#include <CL/cl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace clarity::device::cuda {
namespace {

/// Bytes of PTX of which LLVM and the CUDA driver make code in a second, about.
constexpr double bytesOfSecond = 100u << 10;

}  // namespace

Module::~Module() {
  if (!module_) return;
  gpu_->use();
  (void)driver().moduleUnload(module_);
}

Result CudaExecutable::load(CuModule& module, const std::string& ptx, std::string_view name, bool isAhead,
                            bool& wasKept) const {
  const MakingCode making(isAhead);
  if (!making.isAllowed()) return {CL_OUT_OF_RESOURCES, "the process ends"};
  int version = 0;
  (void)driver().driverGetVersion(&version);
  const support::Hash128 key =
      support::Hasher().add("cubin").add(static_cast<std::uint64_t>(version)).add(target_.cpu).add(ptx).finish();
  const auto kept = compiler::recall(key);
  wasKept = kept && driver().moduleLoadDataEx(&module, kept->data(), 0, nullptr, nullptr) == 0;
  if (wasKept) return {};
  std::array<char, 8192> log{};
  int options[] = {cuJitErrorLogBuffer, cuJitErrorLogBytes};
  void* values[] = {log.data(), reinterpret_cast<void*>(static_cast<std::uintptr_t>(log.size()))};
  CuLinkState state = nullptr;
  void* cubin = nullptr;
  std::size_t bytes = 0;
  CuResult outcome = driver().linkCreate(2, options, values, &state);
  MakingCode::compilerIsLoaded();
  if (outcome == 0)
    outcome = driver().linkAddData(state, cuJitInputPtx, const_cast<char*>(ptx.c_str()), ptx.size() + 1,
                                   std::string(name).c_str(), 0, nullptr, nullptr);
  if (outcome == 0) outcome = driver().linkComplete(state, &cubin, &bytes);
  if (outcome == 0) outcome = driver().moduleLoadDataEx(&module, cubin, 0, nullptr, nullptr);
  if (outcome == 0) compiler::remember(key, std::string_view(static_cast<const char*>(cubin), bytes));
  if (state) (void)driver().linkDestroy(state);  // frees the cubin
  if (outcome == 0) return {};
  Result result = resultOf(outcome, fmt::format("kernel '{}' could not be compiled by the CUDA driver", name));
  if (log[0]) result.text += fmt::format("; {}", log.data());
  return result;
}

Code::Code(Module module, CuFunction function, const compiler::NvptxCodeContent& content)
    : module_(std::move(module)),
      function(function),
      tile(content.tile),
      signalsEnd(content.signalsEnd),
      seconds(static_cast<double>(content.ptx.size()) / bytesOfSecond),
      counted(content.counted) {
  if (!counted.empty())
    (void)driver().moduleGetGlobal(&counters, &countedBytes, module_.get(), compiler::nvptx::countsSymbol);
  const auto attribute = [&](int which) {
    int value = 0;
    (void)driver().funcGetAttribute(&value, which, function);
    return value;
  };
  registers = attribute(cuFunctionRegisters);
  privateBytes = static_cast<std::uint64_t>(attribute(cuFunctionLocalBytes));
  maxThreads = static_cast<unsigned>(attribute(cuFunctionMaxThreads));
  const int own = attribute(cuFunctionSharedBytes);
  ownShared = static_cast<std::uint64_t>(own);
  // Shared memory beyond the usual 48 KB has to be asked for.
  (void)driver().funcSetAttribute(function, cuFunctionMaxDynamicShared,
                                  static_cast<int>(mostShared(module_.gpu())) - own);
}

std::uint64_t Code::blocksOfMultiprocessor(unsigned threads, std::uint64_t sharedBytes) const {
  int together = 0;
  if (driver().occupancyMaxActiveBlocks(&together, function, static_cast<int>(threads), sharedBytes) != 0) return 0;
  return static_cast<std::uint64_t>(std::max(together, 0));
}

std::uint64_t Code::blocksAtOnce(unsigned threads, std::uint64_t sharedBytes) const {
  return std::max<std::uint64_t>(blocksOfMultiprocessor(threads, sharedBytes), 1) *
         static_cast<std::uint64_t>(module_.gpu().attribute(MultiprocessorCount));
}

void Code::tellProfile(const Launch& launch, const CuKernelNode& node) const {
  GpuLaunchListener* const listener = gpuLaunchListener.load(std::memory_order_acquire);
  if (!listener || countedBytes > 0) [[likely]]  // registers of counted code say nothing about the program's
    return;
  const auto product = [](const unsigned (&sizes)[3]) { return std::uint64_t{sizes[0]} * sizes[1] * sizes[2]; };
  const std::uint64_t blocks = product(node.grid), threads = product(node.block);
  std::uint64_t number = blocks * 1024 + threads;
  for (const auto& sizes : {launch.range.global, launch.range.local})
    for (const std::size_t size : sizes) number = number * 0x9e3779b97f4a7c15u + size;
  if (told_.exchange(number, std::memory_order_relaxed) == number) return;
  const std::uint64_t shared = node.sharedBytes;
  GpuLaunch its{.kernel = launch.info,
                .global = {},
                .local = {},
                .blocks = blocks,
                .threads = threads,
                .registers = static_cast<std::uint64_t>(registers),
                .privateBytes = privateBytes,
                .sharedBytes = shared + ownShared,
                .together = blocksOfMultiprocessor(static_cast<unsigned>(threads), shared),
                .multiprocessors = static_cast<std::uint64_t>(module_.gpu().attribute(MultiprocessorCount)),
                .mostThreads = static_cast<std::uint64_t>(module_.gpu().attribute(MaxThreadsPerMultiprocessor))};
  std::ranges::copy(launch.range.global, its.global.begin());
  std::ranges::copy(launch.range.local, its.local.begin());
  listener(its);
}

}  // namespace clarity::device::cuda
