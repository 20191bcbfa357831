// SPDX-License-Identifier: Apache-2.0
// This file is the stub's memory and copies.
#include "stub.h"

#include <cstdlib>
#include <cstring>
#include <vector>

namespace clarity::device::cuda {
namespace {

/// The real driver takes a copy of pageable memory up to this size before a call returns.
constexpr std::size_t alignment = 256;

/// Runs work on device memory if that is still there when the operation runs; the context fails otherwise.
template <class Work>
void withMemory(CuPointer address, std::size_t bytes, const Work& work) {
  Stub& stub = Stub::get();
  bool there = false;
  {
    const std::lock_guard lock(stub.mutex);
    there = stub.isMemory(address, bytes);
  }
  if (there)
    work(hostOf(address));
  else
    stub.fault(illegalAddress);
}

template <class T>
CuResult fill(const char* symbol, CuPointer to, T value, std::size_t count, CuStream stream) {
  Stub& stub = Stub::get();
  if (const CuResult failure = stub.enter(symbol)) return failure;
  if (to % sizeof(T) != 0) return cuInvalidValue;
  stub.add(stream, [=] {
    withMemory(to, count * sizeof(T), [&](std::byte* memory) {
      for (std::size_t i = 0; i < count; ++i) std::memcpy(memory + i * sizeof value, &value, sizeof value);
    });
  });
  return 0;
}

template <class T>
CuResult fillRows(const char* symbol, CuPointer to, std::size_t pitch, T value, std::size_t width, std::size_t height,
                  CuStream stream) {
  if (to % sizeof(T) != 0 || pitch % sizeof(T) != 0 || pitch < width * sizeof(T)) return cuInvalidValue;
  CuResult result = Stub::get().enter(symbol);
  for (std::size_t row = 0; result == 0 && row < height; ++row)
    result = fill("a row", to + row * pitch, value, width, stream);
  return result;
}

void upload(CuPointer to, const void* from, std::size_t bytes, CuStream stream) {
  Stub& stub = Stub::get();
  if (stub.isPinned(from, bytes))
    return stub.add(stream,
                    [=] { withMemory(to, bytes, [&](std::byte* memory) { std::memcpy(memory, from, bytes); }); });
  // Pageable memory is the caller's again when the call returns.
  const auto* const first = static_cast<const std::byte*>(from);
  stub.add(stream, [=, copy = std::vector<std::byte>(first, first + bytes)] {
    withMemory(to, bytes, [&](std::byte* memory) { std::memcpy(memory, copy.data(), bytes); });
  });
}

void download(void* to, CuPointer from, std::size_t bytes, CuStream stream) {
  Stub& stub = Stub::get();
  stub.add(stream, [=] { withMemory(from, bytes, [&](std::byte* memory) { std::memcpy(to, memory, bytes); }); });
  if (!stub.isPinned(to, bytes)) stub.wait(stream);
}

}  // namespace

bool Stub::isMemory(CuPointer address, std::size_t bytes) const {
  const auto isIn = [&](const auto& areas, auto begin) {
    const auto next = areas.upper_bound(begin);
    if (next == areas.begin()) return false;
    const auto& [first, room] = *std::prev(next);
    const auto offset = static_cast<std::size_t>(begin - first);
    return offset <= room && bytes <= room - offset;
  };
  return isIn(memory, address) || isIn(variables, address) ||
         (address < bias && isIn(pinned, reinterpret_cast<const std::byte*>(address)));
}

bool Stub::isPinned(const void* address, std::size_t bytes) {
  const std::lock_guard lock(mutex);
  const auto next = pinned.upper_bound(static_cast<const std::byte*>(address));
  if (next == pinned.begin()) return false;
  const auto& [first, room] = *std::prev(next);
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(address) - first);
  return offset < room && bytes <= room - offset;
}

CuResult memGetInfo(std::size_t* free, std::size_t* total) {
  Stub& stub = Stub::get();
  if (const CuResult failure = stub.enter("cuMemGetInfo_v2")) return failure;
  (void)deviceTotalMem(total, 0);
  const std::lock_guard lock(stub.mutex);
  *free = *total;
  for (const auto& [address, room] : stub.memory) *free -= room;
  return 0;
}

