// SPDX-License-Identifier: Apache-2.0
// This file tests contexts that initialise memory (cl_khr_initialize_memory): the property and its errors, private
// variables and local memory that nothing has written, objects that are linked, and binaries of other contexts.
#include "fixture.h"

#include <numeric>

#ifndef CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR
#define CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR (1 << 0)
#define CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR (1 << 1)
#endif

namespace clarity::test {
namespace {

constexpr size_t kItemsOfGroup = 16, kItems = 4096;

/// Leaves its marks in local memory and on the stack. Private memory goes through an address, so that it is there.
constexpr const char* kInitializeSource = R"(
kernel void spoil(global int* out, local int* scratch) {
  local int tile[64];
  int mine[33];
  for (int i = 0; i < 33; ++i) mine[i] = get_global_id(0) * i + 7;
  tile[get_local_id(0)] = tile[get_local_id(0) + 16] = tile[get_local_id(0) + 48] = -1;
  for (int i = get_local_id(0); i < 256; i += get_local_size(0)) scratch[i] = 5;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = mine[out[get_global_id(0)] % 33] + tile[get_local_id(0)] + scratch[0];
}
kernel void localSum(global int* out, local int* restrict scratch) {
  local int tile[64];
  int sum = 0;
  for (int i = 0; i < 64; ++i) sum += tile[i] != 0;
  for (int i = 0; i < 256; ++i) sum += scratch[i] != 0;
  out[get_global_id(0)] = sum;
  // For the next work-group.
  barrier(CLK_LOCAL_MEM_FENCE);
  tile[get_local_id(0)] = 1 + get_local_id(0);
  scratch[get_local_id(0)] = 1;
}
struct Pair { int a; float b[3]; };
kernel void privateSum(global int* out, local int* scratch) {
  int sum = 0;
  for (int round = 0; round < 3; ++round) {
    int array[33];
    int one;
    struct Pair pair;
    float4 vector;
    if (get_global_id(0) % 5 == 7) one = array[3] = pair.a = 1;
    for (int i = 0; i < 33; ++i) sum += array[(i + get_global_id(0)) % 33] != 0;
    sum += one != 0;
    sum += pair.a != 0;
    sum += pair.b[2] != 0;
    sum += any(vector != 0);
    array[out[get_global_id(0)] % 33] = one = pair.a = 3;
    pair.b[2] = one + array[5];
    vector = pair.b[2];
    sum += vector.x == -1;
  }
  out[get_global_id(0)] = sum;
}
)";

struct InitializeMemory : OpenCL {
  cl_context contextWith(cl_context_properties memory) {
    const cl_context_properties properties[] = {CL_CONTEXT_MEMORY_INITIALIZE_KHR, memory, 0};
    return created([&](cl_int* e) { return clCreateContext(properties, 1, &device, nullptr, nullptr, e); });
  }

  cl_program sourceIn(cl_context own, const char* text) {
    return created([&](cl_int* e) { return clCreateProgramWithSource(own, 1, &text, nullptr, e); });
  }

  cl_program buildIn(cl_context own, const char* text, const char* options) {
    cl_program program = sourceIn(own, text);
    EXPECT_SUCCESS(clBuildProgram(program, 1, &device, options, nullptr, nullptr)) << buildLog(program);
    return program;
  }

