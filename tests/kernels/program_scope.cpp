// SPDX-License-Identifier: Apache-2.0
// This file uses variables in global memory at program scope (OpenCL C 3.0, section 6.7.1): how they begin, how long
// they keep what they hold, and who sees it.
#include "device_test.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace {

using Ints = std::vector<cl_int>;

constexpr const char* ways[] = {"-cl-std=CL3.0", "-cl-std=CL2.0", "-cl-std=CL3.0 -cl-opt-disable",
                                "-cl-std=CL3.0 -cl-clarity-packet-width=1",
                                "-cl-std=CL3.0 -cl-clarity-packet-width=8 -cl-clarity-tile=2x2"};

class ProgramScope : public DeviceTest {
protected:
  void TearDown() override {
    for (cl_program program : others_) clReleaseProgram(program);
    DeviceTest::TearDown();
  }

  /// A program beside program_, released with the test.
  cl_program another(const std::string& source) {
    const char* text = source.c_str();
    return others_.emplace_back(clCreateProgramWithSource(context_, 1, &text, nullptr, nullptr));
  }
  std::string logOf(cl_program program) {
    std::string log(1 << 16, '\0');
    clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    return log.c_str();
  }
  cl_program compiled(const std::string& source, const std::string& options = "-cl-std=CL3.0") {
    cl_program program = another(source);
    EXPECT_EQ(clCompileProgram(program, 1, &device_, options.c_str(), 0, nullptr, nullptr, nullptr, nullptr),
              CL_SUCCESS)
        << logOf(program);
    return program;
  }
  cl_program linked(const std::vector<cl_program>& parts, const char* options = "") {
    cl_int error = CL_SUCCESS;
    cl_program program = clLinkProgram(context_, 1, &device_, options, static_cast<cl_uint>(parts.size()), parts.data(),
                                       nullptr, nullptr, &error);
    EXPECT_EQ(error, CL_SUCCESS) << logOf(program);
    return others_.emplace_back(program);
  }
  std::vector<unsigned char> binaryOf(cl_program program) {
    std::size_t size = 0;
    clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr);
    std::vector<unsigned char> bytes(size);
    unsigned char* to = bytes.data();
    clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(void*), &to, nullptr);
    return bytes;
  }
  cl_program fromBinary(const std::vector<unsigned char>& bytes) {
    const std::size_t size = bytes.size();
    const unsigned char* from = bytes.data();
    cl_program program =
        others_.emplace_back(clCreateProgramWithBinary(context_, 1, &device_, &size, &from, nullptr, nullptr));
    EXPECT_EQ(clBuildProgram(program, 1, &device_, "", nullptr, nullptr), CL_SUCCESS) << logOf(program);
    return program;
  }

  /// The values that `items` work-items of `kernel(global int* out)` store.
  Ints valuesOf(cl_kernel kernel, std::size_t items, cl_command_queue queue, std::size_t local = 0) {
    Ints values(items);
    cl_mem out = bufferOf(values);
    EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof out, &out), CL_SUCCESS);
    EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, local ? &local : nullptr, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, items * sizeof(cl_int), values.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    clReleaseMemObject(out);
    return values;
  }
  Ints valuesOf(cl_program program, const char* name, std::size_t items = 1, std::size_t local = 0) {
    cl_int error = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    EXPECT_EQ(error, CL_SUCCESS) << name;
    Ints values = valuesOf(kernel, items, queue_, local);
    clReleaseKernel(kernel);
    return values;
  }
  cl_int valueOf(cl_program program, const char* name) { return valuesOf(program, name)[0]; }

  std::size_t variableBytes(cl_program program) {
    std::size_t bytes = 0;
    EXPECT_EQ(clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, sizeof bytes, &bytes,
                                    nullptr),
              CL_SUCCESS);
    return bytes;
  }

  std::vector<cl_program> others_;
};

constexpr const char* counters = R"CL(
global int shared_count = 40;
int implicit_count;
static global int own_count = 7;
kernel void bump(global int* out) { out[0] = ++shared_count; }
kernel void bump_too(global int* out) { shared_count += 10; out[0] = shared_count; }
kernel void implicitly(global int* out) { out[0] = implicit_count++; }
int next(void) { static int n = 100; return n++; }
int next_too(void) { static int n = 200; return n++; }
kernel void in_functions(global int* out) {
  static global int n = 300;
  out[0] = next(); out[1] = next_too(); out[2] = n++; out[3] = own_count++;
}
)CL";