static CuResult allocate(CuPointer* pointer, std::size_t bytes, CuPointer offset) {
  Stub& stub = Stub::get();
  std::size_t free = 0, total = 0;
  (void)memGetInfo(&free, &total);
  if (bytes == 0) return cuInvalidValue;
  if (bytes > free) return cuOutOfMemory;
  void* const memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (!memory) return cuOutOfMemory;
  *pointer = reinterpret_cast<CuPointer>(memory) + offset;
  const std::lock_guard lock(stub.mutex);
  stub.memory[*pointer] = bytes;
  ++stub.memoryVersion;
  stub.blocks[*pointer] = memory;
  return 0;
}

CuResult memAlloc(CuPointer* pointer, std::size_t bytes) {
  if (const CuResult failure = Stub::get().enter("cuMemAlloc_v2")) return failure;
  return allocate(pointer, bytes, bias);
}

CuResult memAllocManaged(CuPointer* pointer, std::size_t bytes, unsigned flags) {
  if (const CuResult failure = Stub::get().enter("cuMemAllocManaged")) return failure;
  return flags == cuManagedGlobal ? allocate(pointer, bytes, 0) : cuInvalidValue;
}

CuResult memFree(CuPointer pointer) {
  Stub& stub = Stub::get();
  if (const CuResult failure = stub.enter("cuMemFree_v2")) return failure;
  const std::lock_guard lock(stub.mutex);
  if (stub.memory.erase(pointer) == 0) return cuInvalidValue;
  stub.blocks.erase(pointer);
  ++stub.memoryVersion;
  std::free(hostOf(pointer));
  return 0;
}

CuResult memAllocHost(void** pointer, std::size_t bytes) {
  Stub& stub = Stub::get();
  if (const CuResult failure = stub.enter("cuMemAllocHost_v2")) return failure;
  *pointer = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  if (!*pointer) return cuOutOfMemory;
  const std::lock_guard lock(stub.mutex);
  stub.pinned[static_cast<std::byte*>(*pointer)] = bytes;
  ++stub.memoryVersion;
  return 0;
}

CuResult memPrefetchAsync(CuPointer pointer, std::size_t bytes, CuDevice device, CuStream) {
  Stub& stub = Stub::get();
  if (const CuResult failure = stub.enter("cuMemPrefetchAsync")) return failure;
  const std::lock_guard lock(stub.mutex);
  return device >= cuHost && pointer < bias && stub.isMemory(pointer, bytes) ? 0 : cuInvalidValue;
}

CuResult memHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
  if (const CuResult failure = Stub::get().enter("cuMemHostAlloc")) return failure;
  return flags & cuHostMapped ? memAllocHost(pointer, bytes) : cuInvalidValue;
}

CuResult memFreeHost(void* pointer) {
  Stub& stub = Stub::get();
  if (const CuResult failure = stub.enter("cuMemFreeHost")) return failure;
  const std::lock_guard lock(stub.mutex);
  if (stub.pinned.erase(static_cast<std::byte*>(pointer)) == 0) return cuInvalidValue;
  ++stub.memoryVersion;
  std::free(pointer);
  return 0;
}

CuResult pointerGetAttribute(void* value, int attribute, CuPointer pointer) {
  Stub& stub = Stub::get();
  if (const CuResult failure = stub.enter("cuPointerGetAttribute")) return failure;
  if (attribute != cuPointerMemoryType) return cuInvalidValue;
  if (stub.isPinned(reinterpret_cast<const void*>(pointer), 1)) {
    *static_cast<unsigned*>(value) = cuMemoryHost;
    return 0;
  }
  const std::lock_guard lock(stub.mutex);
  if (!stub.isMemory(pointer, 1)) return cuInvalidValue;
  *static_cast<unsigned*>(value) = cuMemoryDevice;
  return 0;
}

CuResult memcpyHtoD(CuPointer to, const void* from, std::size_t bytes) {
  Stub& stub = Stub::get();
  if (const CuResult failure = stub.enter("cuMemcpyHtoD_v2")) return failure;
  upload(to, from, bytes, nullptr);
  stub.wait(nullptr);
  return 0;
}

CuResult memcpyDtoH(void* to, CuPointer from, std::size_t bytes) {
  Stub& stub = Stub::get();
  if (const CuResult failure = stub.enter("cuMemcpyDtoH_v2")) return failure;
  {
    const std::lock_guard lock(stub.mutex);
    if (!stub.isMemory(from, bytes)) return cuInvalidValue;
  }
  download(to, from, bytes, nullptr);
  stub.wait(nullptr);
  return 0;
}

