// SPDX-License-Identifier: Apache-2.0
// This file tests clSetKernelArg (OpenCL 3.0, section 5.9.2). Without images, samplers, pipes, device queues and IL the
// codes CL_INVALID_SAMPLER, CL_INVALID_DEVICE_QUEUE and CL_MAX_SIZE_RESTRICTION_EXCEEDED cannot be provoked.
#include "fixture.h"

#include <cstdint>
#include <cstring>

namespace clarity::test {
namespace {

struct SetKernelArg : OpenCL {
  template <class T>
  cl_int set(cl_kernel kernel, cl_uint index, const T& value) {
    return clSetKernelArg(kernel, index, sizeof value, &value);
  }
  /// A kernel that copies its second argument, of this type, to its first, and its result.
  template <class T>
  void expectArrives(const std::string& type, const T& value) {
    SCOPED_TRACE(type);
    const std::string text =
        "typedef struct { char a; double b; short c; float4 d; } Mixed;\n"
        "kernel void copy(global " +
        type + "* r, " + type + " a) { *r = a; }";
    cl_kernel copy = kernel(text.c_str(), "copy");
    cl_mem memory = buffer(sizeof(T));
    ASSERT_SUCCESS(set(copy, 0, memory));
    ASSERT_SUCCESS(set(copy, 1, value));
    launch(copy, 1);
    const std::vector<unsigned char> bytes = read<unsigned char>(memory, sizeof(T));
    T arrived;
    std::memcpy(&arrived, bytes.data(), sizeof(T));
    EXPECT_TRUE(arrived == value);
  }
  /// A kernel with an argument of every kind.
  cl_kernel mixed() {
    return kernel(
        "kernel void mixed(global int* r, constant int* c, local int* l, int i, float4 v) {"
        "  l[get_local_id(0)] = i; *r = l[0] + *c + (int)v.x; }",
        "mixed");
  }
};

template <class T>
struct Vector {
  T data{};
  bool operator==(const Vector& other) const { return std::memcmp(this, &other, sizeof *this) == 0; }
};

struct alignas(16) Mixed {
  cl_char a = 1;
  cl_double b = 2.5;
  cl_short c = 3;
  cl_float4 d = {{4, 5, 6, 7}};
  bool operator==(const Mixed& o) const {
    return a == o.a && b == o.b && c == o.c && std::memcmp(&d, &o.d, sizeof d) == 0;
  }
};

TEST_F(SetKernelArg, scalarsArrive) {
  expectArrives<cl_char>("char", -7);
  expectArrives<cl_uchar>("uchar", 200);
  expectArrives<cl_short>("short", -30000);
  expectArrives<cl_ushort>("ushort", 60000);
  expectArrives<cl_int>("int", -2'000'000'000);
  expectArrives<cl_uint>("uint", 4'000'000'000);
  expectArrives<cl_long>("long", -9'000'000'000'000'000'000);
  expectArrives<cl_ulong>("ulong", 18'000'000'000'000'000'000U);
  expectArrives<cl_float>("float", 1.25F);
  expectArrives<cl_double>("double", 1.0 / 3.0);
}

TEST_F(SetKernelArg, vectorsAndStructuresArrive) {
  expectArrives("char2", Vector<cl_char2>{{{1, 2}}});
  expectArrives("float4", Vector<cl_float4>{{{1, 2, 3, 4}}});
  expectArrives("double2", Vector<cl_double2>{{{0.1, 0.2}}});
  expectArrives("int16", Vector<cl_int16>{{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}}});
  expectArrives("long16", Vector<cl_long16>{{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, -16}}});
  expectArrives("Mixed", Mixed{});
}

// A vector of three has the size of one of four.
TEST_F(SetKernelArg, vectorsOfThreeAreAsLargeAsOfFour) {
  cl_kernel sum = kernel("kernel void sum(global float* r, float3 v) { *r = v.x + v.y + v.z; }", "sum");
  cl_mem memory = buffer(4);
  const cl_float3 v{{1, 2, 4, 99}};
  ASSERT_SUCCESS(set(sum, 0, memory));
  ASSERT_SUCCESS(set(sum, 1, v));
  EXPECT_CL(CL_INVALID_ARG_SIZE, clSetKernelArg(sum, 1, 12, &v));
  launch(sum, 1);
  EXPECT_EQ(read<cl_float>(memory, 1)[0], 7.0F);
}

// As many arguments as the least device must take: 1024 bytes of them.
TEST_F(SetKernelArg, manyArgumentsArrive) {
  std::string parameters = "global ulong* r", sum = "0";
  for (int i = 1; i < 128; ++i) {
    parameters += ", ulong a" + std::to_string(i);
    sum += " + " + std::to_string(i) + " * a" + std::to_string(i);
  }
  cl_kernel many = kernel(("kernel void many(" + parameters + ") { *r = " + sum + "; }").c_str(), "many");
  cl_mem memory = buffer(8);
  ASSERT_SUCCESS(set(many, 0, memory));
  cl_ulong wanted = 0;
  for (cl_uint i = 1; i < 128; ++i) {
    const cl_ulong value = (cl_ulong{1} << (i % 50)) + i;
    ASSERT_SUCCESS(set(many, i, value));
    wanted += i * value;
  }
  launch(many, 1);
  EXPECT_EQ(read<cl_ulong>(memory, 1)[0], wanted);
}

// The value is copied when it is set, and is that of commands that are enqueued later, not of those before.
TEST_F(SetKernelArg, valuesAreThoseOfTheEnqueue) {
  cl_kernel store = kernel("kernel void store(global int* r, int at, int a) { r[at] = a; }", "store");
  cl_mem memory = buffer(12);
  cl_event gate = userEvent();
  ASSERT_SUCCESS(set(store, 0, memory));
  const size_t global = 1;
  for (cl_int i = 0; i < 3; ++i) {
    cl_int value = 10 + i;
    ASSERT_SUCCESS(set(store, 1, i));
    ASSERT_SUCCESS(set(store, 2, value));
    value = -1;
    ASSERT_SUCCESS(
        clEnqueueNDRangeKernel(queue, store, 1, nullptr, &global, nullptr, i == 0, i == 0 ? &gate : nullptr, nullptr));
  }
  ASSERT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  EXPECT_EQ(read<cl_int>(memory, 3), (std::vector<cl_int>{10, 11, 12}));
}

// A memory argument can be NULL, said in either way.
TEST_F(SetKernelArg, memoryCanBeNull) {
  cl_kernel test = kernel(
      "kernel void test(global int* r, global int* a, constant int* b) { *r = (a == 0) + 2 * (b == 0); }", "test");
  cl_mem memory = buffer(4), none = nullptr;
  ASSERT_SUCCESS(set(test, 0, memory));
  ASSERT_SUCCESS(set(test, 1, none));
  ASSERT_SUCCESS(clSetKernelArg(test, 2, sizeof(cl_mem), nullptr));
  launch(test, 1);
  EXPECT_EQ(read<cl_int>(memory, 1)[0], 3);
}

// Local memory is as much as was said, and is not shared with that of another argument.
TEST_F(SetKernelArg, localMemoryIsAsLargeAsSaid) {
  cl_kernel test = kernel(R"(
    kernel void test(global int* r, local int* a, local char* b, local int* c) {
      size_t i = get_local_id(0), n = get_local_size(0);
      a[i] = (int)i; b[i] = (char)(i + 1); c[i] = (int)(i + 1000);
      barrier(CLK_LOCAL_MEM_FENCE);
      size_t j = n - 1 - i;
      r[get_global_id(0)] = a[j] + b[j] * 100 + c[j] * 10000;
    })",
                          "test");
  cl_mem memory = buffer(33 * 4);
  ASSERT_SUCCESS(set(test, 0, memory));
  ASSERT_SUCCESS(clSetKernelArg(test, 1, 33 * 4, nullptr));
  ASSERT_SUCCESS(clSetKernelArg(test, 2, 33, nullptr));
  ASSERT_SUCCESS(clSetKernelArg(test, 3, 33 * 4, nullptr));
  launch(test, 33, 33);
  const std::vector<cl_int> result = read<cl_int>(memory, 33);
  for (cl_int i = 0; i < 33; ++i) {
    const cl_int j = 32 - i;
    EXPECT_EQ(result[size_t(i)], j + (j + 1) * 100 + (j + 1000) * 10000);
  }
}

// From OpenCL 3.1 on an argument may have no local memory at all; those behind it have theirs.
TEST_F(SetKernelArg, localMemoryOfNoSize) {
  cl_kernel test = kernel(R"(
    kernel void test(global int* r, local int* a, local int* b, local int* none, int first) {
      if (first) a[get_local_id(0)] = 1;
      b[get_local_id(0)] = (int)get_local_id(0);
      barrier(CLK_LOCAL_MEM_FENCE);
      r[get_global_id(0)] = b[get_local_size(0) - 1 - get_local_id(0)] + (first ? a[get_local_id(0)] : 100);
    })",
                          "test");
  cl_mem memory = buffer(16 * 4);
  ASSERT_SUCCESS(set(test, 0, memory));
  ASSERT_SUCCESS(clSetKernelArg(test, 2, 16 * 4, nullptr));
  ASSERT_SUCCESS(clSetKernelArg(test, 3, 0, nullptr));
  for (const cl_int first : {0, 1, 0}) {
    ASSERT_SUCCESS(clSetKernelArg(test, 1, first ? 16 * 4 : 0, nullptr));
    ASSERT_SUCCESS(clSetKernelArg(test, 4, sizeof first, &first));
    launch(test, 16, 16);
    const std::vector<cl_int> result = read<cl_int>(memory, 16);
    for (cl_int i = 0; i < 16; ++i) EXPECT_EQ(result[size_t(i)], 15 - i + (first ? 1 : 100));
  }
  // All of them.
  cl_kernel empty = kernel("kernel void test(global int* r, local int* a) { *r = a == 0 ? 1 : 2; }", "test");
  ASSERT_SUCCESS(set(empty, 0, memory));
  ASSERT_SUCCESS(clSetKernelArg(empty, 1, 0, nullptr));
  cl_ulong local = 1;
  EXPECT_SUCCESS(clGetKernelWorkGroupInfo(empty, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local, &local, nullptr));
  EXPECT_EQ(local, 0U);
  launch(empty, 1);
  EXPECT_NE(read<cl_int>(memory, 1)[0], 0);
}