TEST_F(ProgramScope, KeepsItsContents) {
  for (const char* options : ways) {
    if (!changeCode(options)) continue;
    build(counters, options);
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(valueOf(program_, "bump"), 41 + 11 * i) << options;
      EXPECT_EQ(valueOf(program_, "bump_too"), 51 + 11 * i) << options;
      EXPECT_EQ(valueOf(program_, "implicitly"), i) << options;
      Ints values(4);
      cl_mem out = bufferOf(values);
      launch("in_functions", {1}, {1}, out);
      take(out, values);
      EXPECT_EQ(values, (Ints{100 + i, 200 + i, 300 + i, 7 + i})) << options;
    }
  }
}

/// The code may come out of a cache, the storage may not.
TEST_F(ProgramScope, BelongsToOneProgramObject) {
  const char* options = "-cl-std=CL3.0";
  build(counters, options);
  EXPECT_EQ(valueOf(program_, "bump"), 41);
  cl_program second = another(counters);
  ASSERT_EQ(clBuildProgram(second, 1, &device_, options, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(valueOf(second, "bump"), 41);
  EXPECT_EQ(valueOf(program_, "bump"), 42);
  EXPECT_EQ(valueOf(second, "bump"), 42);
  cl_program third = fromBinary(binaryOf(program_)), fourth = fromBinary(binaryOf(program_));
  EXPECT_EQ(valueOf(third, "bump"), 41) << "a binary holds how the variables begin, not what they hold";
  EXPECT_EQ(valueOf(third, "bump"), 42);
  EXPECT_EQ(valueOf(fourth, "bump"), 41);
  EXPECT_EQ(valueOf(program_, "bump"), 43);
  ASSERT_EQ(clBuildProgram(second, 1, &device_, options, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(valueOf(second, "bump"), 41) << "a program that is built again begins again";
}

TEST_F(ProgramScope, LivesAsLongAsAKernel) {
  cl_program program = another(counters);
  others_.pop_back();
  ASSERT_EQ(clBuildProgram(program, 1, &device_, "-cl-std=CL3.0", nullptr, nullptr), CL_SUCCESS);
  cl_kernel first = clCreateKernel(program, "bump", nullptr);
  cl_kernel second = clCreateKernel(program, "bump_too", nullptr);
  cl_kernel clone = clCloneKernel(first, nullptr);
  clReleaseProgram(program);
  EXPECT_EQ(valuesOf(first, 1, queue_)[0], 41);
  EXPECT_EQ(valuesOf(clone, 1, queue_)[0], 42);
  clReleaseKernel(first);
  EXPECT_EQ(valuesOf(second, 1, queue_)[0], 52);
  EXPECT_EQ(valuesOf(clone, 1, queue_)[0], 53);
  clReleaseKernel(second);
  clReleaseKernel(clone);
}

/// Each device has its own, a sub-device and the device that it is a part of, too.
TEST_F(ProgramScope, BelongsToOneDevice) {
  cl_uint parts = 0;
  clGetDeviceInfo(device_, CL_DEVICE_PARTITION_MAX_SUB_DEVICES, sizeof parts, &parts, nullptr);
  if (parts < 2) GTEST_SKIP() << "there is nothing to divide";
  const cl_device_partition_property how[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END,
                                              0};
  cl_device_id devices[2] = {device_, nullptr};
  ASSERT_EQ(clCreateSubDevices(device_, how, 1, &devices[1], nullptr), CL_SUCCESS);
  cl_context both = clCreateContext(nullptr, 2, devices, nullptr, nullptr, nullptr);
  const char* text = counters;
  cl_program program = clCreateProgramWithSource(both, 1, &text, nullptr, nullptr);
  ASSERT_EQ(clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr), CL_SUCCESS);
  cl_kernel kernel = clCreateKernel(program, "bump", nullptr);
  std::swap(context_, both);
  for (int i = 0; i < 2; ++i)
    for (int d = 0; d < 2; ++d) {
      cl_command_queue queue = clCreateCommandQueueWithProperties(context_, devices[d], nullptr, nullptr);
      for (int j = 0; j < 1 + d; ++j) EXPECT_EQ(valuesOf(kernel, 1, queue)[0], 41 + i * (1 + d) + j) << d;
      clReleaseCommandQueue(queue);
    }
  std::swap(context_, both);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseContext(both);
  clReleaseDevice(devices[1]);
}

// --- how variables begin --------------------------------------------------------------------------------------------

constexpr const char* initialisers = R"CL(
typedef struct { char c; int16 v; double d; uchar bytes[3]; } Mixed;
typedef struct Node { int value; global struct Node* next; global int* elements[2]; } Node;

global Mixed mixed = {'a', (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), 2.5, {7, 8, 9}};
global float3 three[2] = {(float3)(1, 2, 3), (float3)(4, 5, 6)};
global bool flags[3] = {true, false, true};
global long wide = -5000000000;
global uchar text[] = "text";
global short sparse[300] = {[0] = 1, [299] = -2};
global float minus_zero = -0.0f;
global int none[10];

global int row[4] = {10, 11, 12, 13};
global int* global middle = &row[2];
global int* global past = row + 4;
global int* pointers[3] = {row, 0, &row[3]};
int* generic_pointer = &row[1];
extern global Node second;
global Node first = {1, &second, {row, &row[1]}};
global Node second = {2, &first, {&row[1], &row[2]}};
global Node* self = &first;
global void* global itself = &itself;
global const int fixed_value = 77;
global int* global member_pointer = &second.value;
global double* global member_double = &mixed.d;
constant int table[4] = {5, 6, 7, 8};
constant int* global into_constant = &table[2];
constant char* global words[2] = {"zero", "one"};
constant int* constant from_constant = table + 1;
global int* constant into_global = row + 3;
global intptr_t as_number = (intptr_t)&row[1];

kernel void plain(global int* out) {
  int i = 0;
  out[i++] = mixed.c; out[i++] = mixed.v.s3; out[i++] = mixed.v.sf; out[i++] = (int)(mixed.d * 2);
  out[i++] = mixed.bytes[2];
  out[i++] = (int)three[1].z; out[i++] = flags[0] + 2 * flags[1] + 4 * flags[2]; out[i++] = (int)(wide / 1000000);
  out[i++] = text[3]; out[i++] = text[4]; out[i++] = sparse[0]; out[i++] = sparse[150]; out[i++] = sparse[299];
  out[i++] = as_int(minus_zero) == (int)0x80000000; out[i++] = none[0] + none[9];
}
kernel void led_to(global int* out) {
  int i = 0;
  out[i++] = *middle; out[i++] = (int)(past - row); out[i++] = pointers[0] == row; out[i++] = pointers[1] == 0;
  out[i++] = *pointers[2];
  out[i++] = *generic_pointer; out[i++] = first.next->value; out[i++] = second.next->next->value;
  out[i++] = *second.elements[1];
  out[i++] = self->next == &second; out[i++] = itself == (global void*)&itself; out[i++] = fixed_value;
  out[i++] = *member_pointer;
  out[i++] = (int)*member_double; out[i++] = *into_constant; out[i++] = words[1][2]; out[i++] = *from_constant;
  out[i++] = *into_global;
  out[i++] = *(global int*)as_number;
}
kernel void change(global int* out) {
  *middle = 99; *generic_pointer = 98; first.next->value = 97; middle = &row[0]; *member_double = 41; *into_global = 96;
  out[0] = row[2]; out[1] = row[1]; out[2] = second.value; out[3] = *middle; out[4] = (int)mixed.d; out[5] = row[3];
}
kernel void changed(global int* out) {
  out[0] = row[2]; out[1] = row[1]; out[2] = second.value; out[3] = *middle; out[4] = (int)mixed.d; out[5] = row[3];
}
)CL";

TEST_F(ProgramScope, BeginsAsItsInitialisersSay) {
  const Ints plain = {'a', 3, 15, 5, 9, 6, 5, -5000, 't', 0, 1, 0, -2, 1, 0};
  const Ints ledTo = {12, 4, 1, 1, 13, 11, 2, 2, 12, 1, 1, 77, 2, 2, 7, 'e', 6, 13, 11};
  const Ints change = {99, 98, 97, 10, 41, 96};
  for (const char* options : ways) {
    if (!changeCode(options)) continue;
    build(initialisers, options);
    const auto values = [&](const char* name, std::size_t count) {
      Ints result(count);
      cl_mem out = bufferOf(result);
      launch(name, {1}, {1}, out);
      take(out, result);
      return result;
    };
    EXPECT_EQ(values("plain", plain.size()), plain) << options;
    EXPECT_EQ(values("led_to", ledTo.size()), ledTo) << options;
    EXPECT_EQ(values("change", change.size()), change) << options;
    EXPECT_EQ(values("changed", change.size()), change) << options;
    EXPECT_EQ(values("plain", plain.size())[3], 82) << options;
  }
}

/// Pointers lead into the storage of their own program object.
TEST_F(ProgramScope, PointersAreEachObjectsOwn) {
  constexpr const char* source = R"CL(
    global int target = 5;
    global int* global pointer = &target;
    kernel void through(global int* out) { out[0] = ++*pointer; }
    kernel void direct(global int* out) { out[0] = target; }
  )CL";
  build(source, "-cl-std=CL3.0");
  cl_program second = fromBinary(binaryOf(program_));
  EXPECT_EQ(valueOf(program_, "through"), 6);
  EXPECT_EQ(valueOf(program_, "through"), 7);
  EXPECT_EQ(valueOf(second, "direct"), 5);
  EXPECT_EQ(valueOf(second, "through"), 6);
  EXPECT_EQ(valueOf(program_, "direct"), 7);
}

TEST_F(ProgramScope, LiesWhereItsTypeAsks) {
  constexpr const char* source = R"CL(
    global char a = 1; global double16 b = 2; global char c = 3; global int d __attribute__((aligned(128))) = 4;
    global char e = 5; global struct { char x; float8 y; } f = {6, 7}; global char g = 8; global ushort3 h = 9;
    global char i = 10; global int j[3] __attribute__((aligned(4096)));
    kernel void places(global int* out) {
      out[0] = (ulong)&b % sizeof(double16); out[1] = (ulong)&d % 128; out[2] = (ulong)&f.y % 32;
      out[3] = (ulong)&h % 8; out[4] = (ulong)&j % 4096;
      out[5] = (int)(a + b.sf + c + d + e + f.x + f.y.s7 + g + h.z + i);
    }
  )CL";
  for (const char* options : ways) {
    if (!changeCode(options)) continue;
    build(source, options);
    Ints values(6, -1);
    cl_mem out = bufferOf(values);
    launch("places", {1}, {1}, out);
    take(out, values);
    EXPECT_EQ(values, (Ints{0, 0, 0, 0, 0, 55})) << options;
  }
}

