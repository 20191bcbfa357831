// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateProgramWithBinary (OpenCL 3.0, section 5.8.1): binaries come back as the programs they were
// taken from, and no damaged binary is taken.
#include "fixture.h"

#include <random>

namespace clarity::test {
namespace {

using Bytes = std::vector<unsigned char>;

constexpr const char* kBinarySource = R"(
  constant int table[4] = {3, 1, 4, 1};
  int helper(int a) { return a * 10 + table[a & 3]; }
  kernel void value(global int* result) { *result = helper(2); }
  kernel void add(global const float* a, global float* b, local float* c, float d) {
    size_t l = get_local_id(0), g = get_global_id(0);
    c[l] = a[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    b[g] = c[get_local_size(0) - 1 - l] + d;
  })";

struct CreateProgramWithBinary : OpenCL {
  /// The result of a binary: the error of the creation, or of the build that follows.
  cl_int errorOf(const Bytes& binary, cl_int* statusOut = nullptr) {
    const unsigned char* start = binary.data();
    const size_t size = binary.size();
    cl_int status = 1, error = CL_SUCCESS;
    cl_program program = clCreateProgramWithBinary(context, 1, &device, &size, &start, &status, &error);
    EXPECT_EQ(program != nullptr, error == CL_SUCCESS);
    EXPECT_EQ(status, error) << "the status of the only device is the error";
    if (statusOut != nullptr) *statusOut = status;
    if (program != nullptr) EXPECT_SUCCESS(clReleaseProgram(program));
    return error;
  }
};

TEST_F(CreateProgramWithBinary, runsAgain) {
  cl_program program = fromBinary(binaryOf(build(kBinarySource)));
  ASSERT_SUCCESS(clBuildProgram(program, 1, &device, nullptr, nullptr, nullptr));
  EXPECT_EQ(valueOf(program), 24);
  cl_kernel add = kernel(program, "add");
  std::vector<cl_float> numbers(64);
  for (size_t i = 0; i < 64; ++i) numbers[i] = cl_float(i);
  cl_mem a = bufferOf(numbers), b = buffer(64 * sizeof(cl_float));
  const cl_float d = 0.5F;
  ASSERT_SUCCESS(clSetKernelArg(add, 0, sizeof a, &a));
  ASSERT_SUCCESS(clSetKernelArg(add, 1, sizeof b, &b));
  ASSERT_SUCCESS(clSetKernelArg(add, 2, 16 * sizeof(cl_float), nullptr));
  ASSERT_SUCCESS(clSetKernelArg(add, 3, sizeof d, &d));
  launch(add, 64, 16);
  const std::vector<cl_float> result = read<cl_float>(b, 64);
  for (size_t i = 0; i < 64; ++i) EXPECT_EQ(result[i], cl_float(i / 16 * 16 + 15 - i % 16) + 0.5F);
}

// Structures by value, also where functions take and return them.
TEST_F(CreateProgramWithBinary, runsAgainWithStructures) {
  constexpr const char* text = R"(
    typedef struct { float a; int b[3]; } S;
    typedef union { float2 v; struct { float a, b; }; } U;
    S added(S s, U u) { s.a += u.b; return s; }
    kernel void k(global float* r, S s, char c, U u) { *r = added(s, u).a + s.b[c]; })";
  struct {
    cl_float a = 0.5F;
    cl_int b[3] = {1, 2, 40};
  } s;
  const cl_float u[2] = {7, 0.25F};
  const cl_char c = 2;
  cl_program program = fromBinary(binaryOf(build(text)));
  ASSERT_SUCCESS(clBuildProgram(program, 1, &device, nullptr, nullptr, nullptr));
  cl_kernel k = kernel(program, "k");
  cl_mem r = buffer(sizeof(cl_float));
  ASSERT_SUCCESS(clSetKernelArg(k, 0, sizeof r, &r));
  ASSERT_SUCCESS(clSetKernelArg(k, 1, sizeof s, &s));
  ASSERT_SUCCESS(clSetKernelArg(k, 2, sizeof c, &c));
  ASSERT_SUCCESS(clSetKernelArg(k, 3, sizeof u, u));
  launch(k, 1, 1);
  EXPECT_EQ(read<cl_float>(r, 1), std::vector{40.75F});
}

// A loaded program gives its binary back, which is as good as the first, again and again.
TEST_F(CreateProgramWithBinary, givesItsBinaryBack) {
  Bytes binary = binaryOf(build(kBinarySource));
  for (int round = 0; round < 3; ++round) {
    cl_program program = fromBinary(binary);
    ASSERT_SUCCESS(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
    EXPECT_EQ(valueOf(program), 24);
    binary = binaryOf(program);
    ASSERT_FALSE(binary.empty());
  }
}

// Before clBuildProgram a loaded executable already has its binary and type.
TEST_F(CreateProgramWithBinary, isAnExecutableBeforeTheBuild) {
  const Bytes binary = binaryOf(build(kBinarySource));
  cl_program program = fromBinary(binary);
  EXPECT_EQ(infoVectorOf<size_t>(clGetProgramInfo, program, CL_PROGRAM_BINARY_SIZES), std::vector{binary.size()});
  EXPECT_EQ(infoVectorOf<cl_device_id>(clGetProgramInfo, program, CL_PROGRAM_DEVICES), std::vector{device});
  cl_program_binary_type type = 0;
  EXPECT_SUCCESS(clGetProgramBuildInfo(program, device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, nullptr));
  EXPECT_EQ(type, cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_EXECUTABLE});
}

// Compiled objects and libraries are binaries too, and are linked after they are loaded.
TEST_F(CreateProgramWithBinary, loadsObjectsAndLibraries) {
  cl_program part = source("int part(int a) { return a + 1; }");
  cl_program whole = source("int part(int a); kernel void value(global int* r) { *r = part(41); }");
  ASSERT_SUCCESS(clCompileProgram(part, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr));
  ASSERT_SUCCESS(clCompileProgram(whole, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr));
  cl_program library = created(
      [&](cl_int* e) { return clLinkProgram(context, 0, nullptr, "-create-library", 1, &part, nullptr, nullptr, e); });
  cl_program inputs[] = {fromBinary(binaryOf(library)), fromBinary(binaryOf(whole))};
  const cl_program_binary_type types[] = {CL_PROGRAM_BINARY_TYPE_LIBRARY, CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT};
  for (int i = 0; i < 2; ++i) {
    cl_program_binary_type type = 0;
    EXPECT_SUCCESS(clGetProgramBuildInfo(inputs[i], device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, nullptr));
    EXPECT_EQ(type, types[i]) << i;
  }
  cl_program linked =
      created([&](cl_int* e) { return clLinkProgram(context, 0, nullptr, "", 2, inputs, nullptr, nullptr, e); });
  EXPECT_EQ(valueOf(linked), 42);
}

TEST_F(CreateProgramWithBinary, copiesTheBytes) {
  Bytes binary = binaryOf(build(kBinarySource));
  cl_program program = fromBinary(binary);
  std::fill(binary.begin(), binary.end(), 0xEE);
  ASSERT_SUCCESS(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr));
  EXPECT_EQ(valueOf(program), 24);
}

