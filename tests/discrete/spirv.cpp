// SPDX-License-Identifier: Apache-2.0
// This file tests programs of SPIR-V in contexts of several devices: one module is built for each of them, with the
// same values of specialisation constants, and linked on each.
#include "several_devices.h"
#include "spirv_module.h"

namespace clarity::test {
namespace {

constexpr cl_uint specId = 3;

/// `kernel void value(global int* result) { *result = constant; }`: the constant is 5 unless it is given
/// another value.
Words specialized() {
  SpirvModule module;
  const cl_uint function = module.kernel("value"), constant = module.id();
  module.add(spv::Op::OpDecorate, {constant, cl_uint(spv::Decoration::SpecId), specId});
  ValueKernel kernel(module);
  module.add(spv::Op::OpSpecConstant, {kernel.number, constant, 5});
  kernel.begin(function);
  kernel.store(constant);
  return module.finished();
}

struct SpirvOnSeveralDevices : SeveralDevices {
  void expectOnEach(cl_program program, cl_int number) {
    cl_kernel value = kernel(program, "value");
    for (size_t device = 0; device < devices.size(); ++device) {
      cl_mem result = bufferOf(std::vector<cl_int>{0});
      setArgs(value, result);
      run(device, value, 1);
      EXPECT_EQ(readOn<cl_int>(device, result, 1)[0], number) << "device " << device;
    }
  }
};

TEST_F(SpirvOnSeveralDevices, isBuiltForEach) {
  cl_program program = fromIL(*this, specialized());
  ASSERT_SUCCESS(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
  expectOnEach(program, 5);
}

TEST_F(SpirvOnSeveralDevices, isSpecializedForEach) {
  cl_program program = fromIL(*this, specialized());
  const cl_int value = 77;
  ASSERT_SUCCESS(clSetProgramSpecializationConstant(program, specId, sizeof value, &value));
  ASSERT_SUCCESS(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
  expectOnEach(program, 77);
}

// Each build has the values of its moment, also for one device of several.
TEST_F(SpirvOnSeveralDevices, isBuiltWithDifferentValues) {
  cl_program program = fromIL(*this, specialized());
  for (size_t i = 0; i < devices.size(); ++i) {
    const auto value = cl_int(10 * i);
    ASSERT_SUCCESS(clSetProgramSpecializationConstant(program, specId, sizeof value, &value));
    ASSERT_SUCCESS(clBuildProgram(program, 1, &devices[i], "", nullptr, nullptr));
  }
  cl_kernel kernel = this->kernel(program, "value");
  for (size_t i = 0; i < devices.size(); ++i) {
    cl_mem result = bufferOf(std::vector<cl_int>{-1});
    setArgs(kernel, result);
    run(i, kernel, 1);
    EXPECT_EQ(readOn<cl_int>(i, result, 1)[0], cl_int(10 * i)) << "device " << i;
  }
}

TEST_F(SpirvOnSeveralDevices, isLinkedForEach) {
  cl_program program = fromIL(*this, specialized());
  ASSERT_SUCCESS(clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr));
  cl_program linked =
      created([&](cl_int* e) { return clLinkProgram(context, 0, nullptr, "", 1, &program, nullptr, nullptr, e); });
  expectOnEach(linked, 5);
}

// Binaries of all devices, from one module and back.
TEST_F(SpirvOnSeveralDevices, goesThroughBinaries) {
  cl_program program = fromIL(*this, specialized());
  ASSERT_SUCCESS(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
  const auto sizes = infoVectorOf<size_t>(clGetProgramInfo, program, CL_PROGRAM_BINARY_SIZES);
  std::vector<std::vector<unsigned char>> binaries;
  std::vector<unsigned char*> starts;
  for (const size_t size : sizes) starts.push_back(binaries.emplace_back(size).data());
  ASSERT_EQ(starts.size(), devices.size());
  ASSERT_SUCCESS(
      clGetProgramInfo(program, CL_PROGRAM_BINARIES, starts.size() * sizeof(starts[0]), starts.data(), nullptr));
  const auto order = infoVectorOf<cl_device_id>(clGetProgramInfo, program, CL_PROGRAM_DEVICES);
  cl_program again = created([&](cl_int* e) {
    return clCreateProgramWithBinary(context, cl_uint(order.size()), order.data(), sizes.data(),
                                     const_cast<const unsigned char**>(starts.data()), nullptr, e);
  });
  ASSERT_SUCCESS(clBuildProgram(again, 0, nullptr, "", nullptr, nullptr));
  expectOnEach(again, 5);
}

}  // namespace
}  // namespace clarity::test