/// Zeros take no room in a binary, and in memory only where they are touched.
TEST_F(ProgramScope, LargeArrays) {
  build(
      "global int large[16 << 20]; global int some[100000] = {[50000] = 6};"
      "kernel void fill(global int* out) { size_t i = get_global_id(0); large[i * 16384] = out[i] = (int)i + large[i * "
      "16384 + 1] + some[i]; }"
      "kernel void read(global int* out) { size_t i = get_global_id(0); out[i] = large[i * 16384] + some[50000]; }",
      "-cl-std=CL3.0");
  EXPECT_GE(variableBytes(program_), (std::size_t{16} << 22) + 400000);
  EXPECT_LT(binaryOf(program_).size(), 50000U);
  Ints expected(1024);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(valuesOf(program_, "fill", 1024), expected);
  std::iota(expected.begin(), expected.end(), 6);
  EXPECT_EQ(valuesOf(program_, "read", 1024), expected);
}

// --- many work-items ------------------------------------------------------------------------------------------------

constexpr const char* arrays = R"CL(
#define N 1000
global int in[N], made[N], histogram[16];
global float4 quads[N];
global atomic_int total = ATOMIC_VAR_INIT(5);
global atomic_flag once = ATOMIC_FLAG_INIT;
global atomic_uint least = ATOMIC_VAR_INIT(0xffffffffu);
kernel void prepare(global int* out) { int i = get_global_id(0); in[i] = i * 7 % 31; quads[i] = (float4)(i, 1, 2, i);
  out[i] = 0; }
