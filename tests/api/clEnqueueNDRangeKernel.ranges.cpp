// SPDX-License-Identifier: Apache-2.0
// This file tests what the work-items of clEnqueueNDRangeKernel see: every id and size in one to three dimensions, with
// offsets, with the work-group size left to the driver, and with non-uniform work-groups (OpenCL 3.0, sections 3.2 and
// 5.10).
#include "enqueue_checks.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace clarity::test {
namespace {

struct RecordOfItem {
  cl_uint runs;
  cl_uint dims;
  cl_uint globalId[3], localId[3], groupId[3];
  cl_uint globalSize[3], localSize[3], enqueuedLocalSize[3], groups[3], offset[3];
  cl_uint linearGlobal, linearLocal;
};

const char* const kRangeSource = R"(
typedef struct {
  uint runs, dims, globalId[3], localId[3], groupId[3], globalSize[3], localSize[3], enqueuedLocalSize[3], groups[3],
      offset[3], linearGlobal, linearLocal;
} RecordOfItem;
kernel void note(global RecordOfItem* records) {
  size_t at = ((get_global_id(2) - get_global_offset(2)) * get_global_size(1) +
               get_global_id(1) - get_global_offset(1)) *
                  get_global_size(0) + get_global_id(0) - get_global_offset(0);
  global RecordOfItem* r = records + at;
  r->runs += 1;
  r->dims = get_work_dim();
  for (uint d = 0; d < 3; ++d) {
    r->globalId[d] = get_global_id(d);
    r->localId[d] = get_local_id(d);
    r->groupId[d] = get_group_id(d);
    r->globalSize[d] = get_global_size(d);
    r->localSize[d] = get_local_size(d);
    r->groups[d] = get_num_groups(d);
    r->offset[d] = get_global_offset(d);
#if __OPENCL_C_VERSION__ >= 200
    r->enqueuedLocalSize[d] = get_enqueued_local_size(d);
    r->linearGlobal = get_global_linear_id();
    r->linearLocal = get_local_linear_id();
#endif
  }
}
)";

using Triple = std::array<size_t, 3>;

struct NDRangeKernelRanges : OpenCL {
  std::vector<RecordOfItem> run(const char* options, cl_uint dims, const Triple& global, const Triple* local,
                                const Triple* offset) {
    cl_kernel note = kernel(build(kRangeSource, options), "note");
    const size_t count = global[0] * global[1] * global[2];
    cl_mem records = bufferOf(std::vector<RecordOfItem>(count));
    EXPECT_SUCCESS(clSetKernelArg(note, 0, sizeof records, &records));
    const cl_int error =
        clEnqueueNDRangeKernel(queue, note, dims, offset != nullptr ? offset->data() : nullptr, global.data(),
                               local != nullptr ? local->data() : nullptr, 0, nullptr, nullptr);
    EXPECT_SUCCESS(error);
    if (error != CL_SUCCESS) return {};
    return read<RecordOfItem>(records, count);
  }

