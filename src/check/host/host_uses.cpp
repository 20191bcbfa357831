// SPDX-License-Identifier: Apache-2.0
// This file reads the memory that commands use from their calls.
#include "check/host/host_uses.h"

#include "device/observer.h"

#include <algorithm>

namespace clarity::check {

std::vector<std::uint64_t> HostUses::sharedOf(const HostCall& call) {
  std::vector<std::uint64_t> handles;
  if (call.is("clEnqueueNDRangeKernel") || call.is("clEnqueueTask")) {
    for (const auto& [index, handle] : arguments_.of(call))
      if (const HostObject* const object = scene_.objects.find(handle); object && object->kind == ValueKind::Pointer)
        handles.push_back(handle);
  } else if (call.info.begins("clEnqueueSVM") || call.info.name.ends_with("INTEL")) {
    for (const std::string_view pointer : {"dst_ptr", "src_ptr", "svm_ptr"})
      if (const HostObject* const object = scene_.objects.sharedAt(call.at(pointer))) handles.push_back(object->handle);
  }
  return handles;
}

std::vector<MemoryUse> HostUses::objectsOf(const HostCall& call) {
  std::vector<MemoryUse> uses;
  if (call.is("clEnqueueNDRangeKernel") || call.is("clEnqueueTask")) {
    const compiler::KernelInfo* const kernel = scene_.services.kernelOf(call.at<cl_kernel>("kernel"));
    for (const auto& [index, handle] : arguments_.of(call))
      if (const HostObject* const object = scene_.objects.find(handle);
          object && (object->kind == ValueKind::Memory || object->kind == ValueKind::Pointer)) {
        constexpr std::uint64_t isConst = CL_KERNEL_ARG_TYPE_CONST;
        const bool readOnly = kernel && index < kernel->args.size() && (kernel->args[index].typeQualifiers & isConst);
        uses.push_back({.memory = handle, .writes = !readOnly && !(object->flags & CL_MEM_READ_ONLY)});
      }
  } else if (call.is("clEnqueueReadBuffer") || call.is("clEnqueueWriteBuffer") || call.is("clEnqueueFillBuffer")) {
    uses.push_back({call.at("buffer"), !call.is("clEnqueueReadBuffer"), call.at("offset"), call.at("size")});
  } else if (call.is("clEnqueueCopyBuffer")) {
    uses.push_back({call.at("src_buffer"), false, call.at("src_offset"), call.at("size")});
    uses.push_back({call.at("dst_buffer"), true, call.at("dst_offset"), call.at("size")});
  } else if (call.is("clEnqueueMapBuffer") || call.is("clEnqueueUnmapMemObject")) {
    uses.push_back({.memory = call.at(call.has("buffer") ? "buffer" : "memobj"), .bytes = 0});
  } else if (call.is("clEnqueueSVMMap") || call.is("clEnqueueSVMUnmap")) {
    if (const HostObject* const object = scene_.objects.sharedAt(call.at("svm_ptr")))
      uses.push_back({.memory = object->handle, .bytes = 0});
  } else if (call.is("clEnqueueSVMMemcpy") || call.is("clEnqueueSVMMemFill")) {
    for (const std::string_view pointer : {"dst_ptr", "src_ptr", "svm_ptr"})
      if (const HostObject* const object = scene_.objects.sharedAt(call.at(pointer)))
        uses.push_back({object->handle, pointer != "src_ptr", call.at(pointer) - object->handle, call.at("size")});
  }
  return uses;
}

bool HostUses::mayUse(const HostCall& call, std::uint64_t memory) {
  const auto isPart = [&](std::uint64_t handle) {
    const HostObject* const object = scene_.objects.find(handle);
    return handle == memory || (object && object->parent == memory);
  };
  for (const Value& argument : call.arguments)
    if (argument.kind == ValueKind::Memory && isPart(argument.bits)) return true;
  if (std::ranges::any_of(sharedOf(call), isPart)) return true;
  if (!call.is("clEnqueueNDRangeKernel") && !call.is("clEnqueueTask"))
    return call.is("clEnqueueNativeKernel") || call.is("clEnqueueCommandBufferKHR") ||
           call.is("clEnqueueMigrateMemObjects");
  return std::ranges::any_of(arguments_.of(call), [&](const auto& each) { return isPart(each.second); });
}

bool HostUses::mayWrite(const HostCall& call, std::uint64_t memory) {
  const std::vector<MemoryUse> uses = objectsOf(call);
  const bool isKnown = std::ranges::any_of(uses, [&](const MemoryUse& use) { return use.memory == memory; });
  return !isKnown || std::ranges::any_of(uses, [&](const MemoryUse& use) {
    return use.memory == memory && (use.writes || call.info.begins("clEnqueueMap"));
  });
}

}  // namespace clarity::check