// context is not a valid context.
TEST_F(CreateProgramWithBinary, invalidContext) {
  const Bytes binary = binaryOf(build(kBinarySource));
  const unsigned char* start = binary.data();
  const size_t size = binary.size();
  const auto in = [&](cl_context wrong) {
    return [&, wrong](cl_int* e) { return clCreateProgramWithBinary(wrong, 1, &device, &size, &start, nullptr, e); };
  };
  expectFails(CL_INVALID_CONTEXT, in(nullptr));
  expectFails(CL_INVALID_CONTEXT, in(notAnObject<cl_context>()));
  expectFails(CL_INVALID_CONTEXT, [&](cl_int* e) {
    return driver->clCreateProgramWithBinary(nullptr, 1, &device, &size, &start, nullptr, e);
  });
}

// A list is missing or empty, or a binary is: the status of its device says so.
TEST_F(CreateProgramWithBinary, invalidValue) {
  const Bytes binary = binaryOf(build(kBinarySource));
  const unsigned char* start = binary.data();
  const unsigned char* none = nullptr;
  const size_t size = binary.size(), empty = 0;
  cl_int status = 1;
  const auto with = [&](cl_uint count, const cl_device_id* devices, const size_t* sizes, const unsigned char** starts) {
    return [=, this, &status](cl_int* e) {
      return clCreateProgramWithBinary(context, count, devices, sizes, starts, &status, e);
    };
  };
  expectFails(CL_INVALID_VALUE, with(1, nullptr, &size, &start));
  expectFails(CL_INVALID_VALUE, with(0, &device, &size, &start));
  expectFails(CL_INVALID_VALUE, with(1, &device, nullptr, &start));
  expectFails(CL_INVALID_VALUE, with(1, &device, &size, nullptr));
  status = 1;
  expectFails(CL_INVALID_VALUE, with(1, &device, &empty, &start));
  EXPECT_EQ(errorName(status), "CL_INVALID_VALUE");
  status = 1;
  expectFails(CL_INVALID_VALUE, with(1, &device, &size, &none));
  EXPECT_EQ(errorName(status), "CL_INVALID_VALUE");
}