kernel void neighbours(global int* out) {
  int i = get_global_id(0);
  int sum = 0;
  for (int k = -3; k <= 3; ++k) sum += in[clamp(i + k, 0, N - 1)];
  made[i] = sum;
  out[i] = sum;
}
kernel void reversed(global int* out) { int i = get_global_id(0); out[i] = made[N - 1 - i] + (int)quads[i].w; }
kernel void scattered(global int* out) { int i = get_global_id(0); made[(i * 7) % N] = i;
  if (i % 3 == 0) quads[i].y = -i; out[i] = in[in[i]]; }
kernel void look(global int* out) { int i = get_global_id(0); out[i] = made[i] * 2 + (int)quads[i].y; }
kernel void count(global int* out) {
  int i = get_global_id(0);
  atomic_add(&histogram[in[i] % 16], 1);
  atomic_fetch_add_explicit(&total, i, memory_order_relaxed, memory_scope_device);
  atomic_fetch_min(&least, (uint)(i ^ 77));
  out[i] = atomic_flag_test_and_set(&once) ? 0 : 1;
}
kernel void counted(global int* out) { int i = get_global_id(0);
  out[i] = i < 16 ? histogram[i] : i == 16 ? atomic_load(&total) : (int)atomic_load(&least); }
)CL";