// A kernel holds no reference to its memory objects: releasing one deletes it.
TEST_F(SetKernelArg, memoryIsNotRetained) {
  static bool deleted;
  deleted = false;
  cl_kernel test = mixed();
  cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, nullptr);
  ASSERT_NE(memory, nullptr);
  ASSERT_SUCCESS(clSetMemObjectDestructorCallback(
      memory, [](cl_mem /*memory*/, void* /*data*/) { deleted = true; }, nullptr));
  ASSERT_SUCCESS(set(test, 0, memory));
  EXPECT_EQ(infoOf<cl_uint>(clGetMemObjectInfo, memory, CL_MEM_REFERENCE_COUNT), 1U);
  ASSERT_SUCCESS(clReleaseMemObject(memory));
  EXPECT_TRUE(deleted);
}

// A call that fails leaves the argument as it was.
TEST_F(SetKernelArg, failuresKeepTheOldValue) {
  cl_kernel test = mixed();
  const cl_int c = 100, i = 20;
  const cl_float4 v{{3, 0, 0, 0}};
  cl_mem r = buffer(4), constantMemory = bufferOf(std::vector<cl_int>{c});
  ASSERT_SUCCESS(set(test, 0, r));
  ASSERT_SUCCESS(set(test, 1, constantMemory));
  ASSERT_SUCCESS(clSetKernelArg(test, 2, 4, nullptr));
  ASSERT_SUCCESS(set(test, 3, i));
  ASSERT_SUCCESS(set(test, 4, v));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, set(test, 0, notAnObject<cl_mem>()));
  EXPECT_CL(CL_INVALID_ARG_SIZE, clSetKernelArg(test, 1, 4, &r));
  EXPECT_CL(CL_INVALID_ARG_SIZE, clSetKernelArg(test, 3, 8, &v));
  launch(test, 1);
  EXPECT_EQ(read<cl_int>(r, 1)[0], 123);
}