// A device of the list is not one of the context.
TEST_F(CreateProgramWithBinary, invalidDevice) {
  const Bytes binary = binaryOf(build(kBinarySource));
  const unsigned char* start = binary.data();
  const size_t size = binary.size();
  for (const cl_device_id wrong : {cl_device_id{nullptr}, notAnObject<cl_device_id>()})
    expectFails(CL_INVALID_DEVICE,
                [&](cl_int* e) { return clCreateProgramWithBinary(context, 1, &wrong, &size, &start, nullptr, e); });
}

// Bytes that are no binary of this driver at all.
TEST_F(CreateProgramWithBinary, invalidBinaryOfAnotherKind) {
  const std::string texts[] = {"x",
                               "\x7f"
                               "ELF\x02\x01\x01 and something that is no program",
                               kBinarySource, std::string(4096, '\0'), "BC\xC0\xDE" + std::string(100, '5')};
  for (const std::string& each : texts) {
    cl_int status = 1;
    EXPECT_CL(CL_INVALID_BINARY, errorOf(Bytes(each.begin(), each.end()), &status));
    EXPECT_EQ(errorName(status), "CL_INVALID_BINARY");
  }
  EXPECT_TRUE(wasNotified("")) << "nothing was notified";
}

// A binary that was cut short, anywhere.
TEST_F(CreateProgramWithBinary, invalidBinaryCutShort) {
  const Bytes binary = binaryOf(build(kBinarySource));
  ASSERT_GT(binary.size(), 64U);
  std::vector<size_t> lengths;
  for (size_t length = 1; length < 64; ++length) lengths.push_back(length);
  for (size_t i = 1; i <= 64; ++i) lengths.push_back(binary.size() * i / 65);
  for (size_t i = 1; i <= 16; ++i) lengths.push_back(binary.size() - i);
  for (size_t length : lengths)
    EXPECT_CL(CL_INVALID_BINARY, errorOf(Bytes(binary.begin(), binary.begin() + long(length))))
        << length << " of " << binary.size() << " bytes";
}

// A binary with one bit flipped: every byte of its beginning, where versions and sizes are, and a sample of the rest.
TEST_F(CreateProgramWithBinary, invalidBinaryWithAFlippedBit) {
  const Bytes binary = binaryOf(build(kBinarySource));
  std::mt19937 random(1);
  for (size_t i = 0; i < 640; ++i) {
    const size_t place = i < 256 ? i : random() % binary.size();
    if (place >= binary.size()) continue;
    Bytes damaged = binary;
    damaged[place] ^= static_cast<unsigned char>(1U << (random() % 8));
    EXPECT_CL(CL_INVALID_BINARY, errorOf(damaged)) << "byte " << place << " of " << binary.size();
  }
}

// A binary whose numbers at the beginning are of another version or name sizes that are not there.
TEST_F(CreateProgramWithBinary, invalidBinaryOfAnotherVersion) {
  const Bytes binary = binaryOf(build(kBinarySource));
  for (size_t place = 4; place + 4 <= 64; place += 4)
    for (unsigned char value : {0x00, 0x7F, 0xFF}) {
      Bytes damaged = binary;
      std::fill_n(damaged.begin() + long(place), 4, value);
      if (damaged == binary) continue;
      EXPECT_CL(CL_INVALID_BINARY, errorOf(damaged)) << "four bytes at " << place;
    }
}

// With several devices the status tells which binary is the bad one.
TEST_F(CreateProgramWithBinary, invalidBinaryOfOneDevice) {
  if (infoOf<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES) < 2)
    GTEST_SKIP() << "the device cannot be partitioned";
  const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, 0, 0};
  cl_device_id parts[2] = {};
  ASSERT_SUCCESS(clCreateSubDevices(device, properties, 2, parts, nullptr));
  keep(parts[0]);
  keep(parts[1]);
  cl_context own = created([&](cl_int* e) { return clCreateContext(nullptr, 2, parts, nullptr, nullptr, e); });
  // The binary of a device is one for its sub-devices.
  const Bytes good = binaryOf(build(kBinarySource));
  const Bytes bad(good.begin(), good.begin() + long(good.size() / 2));
  const unsigned char* starts[] = {good.data(), bad.data()};
  const size_t sizes[] = {good.size(), bad.size()};
  cl_int status[] = {1, 1};
  expectFails(CL_INVALID_BINARY,
              [&](cl_int* e) { return clCreateProgramWithBinary(own, 2, parts, sizes, starts, status, e); });
  EXPECT_EQ(errorName(status[0]), "CL_SUCCESS");
  EXPECT_EQ(errorName(status[1]), "CL_INVALID_BINARY");
}

}  // namespace
}  // namespace clarity::test