  /// Compares all records with what this range must give. With no local size the one that the first work-item reports
  /// is taken, and must be consistent.
  void expectRange(const char* options, cl_uint dims, Triple global, const Triple* local, const Triple* offset) {
    for (size_t d = dims; d < 3; ++d) global[d] = 1;
    const auto records = run(options, dims, global, local, offset);
    ASSERT_FALSE(records.empty());
    const bool has20 = std::string_view(options).find("CL3.0") != std::string_view::npos;
    Triple size{1, 1, 1};
    for (size_t d = 0; d < dims; ++d) size[d] = local != nullptr ? (*local)[d] : records[0].localSize[d];
    for (size_t d = 0; d < dims; ++d) ASSERT_GT(size[d], 0U);
    size_t i = 0;
    for (size_t z = 0; z < global[2]; ++z)
      for (size_t y = 0; y < global[1]; ++y)
        for (size_t x = 0; x < global[0]; ++x, ++i) {
          const RecordOfItem& r = records[i];
          const Triple at{x, y, z};
          SCOPED_TRACE(testing::Message() << "work-item " << x << ' ' << y << ' ' << z);
          ASSERT_EQ(r.runs, 1U);
          ASSERT_EQ(r.dims, dims);
          Triple here{};
          for (size_t d = 0; d < 3; ++d) {
            const size_t groups = (global[d] + size[d] - 1) / size[d];
            const size_t group = at[d] / size[d];
            here[d] = std::min(size[d], global[d] - group * size[d]);
            const size_t start = offset != nullptr && d < dims ? (*offset)[d] : 0;
            ASSERT_EQ(r.globalId[d], at[d] + start);
            ASSERT_EQ(r.offset[d], start);
            ASSERT_EQ(r.localId[d], at[d] % size[d]);
            ASSERT_EQ(r.groupId[d], group);
            ASSERT_EQ(r.groups[d], groups);
            ASSERT_EQ(r.globalSize[d], global[d]);
            ASSERT_EQ(r.localSize[d], here[d]);
            if (has20) ASSERT_EQ(r.enqueuedLocalSize[d], size[d]);
          }
          if (!has20) continue;
          ASSERT_EQ(r.linearGlobal, i);
          ASSERT_EQ(r.linearLocal, (at[2] % size[2] * here[1] + at[1] % size[1]) * here[0] + at[0] % size[0]);
        }
  }
};

TEST_F(NDRangeKernelRanges, oneDimension) {
  for (const Triple& local : {Triple{1}, Triple{3}, Triple{8}, Triple{24}}) expectRange("", 1, {48}, &local, nullptr);
}

TEST_F(NDRangeKernelRanges, twoDimensions) {
  for (const Triple& local : {Triple{1, 1}, Triple{4, 2}, Triple{2, 6}, Triple{12, 1}, Triple{1, 6}})
    expectRange("-cl-std=CL3.0", 2, {12, 6}, &local, nullptr);
}

TEST_F(NDRangeKernelRanges, threeDimensions) {
  for (const Triple& local : {Triple{1, 1, 1}, Triple{2, 3, 2}, Triple{6, 1, 4}, Triple{3, 6, 1}})
    expectRange("-cl-std=CL3.0", 3, {6, 6, 4}, &local, nullptr);
}

TEST_F(NDRangeKernelRanges, offsets) {
  const Triple local{2, 3, 1};
  const Triple offset{100, 7, 1000};
  expectRange("", 1, {16}, &local, &offset);
  expectRange("", 2, {16, 9}, &local, &offset);
  expectRange("-cl-std=CL3.0", 3, {4, 9, 3}, &local, &offset);
  expectRange("-cl-std=CL3.0", 3, {5, 3, 3}, nullptr, &offset);
}

// Whatever size is chosen, it divides the global size in a program of OpenCL C 1.2 and every work-item runs once.
TEST_F(NDRangeKernelRanges, workGroupSizeLeftToTheDriver) {
  for (const Triple& global : {Triple{1}, Triple{7}, Triple{64}, Triple{1000}, Triple{1009}, Triple{4096}})
    expectRange("", 1, global, nullptr, nullptr);
  for (const Triple& global : {Triple{1, 1}, Triple{1, 37}, Triple{37, 1}, Triple{31, 17}, Triple{64, 48}})
    expectRange("", 2, global, nullptr, nullptr);
  for (const Triple& global : {Triple{1, 1, 1}, Triple{5, 7, 3}, Triple{1, 1, 64}, Triple{16, 8, 4}})
    expectRange("", 3, global, nullptr, nullptr);
}

TEST_F(NDRangeKernelRanges, workGroupSizeLeftToTheDriverFor30) {
  expectRange("-cl-std=CL3.0", 1, {1009}, nullptr, nullptr);
  expectRange("-cl-std=CL3.0", 2, {101, 7}, nullptr, nullptr);
  expectRange("-cl-std=CL3.0 -cl-uniform-work-group-size", 3, {11, 6, 5}, nullptr, nullptr);
}