// kernel is not a valid kernel.
TEST_F(SetKernelArg, invalidKernel) {
  const cl_int value = 1;
  EXPECT_CL(CL_INVALID_KERNEL, set(nullptr, 0, value));
  EXPECT_CL(CL_INVALID_KERNEL, driver->clSetKernelArg(nullptr, 0, 4, &value));
  EXPECT_CL(CL_INVALID_KERNEL, set(notAnObject<cl_kernel>(), 0, value));
  EXPECT_CL(CL_INVALID_KERNEL, set(reinterpret_cast<cl_kernel>(context), 0, value));
}

// arg_index is not that of an argument; the notification says which index.
TEST_F(SetKernelArg, invalidArgIndex) {
  cl_kernel test = mixed();
  const cl_int value = 1;
  EXPECT_CL(CL_INVALID_ARG_INDEX, set(test, 5, value));
  EXPECT_CL(CL_INVALID_ARG_INDEX, set(test, 7777, value));
  EXPECT_TRUE(wasNotified("7777")) << allNotified();
  EXPECT_CL(CL_INVALID_ARG_INDEX, set(test, ~cl_uint{0}, value));
  EXPECT_CL(CL_INVALID_ARG_INDEX, clSetKernelArg(kernel("kernel void none() {}", "none"), 0, 4, &value));
}