TEST_F(ProgramScope, ManyWorkItems) {
  constexpr std::size_t items = 1000;
  Ints in(items), made(items), look(items), histogram(16);
  const auto number = [](std::size_t i) { return static_cast<cl_int>(i); };
  for (std::size_t i = 0; i < items; ++i) in[i] = number(i * 7 % 31), ++histogram[in[i] % 16];
  for (std::size_t i = 0; i < items; ++i)
    for (int k = -3; k <= 3; ++k) made[i] += in[std::clamp<int>(number(i) + k, 0, items - 1)];
  for (const char* options : ways)
    for (const std::size_t local : {0, 1, 8, 40}) {
      if (!changeCode(options)) continue;
      build(arrays, options);
      valuesOf(program_, "prepare", items, local);
      EXPECT_EQ(valuesOf(program_, "neighbours", items, local), made) << options;
      Ints expected(items);
      for (std::size_t i = 0; i < items; ++i) expected[i] = made[items - 1 - i] + number(i);
      EXPECT_EQ(valuesOf(program_, "reversed", items, local), expected) << options;
      for (std::size_t i = 0; i < items; ++i) expected[i] = in[in[i]];
      EXPECT_EQ(valuesOf(program_, "scattered", items, local), expected) << options;
      for (std::size_t i = 0; i < items; ++i) look[i * 7 % items] = number(i) * 2;
      for (std::size_t i = 0; i < items; ++i) look[i] += i % 3 == 0 ? -number(i) : 1;
      EXPECT_EQ(valuesOf(program_, "look", items, local), look) << options;
      const Ints firsts = valuesOf(program_, "count", items, local);
      EXPECT_EQ(std::accumulate(firsts.begin(), firsts.end(), 0), 1) << options;
      const Ints counted = valuesOf(program_, "counted", 18, 0);
      EXPECT_TRUE(std::equal(histogram.begin(), histogram.end(), counted.begin())) << options;
      EXPECT_EQ(counted[16], 5 + 999 * 500) << options;
      EXPECT_EQ(counted[17], 0) << options;
    }
}

/// Code for one size of work-groups and code for any, wide ids and packets: all see one storage.
TEST_F(ProgramScope, AllFormsOfAKernelShareIt) {
  build(
      "global int sum; global int groups;"
      "kernel void add(global int* out) {"
      "  local int part; if (get_local_id(0) == 0) part = 0; barrier(CLK_LOCAL_MEM_FENCE);"
      "  atomic_add(&part, 1); barrier(CLK_LOCAL_MEM_FENCE);"
      "  if (get_local_id(0) == 0) { atomic_add(&sum, part); atomic_inc(&groups); }"
      "  out[get_global_id(0)] = 0; }"
      "kernel void value(global int* out) { out[0] = sum; out[1] = groups; }",
      "-cl-std=CL3.0");
  cl_int items = 0, groups = 0;
  for (std::size_t local = 1; local <= 20; ++local) {  // more sizes than get code of their own
    const std::size_t global = 100 + local;
    valuesOf(program_, "add", global, local);
    items += static_cast<cl_int>(global);
    groups += static_cast<cl_int>((global + local - 1) / local);
    Ints values(2);
    cl_mem out = bufferOf(values);
    launch("value", {1}, {}, out);
    take(out, values);
    EXPECT_EQ(values, (Ints{items, groups})) << local;
  }
}