  /// The values that a kernel stores after others have spoilt memory.
  std::vector<cl_int> valuesOf(cl_context own, cl_program program, const char* name, size_t global = kItems) {
    cl_command_queue commands =
        created([&](cl_int* e) { return clCreateCommandQueueWithProperties(own, device, nullptr, e); });
    std::vector<cl_int> values(kItems);
    std::iota(values.begin(), values.end(), 0);
    cl_mem out = created([&](cl_int* e) {
      return clCreateBuffer(own, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, kItems * sizeof(cl_int), values.data(), e);
    });
    for (const char* each : {"spoil", name}) {
      cl_kernel its = kernel(program, each);
      EXPECT_SUCCESS(clSetKernelArg(its, 0, sizeof out, &out));
      EXPECT_SUCCESS(clSetKernelArg(its, 1, 256 * sizeof(cl_int), nullptr));
      EXPECT_SUCCESS(clEnqueueNDRangeKernel(commands, its, 1, nullptr, &global, &kItemsOfGroup, 0, nullptr, nullptr));
    }
    EXPECT_SUCCESS(
        clEnqueueReadBuffer(commands, out, CL_TRUE, 0, global * sizeof(cl_int), values.data(), 0, nullptr, nullptr));
    values.resize(global);
    return values;
  }
};

TEST_F(InitializeMemory, isReported) {
  const std::string names = infoStringOf(clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS);
  EXPECT_NE(names.find("cl_khr_initialize_memory"), std::string::npos);
}

TEST_F(InitializeMemory, isAProperty) {
  const std::vector<cl_context_properties> properties{CL_CONTEXT_MEMORY_INITIALIZE_KHR,
                                                      CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR, 0};
  EXPECT_EQ(infoVectorOf<cl_context_properties>(clGetContextInfo, contextWith(CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR),
                                                CL_CONTEXT_PROPERTIES),
            properties);
  EXPECT_NE(contextWith(0), nullptr);
}

// Bits that are not known; the property twice.
TEST_F(InitializeMemory, invalidProperty) {
  for (const std::vector<cl_context_properties>& wrong :
       {std::vector<cl_context_properties>{CL_CONTEXT_MEMORY_INITIALIZE_KHR, 4, 0},
        {CL_CONTEXT_MEMORY_INITIALIZE_KHR, -1, 0},
        {CL_CONTEXT_MEMORY_INITIALIZE_KHR, 1, CL_CONTEXT_MEMORY_INITIALIZE_KHR, 1, 0}}) {
    expectFails(CL_INVALID_PROPERTY,
                [&](cl_int* e) { return clCreateContext(wrong.data(), 1, &device, nullptr, nullptr, e); });
    expectFails(CL_INVALID_PROPERTY, [&](cl_int* e) {
      return driver->clCreateContextFromType(wrong.data(), CL_DEVICE_TYPE_ALL, nullptr, nullptr, e);
    });
  }
}

TEST_F(InitializeMemory, local) {
  cl_context own = contextWith(CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR);
  for (const char* options : {"", "-cl-opt-disable", "-cl-clarity-packet-width=1"}) {
    cl_program program = buildIn(own, kInitializeSource, options);
    EXPECT_EQ(valuesOf(own, program, "localSum"), std::vector<cl_int>(kItems)) << options;
  }
}

TEST_F(InitializeMemory, privateVariables) {
  cl_context own = contextWith(CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR);
  for (const char* options : {"", "-cl-opt-disable", "-cl-clarity-packet-width=1"}) {
    cl_program program = buildIn(own, kInitializeSource, options);
    EXPECT_EQ(valuesOf(own, program, "privateSum"), std::vector<cl_int>(kItems)) << options;
  }
}

// The options of the context are not those of the application.
TEST_F(InitializeMemory, buildOptionsStay) {
  cl_program program = buildIn(contextWith(3), kInitializeSource, "-DX=1");
  char options[64] = "";
  EXPECT_SUCCESS(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, sizeof options, options, nullptr));
  EXPECT_STREQ(options, "-DX=1");
}

TEST_F(InitializeMemory, linkedPrograms) {
  cl_context own = contextWith(CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR | CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR);
  cl_program object = sourceIn(own, kInitializeSource);
  ASSERT_SUCCESS(clCompileProgram(object, 1, &device, "", 0, nullptr, nullptr, nullptr, nullptr));
  cl_program linked =
      created([&](cl_int* e) { return clLinkProgram(own, 1, &device, "", 1, &object, nullptr, nullptr, e); });
  EXPECT_EQ(valuesOf(own, linked, "localSum"), std::vector<cl_int>(kItems));
  EXPECT_EQ(valuesOf(own, linked, "privateSum"), std::vector<cl_int>(kItems));
}

// Code that does not initialise memory is refused; a binary of such a context runs anywhere.
TEST_F(InitializeMemory, binaries) {
  cl_context own = contextWith(CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR | CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR);
  const auto programIn = [&](cl_context its, cl_program from) {
    const std::vector<unsigned char> binary = binaryOf(from);
    const unsigned char* bytes = binary.data();
    const size_t size = binary.size();
    return created([&](cl_int* e) { return clCreateProgramWithBinary(its, 1, &device, &size, &bytes, nullptr, e); });
  };
  cl_program plain = programIn(own, build(kInitializeSource));
  EXPECT_CL(CL_INVALID_BINARY, clBuildProgram(plain, 1, &device, "", nullptr, nullptr));
  cl_program half = programIn(own, buildIn(contextWith(CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR), kInitializeSource, ""));
  EXPECT_CL(CL_INVALID_BINARY, clBuildProgram(half, 1, &device, "", nullptr, nullptr));
  cl_program whole = programIn(own, buildIn(own, kInitializeSource, ""));
  ASSERT_SUCCESS(clBuildProgram(whole, 1, &device, "", nullptr, nullptr));
  EXPECT_EQ(valuesOf(own, whole, "localSum"), std::vector<cl_int>(kItems));
  cl_program elsewhere = programIn(context, whole);
  EXPECT_SUCCESS(clBuildProgram(elsewhere, 1, &device, "", nullptr, nullptr));
}

}  // namespace
}  // namespace clarity::test
