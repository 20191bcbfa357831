// SPDX-License-Identifier: Apache-2.0
// This file tests clHostMemAllocINTEL, clDeviceMemAllocINTEL, clSharedMemAllocINTEL, clMemFreeINTEL,
// clMemBlockingFreeINTEL and clGetMemAllocInfoINTEL (cl_intel_unified_shared_memory).
#include "usm.h"

#include <cstdint>

namespace clarity::test {
namespace {

using AllocationProperties = const cl_mem_properties_intel*;

struct Usm : UsmTest {
  template <class T>
  T asked(const void* pointer, cl_mem_info_intel name) {
    T value{};
    size_t size = 0;
    EXPECT_SUCCESS(info(context, pointer, name, sizeof value, &value, &size));
    EXPECT_EQ(size, sizeof value);
    return value;
  }
  /// The three functions that allocate, as one.
  void* allocate(int kind, cl_context in, AllocationProperties properties, size_t size, cl_uint alignment,
                 cl_int* error) {
    return kind == 0   ? hostAlloc(in, properties, size, alignment, error)
           : kind == 1 ? deviceAlloc(in, device, properties, size, alignment, error)
                       : sharedAlloc(in, device, properties, size, alignment, error);
  }
  void expectRefused(cl_int code, int kind, AllocationProperties properties, size_t size, cl_uint alignment) {
    cl_int error = CL_SUCCESS;
    EXPECT_EQ(allocate(kind, context, properties, size, alignment, &error), nullptr);
    EXPECT_CL(code, error) << "kind " << kind << ", " << size << " bytes, alignment " << alignment;
    EXPECT_EQ(allocate(kind, context, properties, size, alignment, nullptr), nullptr);
  }
};

TEST_F(Usm, isAnExtensionWithCapabilities) {
  EXPECT_NE(infoStringOf(clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS).find("cl_intel_unified_shared_memory"),
            std::string::npos);
  for (const cl_device_info query :
       {CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL})
    EXPECT_TRUE(infoOf<cl_device_unified_shared_memory_capabilities_intel>(clGetDeviceInfo, device, query) &
                CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL);
}

TEST_F(Usm, everyKindSaysWhatItIs) {
  struct Kind {
    unsigned char* memory;
    cl_unified_shared_memory_type_intel type;
    cl_device_id device;
  };
  const cl_mem_properties_intel placed[] = {CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL, 0};
  for (const Kind& kind :
       {Kind{host(), CL_MEM_TYPE_HOST_INTEL, nullptr}, Kind{ofDevice(), CL_MEM_TYPE_DEVICE_INTEL, device},
        Kind{shared(), CL_MEM_TYPE_SHARED_INTEL, device},
        Kind{kept(sharedAlloc(context, nullptr, nullptr, kSize, 0, nullptr)), CL_MEM_TYPE_SHARED_INTEL, nullptr}})
    for (const size_t offset : {size_t{0}, kSize - 1}) {
      const void* const at = kind.memory + offset;
      EXPECT_EQ(asked<cl_unified_shared_memory_type_intel>(at, CL_MEM_ALLOC_TYPE_INTEL), kind.type);
      EXPECT_EQ(asked<void*>(at, CL_MEM_ALLOC_BASE_PTR_INTEL), kind.memory);
      EXPECT_EQ(asked<size_t>(at, CL_MEM_ALLOC_SIZE_INTEL), kSize);
      EXPECT_EQ(asked<cl_device_id>(at, CL_MEM_ALLOC_DEVICE_INTEL), kind.device);
      EXPECT_EQ(asked<cl_mem_alloc_flags_intel>(at, CL_MEM_ALLOC_FLAGS_INTEL), 0U);
    }
  EXPECT_EQ(asked<cl_mem_alloc_flags_intel>(kept(sharedAlloc(context, device, placed, 64, 0, nullptr)),
                                            CL_MEM_ALLOC_FLAGS_INTEL),
            cl_mem_alloc_flags_intel{CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL});
}

TEST_F(Usm, whatIsNoneIsUnknown) {
  int mine = 0;
  auto* const memory = host();
  const void* const places[] = {nullptr, &mine, blank(), memory + kSize + 4096};
  for (const void* const at : places) {
    EXPECT_EQ(asked<cl_unified_shared_memory_type_intel>(at, CL_MEM_ALLOC_TYPE_INTEL),
              cl_unified_shared_memory_type_intel{CL_MEM_TYPE_UNKNOWN_INTEL});
    EXPECT_EQ(asked<void*>(at, CL_MEM_ALLOC_BASE_PTR_INTEL), nullptr);
    EXPECT_EQ(asked<size_t>(at, CL_MEM_ALLOC_SIZE_INTEL), 0U);
    EXPECT_EQ(asked<cl_device_id>(at, CL_MEM_ALLOC_DEVICE_INTEL), nullptr);
    EXPECT_EQ(asked<cl_mem_alloc_flags_intel>(at, CL_MEM_ALLOC_FLAGS_INTEL), 0U);
  }
}

TEST_F(Usm, isAligned) {
  for (int kind = 0; kind < 3; ++kind)
    for (cl_uint alignment = 0; alignment <= 128; alignment = alignment ? 2 * alignment : 1) {
      const auto* const memory = kept(allocate(kind, context, nullptr, 40, alignment, nullptr));
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % (alignment ? alignment : 128), 0U);
    }
}

TEST_F(Usm, blockingFreeWaitsForWhatWasEnqueued) {
  auto* const from = static_cast<unsigned char*>(sharedAlloc(context, device, nullptr, kSize, 0, nullptr));
  std::fill_n(from, kSize, 6);
  auto* const to = host();
  cl_command_queue other = anotherQueue();
  ASSERT_SUCCESS(copy(other, CL_FALSE, to, from, kSize, 0, nullptr, nullptr));
  ASSERT_SUCCESS(blockingFree(context, from));
  EXPECT_EQ(bytesAt(to), std::vector<unsigned char>(kSize, 6));
}

TEST_F(Usm, freeOfNull) {
  EXPECT_SUCCESS(free(context, nullptr));
  EXPECT_SUCCESS(blockingFree(context, nullptr));
}

// Memory of SVM is not unified shared memory, and the reverse.
TEST_F(Usm, isNotFreedAsSvm) {
  auto* const memory = host();
  clSVMFree(context, memory);
  EXPECT_EQ(asked<size_t>(memory, CL_MEM_ALLOC_SIZE_INTEL), kSize);
  EXPECT_CL(CL_INVALID_VALUE, free(context, blank()));
}

// context is not a context.
TEST_F(Usm, invalidContext) {
  for (const auto& bad : badHandles<cl_context>(*this)) {
    for (int kind = 0; kind < 3; ++kind) {
      cl_int error = CL_SUCCESS;
      EXPECT_EQ(allocate(kind, bad.handle, nullptr, 64, 0, &error), nullptr);
      EXPECT_CL(CL_INVALID_CONTEXT, error) << bad.what;
    }
    size_t size = 0;
    EXPECT_CL(CL_INVALID_CONTEXT, free(bad.handle, nullptr));
    EXPECT_CL(CL_INVALID_CONTEXT, blockingFree(bad.handle, nullptr));
    EXPECT_CL(CL_INVALID_CONTEXT, info(bad.handle, nullptr, CL_MEM_ALLOC_SIZE_INTEL, sizeof size, &size, nullptr));
  }
}

// device is not a device; NULL is none for clDeviceMemAllocINTEL.
TEST_F(Usm, invalidDevice) {
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(deviceAlloc(context, nullptr, nullptr, 64, 0, &error), nullptr);
  EXPECT_CL(CL_INVALID_DEVICE, error);
  const auto wrong = reinterpret_cast<cl_device_id>(context);
  EXPECT_EQ(deviceAlloc(context, wrong, nullptr, 64, 0, &error), nullptr);
  EXPECT_CL(CL_INVALID_DEVICE, error);
  EXPECT_EQ(sharedAlloc(context, wrong, nullptr, 64, 0, &error), nullptr);
  EXPECT_CL(CL_INVALID_DEVICE, error);
}

// Unknown properties, a property twice, placements that are not for this kind or exclude each other.
TEST_F(Usm, invalidProperty) {
  constexpr cl_mem_properties_intel flags = CL_MEM_ALLOC_FLAGS_INTEL;
  const cl_mem_properties_intel unknown[] = {0x7777, 1, 0}, twice[] = {flags, 0, flags, 0, 0},
                                second[] = {flags, 0, 0x7777, 0, 0},
                                both[] = {flags,
                                          CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL |
                                              CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL,
                                          0},
                                device[] = {flags, CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL, 0},
                                bits[] = {flags, 1 << 9, 0};
  for (int kind = 0; kind < 3; ++kind) {
    for (const AllocationProperties wrong : {unknown, twice, second, both, bits})
      expectRefused(CL_INVALID_PROPERTY, kind, wrong, 64, 0);
    if (kind < 2) expectRefused(CL_INVALID_PROPERTY, kind, device, 64, 0);
  }
}

// An alignment that is no power of two, or above the largest type.
TEST_F(Usm, invalidValueOfAlignment) {
  for (int kind = 0; kind < 3; ++kind)
    for (const cl_uint alignment : {3U, 24U, 256U, ~0U}) expectRefused(CL_INVALID_VALUE, kind, nullptr, 64, alignment);
}

TEST_F(Usm, invalidBufferSize) {
  const cl_ulong most = infoOf<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  for (int kind = 0; kind < 3; ++kind)
    for (const cl_ulong size : {cl_ulong{0}, most + 1, ~cl_ulong{0}})
      expectRefused(CL_INVALID_BUFFER_SIZE, kind, nullptr, size, 0);
}

// ptr was not allocated, was freed already, or is inside of an allocation.
TEST_F(Usm, invalidValueOfFree) {
  int mine = 0;
  auto* const memory = host();
  void* const freed = hostAlloc(context, nullptr, 64, 0, nullptr);
  ASSERT_SUCCESS(free(context, freed));
  for (void* const wrong : {static_cast<void*>(&mine), static_cast<void*>(memory + 1), freed}) {
    EXPECT_CL(CL_INVALID_VALUE, free(context, wrong));
    EXPECT_CL(CL_INVALID_VALUE, blockingFree(context, wrong));
  }
}

// The query is unknown, or the value does not fit.
TEST_F(Usm, invalidValueOfInfo) {
  auto* const memory = host();
  size_t size = 0;
  EXPECT_CL(CL_INVALID_VALUE, info(context, memory, 0x7777, sizeof size, &size, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, info(context, memory, CL_MEM_ALLOC_SIZE_INTEL, sizeof size - 1, &size, nullptr));
  EXPECT_SUCCESS(info(context, memory, CL_MEM_ALLOC_SIZE_INTEL, 0, nullptr, &size));
  EXPECT_EQ(size, sizeof size);
}

}  // namespace
}  // namespace clarity::test