/// Functions that are not inlined, and generic pointers, come to the same memory.
TEST_F(ProgramScope, ThroughFunctionsAndGenericPointers) {
  constexpr const char* source = R"CL(
    int numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    __attribute__((noinline)) void add(int* p, int by) { *p += by; }
    __attribute__((noinline)) int kindOf(int* p) {
      return (to_global(p) != 0) + 2 * (to_local(p) != 0) + 4 * (to_private(p) != 0); }
    kernel void value(global int* out) {
      size_t i = get_global_id(0);
      int mine = 50;
      local int theirs[8];
      theirs[i] = 60;
      int* p = i % 3 == 0 ? &numbers[i] : i % 3 == 1 ? (int*)&mine : (int*)&theirs[i];
      add(p, 1);
      barrier(CLK_LOCAL_MEM_FENCE);
      out[i] = 100 * kindOf(p) + *p;
    }
  )CL";
  for (const char* options : ways) {
    if (!changeCode(options)) continue;
    build(source, options);
    EXPECT_EQ(valuesOf(program_, "value", 8, 8), (Ints{102, 451, 261, 105, 451, 261, 108, 451})) << options;
    EXPECT_EQ(valuesOf(program_, "value", 8, 8), (Ints{103, 451, 261, 106, 451, 261, 109, 451})) << options;
  }
}

// --- programs of several parts --------------------------------------------------------------------------------------

TEST_F(ProgramScope, JoinsParts) {
  cl_program definition = compiled(
      "global int common_count = 20; static global int own = 1; global int* global where = &common_count;"
      "kernel void first(global int* out) { out[0] = ++common_count + 1000 * own++; }");
  cl_program use = compiled(
      "extern global int common_count; static global int own = 5; extern global int* global where; global int* global "
      "too = &common_count;"
      "kernel void second(global int* out) { common_count += 10; out[0] = common_count + 1000 * own++; }"
      "kernel void third(global int* out) { out[0] = *where - *too + (where == too); }");
  for (const bool library : {false, true}) {
    cl_program program = linked({library ? linked({definition}, "-create-library") : definition, use});
    EXPECT_EQ(valueOf(program, "first"), 1021);
    EXPECT_EQ(valueOf(program, "second"), 5031);
    EXPECT_EQ(valueOf(program, "first"), 2032);
    EXPECT_EQ(valueOf(program, "third"), 1);
    cl_program again = fromBinary(binaryOf(program));
    EXPECT_EQ(valueOf(again, "second"), 5030);
    EXPECT_EQ(valueOf(program, "second"), 6042);
    EXPECT_GE(variableBytes(program), 28U);
  }
}

TEST_F(ProgramScope, SaysWhatIsDefinedNowhere) {
  cl_program use =
      compiled("extern global int absent_count; kernel void k(global int* out) { out[0] = absent_count; }");
  cl_int error = CL_SUCCESS;
  cl_context quiet = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
  std::swap(context_, quiet);
  cl_program alone =
      compiled("extern global int absent_count; kernel void k(global int* out) { out[0] = absent_count; }");
  cl_program program = clLinkProgram(context_, 1, &device_, "", 1, &alone, nullptr, nullptr, &error);
  EXPECT_EQ(error, CL_LINK_PROGRAM_FAILURE);
  EXPECT_NE(logOf(program).find("undefined variable 'absent_count' used in 'k'"), std::string::npos) << logOf(program);
  clReleaseProgram(program);
  std::swap(context_, quiet);
  clReleaseContext(quiet);
  EXPECT_EQ(valueOf(linked({use, compiled("global int absent_count = 3;")}), "k"), 3);
}

// --- C++ for OpenCL -------------------------------------------------------------------------------------------------

constexpr const char* objects = R"CL(
int computed(int x) { return x * 2; }
struct Counter {
  int value; int* chosen;
  Counter(int v) : value(v), chosen(&value) {}
};
struct Known { int a; constexpr Known(int x) : a(x + 1) {} };
Counter counter(computed(4));
Known known(10);
int later = computed(counter.value) + known.a;
__global int order[3];
struct Placed { Placed(int at) { static int turn = 0; order[at] = ++turn; } };
Placed a(2), b(0), c(1);
template <class T> T doubled(T x) { return x + x; }
const float folded = doubled(1.5f);
inline int shared_value = computed(30);
template <class T> struct Of { static T value; };
template <class T> T Of<T>::value = T(computed(20)) + T(1);
kernel void read(__global int* out) {
  out[0] = counter.value; out[1] = *counter.chosen; out[2] = known.a; out[3] = later;
  out[4] = order[0] * 100 + order[1] * 10 + order[2]; out[5] = (int)(folded * 2); out[6] = shared_value;
  out[7] = (int)(Of<int>::value + Of<float>::value);
  ++counter.value;
}
)CL";

