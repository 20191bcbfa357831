// SPDX-License-Identifier: Apache-2.0
// This file is the stub's modules and launches. Machine code is the PTX text behind a mark.
#include "compiler/nvptx/launch_abi.h"
#include "control.h"
#include "kernels.h"
#include "stub.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

struct clarity::device::cuda::CuLinkStateTag {
  std::string image;
  char* log = nullptr;  ///< for messages on what is wrong with a text
  std::size_t logBytes = 0;
};

namespace clarity::device::cuda {
namespace {

constexpr std::size_t mostShared = 232448;  ///< bytes of a block, as the device says
constexpr std::string_view mark = "machine code of the stub\n";

}  // namespace

CuResult moduleLoadDataEx(CuModule* module, const void* image, unsigned, int*, void**) {
  if (const CuResult failure = Stub::get().enter("cuModuleLoadDataEx")) return failure;
  const std::string_view text = static_cast<const char*>(image);
  if (!text.starts_with(mark)) return 200;  // CUDA_ERROR_INVALID_IMAGE
  const std::size_t end = text.find('\n', mark.size());
  auto made = std::make_unique<CuModuleTag>();
  made->name = text.substr(mark.size(), end - mark.size());
  try {
    made->program = std::make_shared<ptx::Program>(std::string(text.substr(end + 1)), memoryForPtx());
  } catch (const ptx::Error& error) {
    std::fprintf(stderr, "stub of the CUDA driver: '%s': %s\n", made->name.c_str(), error.what());
    return 218;  // CUDA_ERROR_INVALID_PTX
  }
  *module = made.release();
  return 0;
}

#ifndef CLARITY_CUDA_WITHOUT_LINK
CuResult linkCreate(unsigned count, int* options, void** values, CuLinkState* state) {
  if (const CuResult failure = Stub::get().enter("cuLinkCreate_v2")) return failure;
  *state = new CuLinkStateTag{std::string(mark)};
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == cuJitErrorLogBuffer) (*state)->log = static_cast<char*>(values[i]);
    if (options[i] == cuJitErrorLogBytes) (*state)->logBytes = reinterpret_cast<std::uintptr_t>(values[i]);
  }
  return 0;
}
#endif

CuResult linkAddData(CuLinkState state, int type, void* data, std::size_t bytes, const char* name, unsigned, int*,
                     void**) {
  if (const CuResult failure = Stub::get().enter("cuLinkAddData_v2")) return failure;
  const std::string_view text(static_cast<const char*>(data), bytes);
  if (type != cuJitInputPtx || !text.contains(".version")) return 218;  // CUDA_ERROR_INVALID_PTX
  if (const CuResult refusal = refusalOf(text)) return refusal;
  try {
    (void)ptx::parse(text);
  } catch (const ptx::Error& error) {
    if (state->log) std::snprintf(state->log, state->logBytes, "%s", error.what());
    return 218;
  }
  (state->image += name) += '\n';
  state->image += text;
  return 0;
}

CuResult linkComplete(CuLinkState state, void** cubin, std::size_t* bytes) {
  if (const CuResult failure = Stub::get().enter("cuLinkComplete")) return failure;
  *cubin = state->image.data();
  *bytes = state->image.size() + 1;
  return 0;
}

CuResult linkDestroy(CuLinkState state) {
  delete state;
  return 0;
}

CuResult moduleUnload(CuModule module) {
  (void)Stub::get().enter("cuModuleUnload", false);
  *module->loaded = false;
  const std::shared_ptr<const ptx::Program> last = module->program;  // to go when nothing is locked
  {
    const std::lock_guard lock(Stub::get().mutex);
    for (CuFunctionTag* function : module->functions) {
      function->program = nullptr;
      function->entry = nullptr;
    }
  }
  delete module;
  return 0;
}

CuResult moduleGetFunction(CuFunction* function, CuModule module, const char* name) {
  Stub& stub = Stub::get();
  if (const CuResult failure = stub.enter("cuModuleGetFunction")) return failure;
  const ptx::Entry* const entry = module->program->entry(name);
  if (!entry) return notFound;
  auto found = std::make_unique<CuFunctionTag>();
  // All kernels have one symbol: what the driver named the text tells them apart.
  found->name = module->name;
  found->program = module->program;
  found->entry = entry;
  found->maxThreads =
      entry->maxThreads ? std::min(stub.maxThreads, static_cast<int>(entry->maxThreads)) : stub.maxThreads;
  found->signalsEnd = module->program->text.contains("st.relaxed.sys.global");
  found->loaded = module->loaded;
  for (const ptx::Parameter& each : entry->parameters) found->parameterBytes.push_back(each.bytes);
  *function = found.get();
  module->functions.push_back(found.get());
  const std::lock_guard lock(stub.mutex);
  stub.functions.push_back(std::move(found));
  return 0;
}

