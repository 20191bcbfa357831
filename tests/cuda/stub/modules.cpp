// SPDX-License-Identifier: Apache-2.0
// This file is the stub's modules and launches. Machine code is the PTX text behind a mark; of the text only the names
// and the parameters of kernels are read.
#include "compiler/nvptx/launch_abi.h"
#include "control.h"
#include "stub.h"

#include <algorithm>
#include <charconv>
#include <cstring>

struct clarity::device::cuda::CuLinkStateTag {
  std::string image;
};

namespace clarity::device::cuda {
namespace {

constexpr std::string_view mark = "machine code of the stub\n";

/// Bytes of a parameter's declaration such as ".param .align 8 .b8 name[144]" or ".param .u64 .ptr .global name".
std::size_t bytesOf(std::string_view declaration) {
  std::size_t bytes = 0;
  for (std::size_t at = declaration.find('.'); at != declaration.npos; at = declaration.find('.', at + 1)) {
    const std::string_view word = declaration.substr(at + 1);
    if (word.size() < 2 || std::string_view("bufs").find(word[0]) == std::string_view::npos) continue;
    unsigned bits = 0;
    const auto [end, error] = std::from_chars(word.data() + 1, word.data() + word.size(), bits);
    if (error == std::errc() && (end == word.data() + word.size() || *end == ' ' || *end == '\t')) bytes = bits / 8;
  }
  if (const auto bracket = declaration.find('['); bracket != declaration.npos) {
    std::size_t count = 0;
    (void)std::from_chars(declaration.data() + bracket + 1, declaration.data() + declaration.size(), count);
    bytes *= count;
  }
  return bytes;
}

/// Finds a kernel's declaration; false if there is none of the name.
bool findKernel(std::string_view ptx, std::string_view name, std::vector<std::size_t>& parameters) {
  for (std::size_t at = ptx.find(".entry "); at != ptx.npos; at = ptx.find(".entry ", at + 1)) {
    const std::string_view rest = ptx.substr(at + 7);
    if (!rest.starts_with(name) || rest.find_first_of("( \t\n") != name.size()) continue;
    std::string_view list = rest.substr(rest.find('(') + 1);
    list = list.substr(0, list.find("\n)"));
    for (std::size_t begin = list.find(".param"); begin != list.npos;) {
      const std::size_t end = list.find(".param", begin + 1);
      parameters.push_back(bytesOf(list.substr(begin + 6, end == list.npos ? end : end - begin - 6)));
      begin = end;
    }
    return true;
  }
  return false;
}

}  // namespace

CuResult moduleLoadDataEx(CuModule* module, const void* image, unsigned, int*, void**) {
  if (const CuResult failure = Stub::get().enter("cuModuleLoadDataEx")) return failure;
  const std::string_view text = static_cast<const char*>(image);
  if (!text.starts_with(mark)) return 200;  // CUDA_ERROR_INVALID_IMAGE
  *module = new CuModuleTag{std::string(text)};
  return 0;
}

#ifndef CLARITY_CUDA_WITHOUT_LINK
CuResult linkCreate(unsigned, int*, void**, CuLinkState* state) {
  if (const CuResult failure = Stub::get().enter("cuLinkCreate_v2")) return failure;
  *state = new CuLinkStateTag{std::string(mark)};
  return 0;
}
#endif

CuResult linkAddData(CuLinkState state, int type, void* data, std::size_t bytes, const char* name, unsigned, int*,
                     void**) {
  if (const CuResult failure = Stub::get().enter("cuLinkAddData_v2")) return failure;
  const std::string_view text(static_cast<const char*>(data), bytes);
  if (type != cuJitInputPtx || !text.contains(".version")) return 218;  // CUDA_ERROR_INVALID_PTX
  if (const CuResult refusal = refusalOf(text)) return refusal;
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
  *module->loaded = false;
  delete module;
  return 0;
}

CuResult moduleGetFunction(CuFunction* function, CuModule module, const char* name) {
  Stub& stub = Stub::get();
  if (const CuResult failure = stub.enter("cuModuleGetFunction")) return failure;
  auto found = std::make_unique<CuFunctionTag>();
  // All kernels have one symbol: what the driver named the text tells them apart.
  const std::size_t first = mark.size();
  found->name = module->image.substr(first, module->image.find('\n', first) - first);
  found->maxThreads = stub.maxThreads;
  found->tellsEnd = module->image.contains("st.relaxed.sys.global");
  found->loaded = module->loaded;
  if (!findKernel(module->image, name, found->parameterBytes)) return notFound;
  *function = found.get();
  const std::lock_guard lock(stub.mutex);
  stub.functions.push_back(std::move(found));
  return 0;
}

CuResult moduleGetGlobal(CuPointer* pointer, std::size_t* bytes, CuModule module, const char* name) {
  if (const CuResult failure = Stub::get().enter("cuModuleGetGlobal_v2")) return failure;
  if (!module->image.contains(name)) return notFound;
  *bytes = sizeof(CuPointer);
  return memAlloc(pointer, *bytes);  // goes with the process
}

CuResult funcGetAttribute(int* value, int attribute, CuFunction function) {
  *value = attribute == cuFunctionMaxThreads ? function->maxThreads : attribute == cuFunctionRegisters ? 64 : 0;
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

/// What code for it does behind a kernel (compiler/nvptx/tell_end.h), if no kernel has failed.
void tellEnd(const CuFunctionTag& function, const std::vector<std::vector<unsigned char>>& parameters) {
  compiler::nvptx::LaunchInfo info;
  if (!function.tellsEnd || parameters.empty() || parameters.back().size() != sizeof info) return;
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
  std::vector<std::vector<unsigned char>> copies;
  for (std::size_t i = 0; i < function->parameterBytes.size(); ++i) {
    const auto* const first = static_cast<const unsigned char*>(parameters[i]);
    copies.emplace_back(first, first + function->parameterBytes[i]);
  }
  stub.add(stream, [kernel, &stub, copies = std::move(copies)] {
    const auto& [function, grid, block, sharedBytes, parameters, extra, sameKernel, context] = kernel;
    ClarityCudaKernel code = nullptr;
    {
      std::unique_lock lock(stub.mutex);
      stub.changed.wait(lock, [&] { return !stub.held; });
      const auto found = stub.kernels.find(function->name);
      if (found != stub.kernels.end()) code = found->second;
    }
    if (!code) return tellEnd(*function, copies);
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