TEST_F(ProgramScope, ConstructorsRunOnceAheadOfTheFirstKernel) {
  for (const char* options : {"-cl-std=CLC++2021", "-cl-std=CLC++2021 -cl-opt-disable"}) {
    build(objects, options);
    cl_bool constructors = CL_FALSE, destructors = CL_TRUE;
    clGetProgramInfo(program_, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, sizeof constructors, &constructors, nullptr);
    clGetProgramInfo(program_, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT, sizeof destructors, &destructors, nullptr);
    EXPECT_TRUE(constructors);
    EXPECT_FALSE(destructors);
    std::size_t kernels = 0;
    clGetProgramInfo(program_, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, nullptr);
    EXPECT_EQ(kernels, 1U) << "constructors are no kernel of the application's";
    cl_program copy = fromBinary(binaryOf(program_));
    const auto read = [&](cl_program program) {
      Ints values(8);
      cl_mem out = bufferOf(values);
      std::swap(program_, program);
      launch("read", {1}, {1}, out);
      std::swap(program_, program);
      take(out, values);
      return values;
    };
    EXPECT_EQ(read(program_), (Ints{8, 8, 11, 27, 231, 6, 60, 82})) << options;
    EXPECT_EQ(read(program_), (Ints{9, 9, 11, 27, 231, 6, 60, 82})) << options;
    EXPECT_EQ(read(copy), (Ints{8, 8, 11, 27, 231, 6, 60, 82})) << options;
  }
}

TEST_F(ProgramScope, ConstructorsOfSeveralParts) {
  const char* options = "-cl-std=CLC++2021";
  cl_program program = linked(
      {compiled("int twice(int x) { return 2 * x; } int a = twice(4); kernel void k(__global int* out) { out[0] = a; }",
                options),
       compiled(
           "int thrice(int x) { return 3 * x; } int b = thrice(4); kernel void l(__global int* out) { out[0] = b; }",
           options)});
  EXPECT_EQ(valueOf(program, "l"), 12);
  EXPECT_EQ(valueOf(program, "k"), 8);
}

/// Constructors that cannot be are an error that says so.
TEST_F(ProgramScope, WhatCannotBeConstructed) {
  const auto fails = [&](const char* source, const char* sentence) {
    cl_context quiet = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
    cl_program program = clCreateProgramWithSource(quiet, 1, &source, nullptr, nullptr);
    EXPECT_EQ(clBuildProgram(program, 1, &device_, "-cl-std=CLC++2021", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
    EXPECT_NE(logOf(program).find(sentence), std::string::npos) << logOf(program);
    clReleaseProgram(program);
    clReleaseContext(quiet);
  };
  fails(
      "struct A { int v; A(int x) : v(x) {} ~A() { v = 0; } }; A a(5); kernel void k(__global int* out) { *out = a.v; "
      "}",
      "has a destructor");
  fails("int f(int x) { return x; } kernel void k(__global int* out) { static int n = f(*out); *out = n; }",
        "'k::n' needs a constant initialiser");
}

TEST_F(ProgramScope, NoLargerThanTheDeviceHasThem) {
  std::size_t most = 0;
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, sizeof most, &most, nullptr), CL_SUCCESS);
  ASSERT_GE(most, 65536U);
  const auto sourceOf = [](std::size_t bytes) {
    return "global uchar bytes[" + std::to_string(bytes) +
           "];"
           "kernel void ends(global int* out) { bytes[0] = 3; bytes[" +
           std::to_string(bytes) + "ul - 1] = 4; out[0] = bytes[0] + 10 * bytes[" + std::to_string(bytes) +
           "ul - 1]; }";
  };
  build(sourceOf(most), "-cl-std=CL3.0");
  EXPECT_EQ(valueOf(program_, "ends"), 43);
  cl_context quiet = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
  const std::string source = sourceOf(most + 1);
  const char* text = source.c_str();
  cl_program program = clCreateProgramWithSource(quiet, 1, &text, nullptr, nullptr);
  EXPECT_EQ(clBuildProgram(program, 1, &device_, "-cl-std=CL3.0", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_NE(logOf(program).find(std::to_string(most)), std::string::npos) << logOf(program);
  clReleaseProgram(program);
  clReleaseContext(quiet);
}

}  // namespace