// The memory object is of another context than the kernel.
TEST_F(SetKernelArg, invalidContext) {
  cl_context other = otherContext();
  cl_mem memory = created([&](cl_int* e) { return clCreateBuffer(other, CL_MEM_READ_WRITE, 64, nullptr, e); });
  EXPECT_CL(CL_INVALID_CONTEXT, set(mixed(), 0, memory));
}

// The value points to no memory object.
TEST_F(SetKernelArg, invalidMemObject) {
  cl_kernel test = mixed();
  for (cl_uint index : {0U, 1U}) {
    EXPECT_CL(CL_INVALID_MEM_OBJECT, set(test, index, notAnObject<cl_mem>()));
    EXPECT_CL(CL_INVALID_MEM_OBJECT, set(test, index, queue));
    EXPECT_CL(CL_INVALID_MEM_OBJECT, set(test, index, test));
  }
  cl_mem released = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, nullptr);
  ASSERT_NE(released, nullptr);
  ASSERT_SUCCESS(clReleaseMemObject(released));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, set(test, 0, released));
}

// The size is not that of the argument; the notification has both sizes.
TEST_F(SetKernelArg, invalidArgSize) {
  cl_kernel test = mixed();
  cl_mem memory = buffer(64);
  unsigned char bytes[64] = {};
  EXPECT_CL(CL_INVALID_ARG_SIZE, clSetKernelArg(test, 4, 61, bytes));
  EXPECT_TRUE(wasNotified("61") && wasNotified("16")) << allNotified();
  for (size_t size : {size_t{0}, size_t{1}, size_t{3}, size_t{5}, size_t{8}, ~size_t{0}})
    EXPECT_CL(CL_INVALID_ARG_SIZE, clSetKernelArg(test, 3, size, bytes)) << size;
  for (size_t size : {size_t{0}, size_t{4}, size_t{12}, size_t{17}})
    EXPECT_CL(CL_INVALID_ARG_SIZE, clSetKernelArg(test, 4, size, bytes)) << size;
  for (size_t size : {size_t{0}, size_t{4}, size_t{16}, size_t{64}})
    EXPECT_CL(CL_INVALID_ARG_SIZE, clSetKernelArg(test, 0, size, &memory)) << size;
}

// A local argument has a size and no value; an argument by value has one.
TEST_F(SetKernelArg, invalidArgValue) {
  cl_kernel test = mixed();
  const cl_int value = 1;
  EXPECT_CL(CL_INVALID_ARG_VALUE, clSetKernelArg(test, 2, sizeof value, &value));
  EXPECT_CL(CL_INVALID_ARG_VALUE, clSetKernelArg(test, 3, sizeof value, nullptr));
}