// The last work-groups of a dimension are smaller: up to 2, 4 and 8 different sizes in one launch.
TEST_F(NDRangeKernelRanges, nonUniformWorkGroups) {
  ASSERT_TRUE(infoOf<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT));
  const Triple local{4, 3, 2};
  expectRange("-cl-std=CL3.0", 1, {10}, &local, nullptr);
  expectRange("-cl-std=CL3.0", 1, {3}, &local, nullptr);
  expectRange("-cl-std=CL3.0", 2, {10, 7}, &local, nullptr);
  expectRange("-cl-std=CL3.0", 2, {8, 7}, &local, nullptr);
  expectRange("-cl-std=CL3.0", 3, {10, 7, 5}, &local, nullptr);
  const Triple offset{3, 2, 1};
  expectRange("-cl-std=CL3.0", 3, {5, 4, 3}, &local, &offset);
}

// Barriers and local memory in work-groups of which the last is smaller.
TEST_F(NDRangeKernelRanges, barriersInNonUniformWorkGroups) {
  ASSERT_TRUE(infoOf<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT));
  cl_program program = build(R"(
    kernel void reverse(global uint* data) {
      local uint tile[16];
      size_t l = get_local_id(0);
      tile[l] = data[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      data[get_global_id(0)] = tile[get_local_size(0) - 1 - l];
    })",
                             "-cl-std=CL3.0");
  cl_kernel reverse = kernel(program, "reverse");
  std::vector<cl_uint> data(37);
  std::iota(data.begin(), data.end(), 0);
  cl_mem memory = bufferOf(data);
  ASSERT_SUCCESS(clSetKernelArg(reverse, 0, sizeof memory, &memory));
  launch(reverse, data.size(), 16);
  for (size_t start = 0; start < data.size(); start += 16)
    std::reverse(data.begin() + start, data.begin() + std::min(start + 16, data.size()));
  EXPECT_EQ(read<cl_uint>(memory, data.size()), data);
}

TEST_F(NDRangeKernelRanges, theLargestWorkGroup) {
  size_t most = 0;
  cl_kernel note = kernel(build(kRangeSource), "note");
  ASSERT_SUCCESS(clGetKernelWorkGroupInfo(note, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, nullptr));
  const auto sizes = infoVectorOf<size_t>(clGetDeviceInfo, device, CL_DEVICE_MAX_WORK_ITEM_SIZES);
  const Triple local{std::min(most, sizes[0])};
  expectRange("", 1, {2 * local[0]}, &local, nullptr);
}

// A range that is wider than 32 bits in its ids, by its offset.
TEST_F(NDRangeKernelRanges, idsOf64Bits) {
  cl_kernel tell = kernel(
      "kernel void tell(global ulong* out) { out[get_global_id(0) - get_global_offset(0)] ="
      " get_global_id(0); }",
      "tell");
  cl_mem out = buffer(8 * sizeof(cl_ulong));
  ASSERT_SUCCESS(clSetKernelArg(tell, 0, sizeof out, &out));
  const size_t offset = (size_t{1} << 32) + 5;
  const size_t global = 8;
  ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, tell, 1, &offset, &global, nullptr, 0, nullptr, nullptr));
  std::vector<cl_ulong> wanted(8);
  std::iota(wanted.begin(), wanted.end(), offset);
  EXPECT_EQ(read<cl_ulong>(out, 8), wanted);
}

// Arithmetic on such ids in int, and under masks that cut them.
TEST_F(NDRangeKernelRanges, partsOfIdsOf64Bits) {
  cl_kernel tell = kernel(
      "kernel void tell(global ulong* out) { const size_t id = get_global_id(0), i = (id - get_global_offset(0)) * 4;"
      " out[i] = id & 0x7fffffff; out[i + 1] = (ulong)(int)id; out[i + 2] = (ulong)((uint)id + 7u); out[i + 3] = id / "
      "3 + id % 5; }",
      "tell");
  cl_mem out = buffer(32 * sizeof(cl_ulong));
  ASSERT_SUCCESS(clSetKernelArg(tell, 0, sizeof out, &out));
  const size_t global = 8;
  for (const size_t offset :
       {(size_t{1} << 31) - 3, (size_t{3} << 30) + 1, (size_t{1} << 32) - 4, (size_t{5} << 31) + 9}) {
    ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, tell, 1, &offset, &global, nullptr, 0, nullptr, nullptr));
    std::vector<cl_ulong> wanted;
    for (size_t id = offset; id < offset + global; ++id)
      for (const cl_ulong part : {cl_ulong{id & 0x7fffffff}, static_cast<cl_ulong>(static_cast<cl_int>(id)),
                                  cl_ulong{static_cast<cl_uint>(id) + 7U}, cl_ulong{id / 3 + id % 5}})
        wanted.push_back(part);
    EXPECT_EQ(read<cl_ulong>(out, 32), wanted) << "offset " << offset;
  }
}