CuResult memcpyHtoDAsync(CuPointer to, const void* from, std::size_t bytes, CuStream stream) {
  if (const CuResult failure = Stub::get().enter("cuMemcpyHtoDAsync_v2")) return failure;
  upload(to, from, bytes, stream);
  return 0;
}

CuResult memcpyDtoHAsync(void* to, CuPointer from, std::size_t bytes, CuStream stream) {
  if (const CuResult failure = Stub::get().enter("cuMemcpyDtoHAsync_v2")) return failure;
  download(to, from, bytes, stream);
  return 0;
}

CuResult memcpyDtoDAsync(CuPointer to, CuPointer from, std::size_t bytes, CuStream stream) {
  Stub& stub = Stub::get();
  if (const CuResult failure = stub.enter("cuMemcpyDtoDAsync_v2")) return failure;
  stub.add(stream, [=] {
    withMemory(from, bytes, [&](const std::byte* source) {
      withMemory(to, bytes, [&](std::byte* target) { std::memmove(target, source, bytes); });
    });
  });
  return 0;
}

CuResult memcpyPeerAsync(CuPointer to, CuContext toContext, CuPointer from, CuContext fromContext, std::size_t bytes,
                         CuStream stream) {
  if (const CuResult failure = Stub::get().enter("cuMemcpyPeerAsync")) return failure;
  if (!toContext || !fromContext || toContext == fromContext) return invalidContext;
  return memcpyDtoDAsync(to, from, bytes, stream);
}

CuResult memcpy2DAsync(const CuMemcpy2D* copy, CuStream stream) {
  Stub& stub = Stub::get();
  if (const CuResult failure = stub.enter("cuMemcpy2DAsync_v2")) return failure;
  if (copy->srcPitch < copy->widthBytes || copy->dstPitch < copy->widthBytes) return cuInvalidValue;
  bool pageable = false;
  for (std::size_t row = 0; row < copy->height; ++row) {
    const std::size_t in = (copy->srcY + row) * copy->srcPitch + copy->srcX,
                      out = (copy->dstY + row) * copy->dstPitch + copy->dstX;
    const auto* const fromHost = copy->srcHost ? static_cast<const std::byte*>(copy->srcHost) + in : nullptr;
    std::byte* const toHost = copy->dstHost ? static_cast<std::byte*>(copy->dstHost) + out : nullptr;
    const std::size_t bytes = copy->widthBytes;
    if (copy->srcType == cuMemoryHost && copy->dstType == cuMemoryHost)
      stub.add(stream, [=] { std::memcpy(toHost, fromHost, bytes); });
    else if (copy->srcType == cuMemoryHost)
      upload(copy->dstDevice + out, fromHost, bytes, stream);
    else if (copy->dstType == cuMemoryHost)
      download(toHost, copy->srcDevice + in, bytes, stream);
    else
      (void)memcpyDtoDAsync(copy->dstDevice + out, copy->srcDevice + in, bytes, stream);
    pageable |= copy->srcType == cuMemoryHost && copy->dstType == cuMemoryHost;
  }
  if (pageable) stub.wait(stream);
  return 0;
}

CuResult memsetD8Async(CuPointer to, unsigned char value, std::size_t count, CuStream stream) {
  return fill("cuMemsetD8Async", to, value, count, stream);
}

CuResult memsetD16Async(CuPointer to, unsigned short value, std::size_t count, CuStream stream) {
  return fill("cuMemsetD16Async", to, value, count, stream);
}

CuResult memsetD32Async(CuPointer to, unsigned value, std::size_t count, CuStream stream) {
  return fill("cuMemsetD32Async", to, value, count, stream);
}

CuResult memsetD2D8Async(CuPointer to, std::size_t pitch, unsigned char value, std::size_t width, std::size_t height,
                         CuStream stream) {
  return fillRows("cuMemsetD2D8Async", to, pitch, value, width, height, stream);
}

CuResult memsetD2D16Async(CuPointer to, std::size_t pitch, unsigned short value, std::size_t width, std::size_t height,
                          CuStream stream) {
  return fillRows("cuMemsetD2D16Async", to, pitch, value, width, height, stream);
}

CuResult memsetD2D32Async(CuPointer to, std::size_t pitch, unsigned value, std::size_t width, std::size_t height,
                          CuStream stream) {
  return fillRows("cuMemsetD2D32Async", to, pitch, value, width, height, stream);
}

}  // namespace clarity::device::cuda