// Sizes of local memory are added without wrapping: what no device has is refused, however it comes about.
TEST_F(SetKernelArg, sizesOfLocalMemoryDoNotWrap) {
  cl_program program = build(R"(
    kernel void two(local char* a, local char* b, global float* out) {
      local float tile[64];
      tile[get_local_id(0)] = 1;
      barrier(CLK_LOCAL_MEM_FENCE);
      out[0] = tile[63] + (a == b);
    })");
  cl_kernel k = kernel(program, "two");
  cl_mem out = buffer(4);
  ASSERT_SUCCESS(clSetKernelArg(k, 2, sizeof out, &out));
  constexpr size_t top = size_t{1} << 63;
  const std::pair<size_t, size_t> sizes[] = {{SIZE_MAX - 3, 4},   {SIZE_MAX, 0},      {SIZE_MAX, SIZE_MAX},
                                             {top, top},          {top + 1, top - 1}, {4, SIZE_MAX - 7},
                                             {SIZE_MAX - 255, 1}, {top - 64, top}};
  const size_t global = 64;
  for (const auto& [a, b] : sizes) {
    SCOPED_TRACE(std::to_string(a) + " and " + std::to_string(b));
    if (clSetKernelArg(k, 0, a, nullptr) != CL_SUCCESS || clSetKernelArg(k, 1, b, nullptr) != CL_SUCCESS) continue;
    const auto needed =
        infoOf<cl_ulong>([&](cl_kernel which, cl_kernel_work_group_info what, size_t room, void* value,
                             size_t* size) { return clGetKernelWorkGroupInfo(which, device, what, room, value, size); },
                         k, CL_KERNEL_LOCAL_MEM_SIZE);
    EXPECT_GE(needed, std::max(a, b));
    EXPECT_CL(CL_OUT_OF_RESOURCES, clEnqueueNDRangeKernel(queue, k, 1, nullptr, &global, &global, 0, nullptr, nullptr));
  }
  EXPECT_SUCCESS(clFinish(queue));
}

// The same of what a program declares: arrays that are larger together than addresses can say.
TEST_F(SetKernelArg, declaredLocalMemoryDoesNotWrap) {
  std::string text = "kernel void many(global char* out) {\n";
  for (int i = 0; i < 8; ++i)
    text += "  local char a" + std::to_string(i) + "[1UL << 60], b" + std::to_string(i) + "[1UL << 60];\n";
  text += "  out[0] = 0;\n";
  for (int i = 0; i < 8; ++i)
    text += "  a" + std::to_string(i) + "[get_global_id(0)] = b" + std::to_string(i) + "[out[1]] = 1;\n";
  text += "}\n";
  cl_program program = source(text.c_str());
  if (clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) != CL_SUCCESS) return;  // refused at once
  cl_int error = CL_SUCCESS;
  cl_kernel k = keep(clCreateKernel(program, "many", &error));
  if (!k) return;
  cl_mem out = buffer(64);
  ASSERT_SUCCESS(clSetKernelArg(k, 0, sizeof out, &out));
  const size_t one = 1;
  EXPECT_CL(CL_OUT_OF_RESOURCES, clEnqueueNDRangeKernel(queue, k, 1, nullptr, &one, &one, 0, nullptr, nullptr));
}

// Numbers in place of their addresses, and addresses where nothing is, for a buffer and a value.
TEST_F(SetKernelArg, invalidArgValueThatCannotBeRead) {
  cl_kernel test = mixed();
  for (const std::uintptr_t number : {std::uintptr_t{1}, std::uintptr_t{1000}, std::uintptr_t{1} << 46}) {
    const auto* const value = reinterpret_cast<const void*>(number);  // NOLINT(performance-no-int-to-ptr)
    EXPECT_CL(CL_INVALID_ARG_VALUE, clSetKernelArg(test, 0, sizeof(cl_mem), value)) << number;
    EXPECT_CL(CL_INVALID_ARG_VALUE, clSetKernelArg(test, 3, sizeof(cl_int), value)) << number;
  }
}

}  // namespace
}  // namespace clarity::test
