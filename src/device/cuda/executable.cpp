// SPDX-License-Identifier: Apache-2.0
// This file makes and loads the code of launches on a GPU.
#include "device/cuda/executable.h"

#include "compiler/nvptx/nvptx_code.h"

#include <CL/cl.h>
#include <fmt/format.h>

#include <cstring>
#include <new>

namespace clarity::device::cuda {
namespace {

bool isExact(const NDRange& range) {
  for (std::size_t d = 0; d < 3; ++d)
    if (range.global[d] % range.local[d] != 0) return false;
  return true;
}

bool isWide(const NDRange& range) {
  for (std::size_t d = 0; d < 3; ++d)
    if (range.offset[d] + range.global[d] >= std::uint64_t{1} << 31 ||
        (range.global[d] + range.local[d] - 1) / range.local[d] > compiler::nvptx::largestGrid[d])
      return true;
  return false;
}

}  // namespace

Code::~Code() {
  gpu_->use();
  (void)driver().moduleUnload(module_);
}

CudaExecutable::CudaExecutable(std::shared_ptr<const compiler::Image> image, std::shared_ptr<const Gpu> gpu,
                               std::shared_ptr<CudaMemory> memory, compiler::Target target)
    : image_(std::move(image)), gpu_(std::move(gpu)), memory_(std::move(memory)), target_(std::move(target)) {
  if (image_->scope.variables.bytes == 0) return;
  variables_ = memory_->allocate(image_->scope.variables.bytes);
  if (!variables_) throw std::bad_alloc();
  fillVariables();
}

CudaExecutable::~CudaExecutable() = default;

void CudaExecutable::fillVariables() {
  const compiler::GlobalVariables& variables = image_->scope.variables;
  std::vector<std::byte> bytes(variables.bytes);
  for (const auto& content : variables.contents)
    std::memcpy(bytes.data() + content.offset, content.bytes.data(), content.bytes.size());
  for (const auto& pointer : variables.pointers) {
    const CuPointer target = this->variables() + pointer.target;
    std::memcpy(bytes.data() + pointer.offset, &target, sizeof target);
  }
  if (!memory_->initialise(*variables_, bytes.data(), bytes.size())) throw std::bad_alloc();
}

CudaExecutable::Key CudaExecutable::keyOf(const Launch& launch) const {
  std::array<std::uint32_t, 3> local{};
  if (isExact(launch.range))
    for (std::size_t d = 0; d < 3; ++d) local[d] = static_cast<std::uint32_t>(launch.range.local[d]);
  return {std::string_view(launch.info->name), local, isWide(launch.range)};
}

const Code* CudaExecutable::find(const Launch& launch) const {
  const std::lock_guard lock(mutex_);
  const auto found = code_.find(keyOf(launch));
  return found == code_.end() ? nullptr : found->second.get();
}

const Code* CudaExecutable::make(const Launch& launch, Result& result) {
  const std::lock_guard lock(making_);
  if (const Code* made = find(launch)) return made;
  const Key key = keyOf(launch);
  compiler::Shape shape;
  shape.local = std::get<1>(key);
  shape.wideIds = std::get<2>(key);
  const compiler::CodeOutcome outcome = compiler::generate(*image_, launch.info->name, shape, target_);
  if (!outcome.code) {
    result = {CL_OUT_OF_RESOURCES,
              fmt::format("kernel '{}' could not be compiled for the GPU: {}", launch.info->name, outcome.log)};
    return nullptr;
  }
  const auto& made = static_cast<const compiler::NvptxCode&>(*outcome.code);
  gpu_->use();
  std::array<char, 8192> log{};
  int options[] = {cuJitErrorLogBuffer, cuJitErrorLogBytes};
  void* values[] = {log.data(), reinterpret_cast<void*>(static_cast<std::uintptr_t>(log.size()))};
  CuModule module = nullptr;
  CuFunction function = nullptr;
  result = resultOf(driver().moduleLoadDataEx(&module, made.ptx.c_str(), 2, options, values),
                    fmt::format("kernel '{}' could not be loaded", launch.info->name));
  if (!result) {
    result.text += fmt::format("; {}", log.data());
    return nullptr;
  }
  result = resultOf(driver().moduleGetFunction(&function, module, made.symbol.c_str()),
                    fmt::format("kernel '{}' is not in its code", launch.info->name));
  if (!result) return nullptr;
  // What a kernel may use of shared memory beyond the usual 48 KB has to be asked for.
  int own = 0;
  (void)driver().funcGetAttribute(&own, cuFunctionSharedBytes, function);
  (void)driver().funcSetAttribute(function, cuFunctionMaxDynamicShared, gpu_->attribute(MaxSharedPerBlockOptin) - own);
  const std::lock_guard guard(mutex_);
  return (code_[key] = std::make_unique<const Code>(gpu_, module, function, made.launchInfoOffset)).get();
}

}  // namespace clarity::device::cuda