// A range that is wider than 32 bits by its size; a guard excludes all but the last work-items.
TEST_F(NDRangeKernelRanges, moreWorkItemsThan32BitsCount) {
  cl_kernel tell = kernel(
      "kernel void tell(global ulong* out) { const size_t i = get_global_id(0); if (i >= 4999999997UL) out[i - "
      "4999999997UL] = i; }",
      "tell");
  cl_mem out = buffer(3 * sizeof(cl_ulong));
  ASSERT_SUCCESS(clSetKernelArg(tell, 0, sizeof out, &out));
  const size_t global = 5'000'000'000;
  ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, tell, 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(read<cl_ulong>(out, 3), (std::vector<cl_ulong>{4'999'999'997, 4'999'999'998, 4'999'999'999}));
}

// A large launch writes with non-temporal stores, to addresses that are aligned and to those that are not.
TEST_F(NDRangeKernelRanges, largeLaunchesWriteEverything) {
  cl_kernel fill = kernel(
      "kernel void fill(global uint* out, uint first) { out[get_global_id(0) + first] = get_global_id(0) * 3 + 1; }",
      "fill");
  cl_ulong cache = 0;
  ASSERT_SUCCESS(clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof cache, &cache, nullptr));
  const size_t global = std::min<size_t>(cache / sizeof(cl_uint) + 1003, 64 << 20);
  cl_mem out = buffer((global + 3) * sizeof(cl_uint));
  for (const cl_uint first : {0u, 1u}) {
    ASSERT_SUCCESS(clSetKernelArg(fill, 0, sizeof out, &out));
    ASSERT_SUCCESS(clSetKernelArg(fill, 1, sizeof first, &first));
    ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, fill, 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
    const auto got = read<cl_uint>(out, global + 3);
    for (size_t i = 0; i < global; ++i) ASSERT_EQ(got[i + first], i * 3 + 1) << "element " << i;
  }
}

// The same with elements that lie side by side: vectors of 2, 3, 4 and 16, members of structures.
TEST_F(NDRangeKernelRanges, largeLaunchesWriteAllOfVectors) {
  cl_program program = build(R"(
    #define I ((uint)get_global_id(0))
    typedef struct { uint a, b; } pair;
    kernel void two(global uint* out, uint first) { vstore2((uint2)(I * 2, I * 2 + 1), I, out + first); }
    kernel void three(global uint* out, uint first) {
      vstore3((uint3)(I * 3, I * 3 + 1, I * 3 + 2), I, out + first);
    }
    kernel void four(global uint* out, uint first) { vstore4(I * 4 + (uint4)(0, 1, 2, 3), I, out + first); }
    kernel void sixteen(global uint* out, uint first) {
      vstore16(I * 16 + (uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), I, out + first);
    }
    kernel void members(global uint* out, uint first) {
      global pair* pairs = (global pair*)(out + first);
      pairs[I].b = I * 2 + 1;
      pairs[I].a = I * 2;
    })");
  cl_ulong cache = 0;
  ASSERT_SUCCESS(clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof cache, &cache, nullptr));
  for (const auto& [name, count] :
       {std::pair{"two", size_t{2}}, {"three", 3}, {"four", 4}, {"sixteen", 16}, {"members", 2}}) {
    cl_kernel fill = kernel(program, name);
    const size_t global = std::min<size_t>(cache / sizeof(cl_uint) / std::min<size_t>(count, 4) + 1003, 16 << 20);
    cl_mem out = buffer((global * count + 3) * sizeof(cl_uint));
    for (const cl_uint first : {0u, 1u}) {
      ASSERT_SUCCESS(clSetKernelArg(fill, 0, sizeof out, &out));
      ASSERT_SUCCESS(clSetKernelArg(fill, 1, sizeof first, &first));
      ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, fill, 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
      const auto got = read<cl_uint>(out, global * count + 3);
      for (size_t i = 0; i < global * count; ++i) ASSERT_EQ(got[i + first], i) << name << ", element " << i;
    }
  }
}

// Several kernels at once: no order, nothing shared, all of them right.
TEST_F(NDRangeKernelRanges, severalKernelsAtOnce) {
  constexpr size_t kKernels = 24;
  constexpr size_t kItems = 4096;
  cl_command_queue anyOrder = anotherQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_program program = build(R"(
    kernel void work(global uint* out, uint seed) {
      uint v = seed + get_global_id(0);
      for (uint i = 0; i < 100; ++i) v = v * 1664525u + 1013904223u;
      out[get_global_id(0)] = v;
    })");
  std::vector<cl_mem> outs;
  cl_kernel work = kernel(program, "work");
  for (cl_uint k = 0; k < kKernels; ++k) {
    outs.push_back(buffer(kItems * sizeof(cl_uint)));
    ASSERT_SUCCESS(clSetKernelArg(work, 0, sizeof(cl_mem), &outs.back()));
    ASSERT_SUCCESS(clSetKernelArg(work, 1, sizeof k, &k));
    ASSERT_SUCCESS(clEnqueueNDRangeKernel(anyOrder, work, 1, nullptr, &kItems, nullptr, 0, nullptr, nullptr));
  }
  ASSERT_SUCCESS(clFinish(anyOrder));
  for (cl_uint k = 0; k < kKernels; ++k) {
    std::vector<cl_uint> wanted(kItems);
    for (cl_uint i = 0; i < kItems; ++i) {
      wanted[i] = k + i;
      for (int step = 0; step < 100; ++step) wanted[i] = wanted[i] * 1664525U + 1013904223U;
    }
    ASSERT_EQ(read<cl_uint>(outs[k], kItems), wanted) << "kernel " << k;
  }
}

// Two programs with a kernel of the same name do not meet.
TEST_F(NDRangeKernelRanges, kernelsOfTheSameNameInTwoPrograms) {
  cl_mem out = buffer(sizeof(cl_uint));
  cl_kernel one = kernel("kernel void same(global uint* out) { out[0] = 1; }", "same");
  cl_kernel two = kernel("kernel void same(global uint* out) { out[0] = 2; }", "same");
  for (const auto& [which, wanted] : {std::pair{one, 1U}, std::pair{two, 2U}, std::pair{one, 1U}}) {
    ASSERT_SUCCESS(clSetKernelArg(which, 0, sizeof out, &out));
    launch(which, 1);
    EXPECT_EQ(read<cl_uint>(out, 1)[0], wanted);
  }
}

// More work-items than any machine executes are refused at once, with a sentence.
TEST_F(NDRangeKernelRanges, moreWorkItemsThanEnd) {
  cl_kernel k = kernel("kernel void none(int i) {}", "none");
  const cl_int zero = 0;
  ASSERT_SUCCESS(clSetKernelArg(k, 0, sizeof zero, &zero));
  constexpr size_t many = size_t{1} << 62;
  const size_t ranges[][3] = {{many, 1, 1},
                              {1, many, 1},
                              {size_t{1} << 31, size_t{1} << 31, 1},
                              {size_t{1} << 21, size_t{1} << 21, size_t{1} << 20},
                              {SIZE_MAX, 1, 1},
                              {size_t{1} << 32, size_t{1} << 32, 1}};
  for (const auto& range : ranges)
    EXPECT_CL(CL_INVALID_GLOBAL_WORK_SIZE,
              clEnqueueNDRangeKernel(queue, k, 3, nullptr, range, nullptr, 0, nullptr, nullptr))
        << range[0] << " x " << range[1] << " x " << range[2];
  EXPECT_TRUE(wasNotified("no machine executes more")) << allNotified();
}

}  // namespace
}  // namespace clarity::test