CuResult moduleGetGlobal(CuPointer* pointer, std::size_t* bytes, CuModule module, const char* name) {
  if (const CuResult failure = Stub::get().enter("cuModuleGetGlobal_v2")) return failure;
  const auto found = module->program->variables.find(name);
  if (found == module->program->variables.end()) return notFound;
  *pointer = found->second.address;
  *bytes = found->second.bytes;
  return 0;
}

CuResult funcGetAttribute(int* value, int attribute, CuFunction function) {
  *value = attribute == cuFunctionMaxThreads    ? function->maxThreads
           : attribute == cuFunctionRegisters   ? 64
           : attribute == cuFunctionSharedBytes ? static_cast<int>(function->program->sharedBytes)
           : attribute == cuFunctionLocalBytes  ? static_cast<int>(function->program->privateBytes)
                                                : 0;
  return Stub::get().enter("cuFuncGetAttribute");
}

CuResult funcSetAttribute(CuFunction, int, int) { return Stub::get().enter("cuFuncSetAttribute"); }

/// As the test says, or as many as shared memory and 2,048 threads leave room for.
CuResult occupancyMaxActiveBlocks(int* blocks, CuFunction, int threads, std::size_t sharedBytes) {
  constexpr std::size_t shared = 228u << 10, most = 2048;
  if (const ClarityCudaOccupancy function = Stub::get().occupancy.load()) {
    *blocks = function(threads, sharedBytes);
    return Stub::get().enter("cuOccupancyMaxActiveBlocksPerMultiprocessor");
  }
  *blocks =
      static_cast<int>(std::min(most / static_cast<std::size_t>(threads), sharedBytes ? shared / sharedBytes : most));
  return Stub::get().enter("cuOccupancyMaxActiveBlocksPerMultiprocessor");
}

CuResult launchKernel(CuFunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                      unsigned blockY, unsigned blockZ, unsigned sharedBytes, CuStream stream, void** parameters,
                      void**) {
  if (const CuResult failure = Stub::get().enter("cuLaunchKernel")) return failure;
  return launch({function, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes, parameters}, stream);
}

/// Does what code for it does behind a kernel (compiler/nvptx/signal_end.h), if no kernel has failed.
void tellEnd(const CuFunctionTag& function, const std::vector<std::vector<unsigned char>>& parameters) {
  compiler::nvptx::LaunchInfo info;
  if (!function.signalsEnd || parameters.empty() || parameters.back().size() != sizeof info) return;
  std::memcpy(&info, parameters.back().data(), sizeof info);
  auto* const flag = reinterpret_cast<std::uint32_t*>(info.endFlag);
  Stub& stub = Stub::get();
  if (!flag) return;
  if (!stub.isPinned(flag, sizeof *flag)) return stub.fault(illegalAddress);
  const std::lock_guard lock(stub.mutex);
  if (stub.failure == 0) __atomic_store_n(flag, info.endNumber, __ATOMIC_RELEASE);
}

CuResult launch(const CuKernelNode& kernel, CuStream stream) {
  Stub& stub = Stub::get();
  const auto& [function, grid, block, sharedBytes, parameters, extra, sameKernel, context] = kernel;
  const auto [gridX, gridY, gridZ] = grid;
  const auto [blockX, blockY, blockZ] = block;
  const unsigned threads = blockX * blockY * blockZ;
  if (!gridX || !gridY || !gridZ || !threads || threads > 1024 || gridY > 65535 || gridZ > 65535) return cuInvalidValue;
  if (threads > static_cast<unsigned>(function->maxThreads)) return 701;  // CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES
  const std::shared_ptr<const ptx::Program> program = function->program;
  if (!program) return invalidHandle;
  if (program->sharedBytes + sharedBytes > mostShared) return cuInvalidValue;
  std::vector<std::vector<unsigned char>> copies;
  for (std::size_t i = 0; i < function->parameterBytes.size(); ++i) {
    const auto* const first = static_cast<const unsigned char*>(parameters[i]);
    copies.emplace_back(first, first + function->parameterBytes[i]);
  }
  stub.add(
      stream, [kernel, &stub, program, entry = function->entry, name = function->name, copies = std::move(copies)] {
        const auto& [function, grid, block, sharedBytes, parameters, extra, sameKernel, context] = kernel;
        ClarityCudaKernel code = nullptr;
        {
          std::unique_lock lock(stub.mutex);
          stub.changed.wait(lock, [&] { return !stub.held; });
          const auto found = stub.kernels.find(name);
          if (found != stub.kernels.end()) code = found->second;
          if (stub.failure != 0) return;
        }
        if (!code) return executeKernel(kernel, *program, *entry, copies);
        std::vector<const unsigned char*> pointers;
        for (const auto& copy : copies) pointers.push_back(copy.data());
        const ClarityCudaLaunch launch{
            function->name.c_str(), {grid[0], grid[1], grid[2]},           {block[0], block[1], block[2]}, sharedBytes,
            pointers.data(),        static_cast<unsigned>(pointers.size())};
        code(&launch);
        tellEnd(*function, copies);
      });
  return 0;
}

}  // namespace clarity::device::cuda
