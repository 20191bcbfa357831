// SPDX-License-Identifier: Apache-2.0
// This file tests clCreateProgramWithBuiltInKernels (OpenCL 3.0, section 5.8.1), and what is particular to kernels of
// such programs; what they compute is tested in tests/built_in.
#include "enqueue_checks.h"

#include <CL/cl_ext.h>

#include <numeric>
#include <set>
#include <sstream>

namespace clarity::test {
namespace {

constexpr const char* fill = "clarity.fill.i32";

struct CreateProgramWithBuiltInKernels : OpenCL {
  cl_program builtIn(const char* names) {
    return created([&](cl_int* e) { return clCreateProgramWithBuiltInKernels(context, 1, &device, names, e); });
  }
  /// clarity.fill.i32(ulong n, int value, int* x, ulong incx) with all arguments.
  cl_kernel filling(cl_ulong n, cl_int value, cl_mem x, cl_ulong incx = 1) {
    cl_kernel made = kernel(builtIn(fill), fill);
    EXPECT_SUCCESS(clSetKernelArg(made, 0, sizeof n, &n));
    EXPECT_SUCCESS(clSetKernelArg(made, 1, sizeof value, &value));
    EXPECT_SUCCESS(clSetKernelArg(made, 2, sizeof x, &x));
    EXPECT_SUCCESS(clSetKernelArg(made, 3, sizeof incx, &incx));
    return made;
  }
  cl_int enqueue(cl_kernel it, cl_event* event = nullptr) {
    const size_t one = 1;
    return clEnqueueNDRangeKernel(queue, it, 1, nullptr, &one, nullptr, 0, nullptr, event);
  }
  std::vector<std::string> names() {
    std::istringstream all(infoStringOf(clGetDeviceInfo, device, CL_DEVICE_BUILT_IN_KERNELS));
    std::vector<std::string> list;
    for (std::string name; std::getline(all, name, ';');) list.push_back(name);
    return list;
  }
};

TEST_F(CreateProgramWithBuiltInKernels, theDeviceListsThem) {
  const std::vector<std::string> list = names();
  EXPECT_EQ(std::set<std::string>(list.begin(), list.end()).size(), list.size()) << "a name is there twice";
  const auto versions = infoVectorOf<cl_name_version>(clGetDeviceInfo, device, CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION);
  ASSERT_EQ(versions.size(), list.size());
  for (size_t i = 0; i < list.size(); ++i) {
    EXPECT_EQ(list[i], versions[i].name);
    EXPECT_GE(versions[i].version, CL_MAKE_VERSION(1, 0, 0));
    EXPECT_LT(list[i].size(), CL_NAME_VERSION_MAX_NAME_SIZE);
  }
}

TEST_F(CreateProgramWithBuiltInKernels, theProgramIsBuilt) {
  cl_program program = builtIn("clarity.fill.i32;clarity.axpy.f32;clarity.fill.i32");
  EXPECT_EQ(infoOf<cl_build_status>(
                [&](auto of, auto name, auto... rest) { return clGetProgramBuildInfo(of, device, name, rest...); },
                program, CL_PROGRAM_BUILD_STATUS),
            CL_BUILD_SUCCESS);
  EXPECT_EQ(infoOf<size_t>(clGetProgramInfo, program, CL_PROGRAM_NUM_KERNELS), 2U);
  EXPECT_EQ(infoStringOf(clGetProgramInfo, program, CL_PROGRAM_KERNEL_NAMES), "clarity.axpy.f32;clarity.fill.i32");
  EXPECT_EQ(infoStringOf(clGetProgramInfo, program, CL_PROGRAM_SOURCE), "");
  EXPECT_EQ(infoVectorOf<size_t>(clGetProgramInfo, program, CL_PROGRAM_BINARY_SIZES), std::vector<size_t>{0});
  EXPECT_CL(CL_INVALID_OPERATION, clBuildProgram(program, 1, &device, "", nullptr, nullptr));
  EXPECT_CL(CL_INVALID_OPERATION, clCompileProgram(program, 1, &device, "", 0, nullptr, nullptr, nullptr, nullptr));
  expectFails(CL_INVALID_KERNEL_NAME, [&](cl_int* e) { return clCreateKernel(program, "clarity.fill.f32", e); });
  cl_kernel both[2];
  ASSERT_SUCCESS(clCreateKernelsInProgram(program, 2, both, nullptr));
  for (cl_kernel each : both) keep(each);
}

TEST_F(CreateProgramWithBuiltInKernels, argumentsAreDescribed) {
  cl_kernel axpy = kernel(builtIn("clarity.axpy.f32"), "clarity.axpy.f32");
  ASSERT_EQ(infoOf<cl_uint>(clGetKernelInfo, axpy, CL_KERNEL_NUM_ARGS), 6U);
  const auto text = [&](cl_uint i, cl_kernel_arg_info name) {
    return infoStringOf([&](auto of, auto what, auto... rest) { return clGetKernelArgInfo(of, i, what, rest...); },
                        axpy, name);
  };
  EXPECT_EQ(text(0, CL_KERNEL_ARG_TYPE_NAME) + " " + text(0, CL_KERNEL_ARG_NAME), "ulong n");
  EXPECT_EQ(text(1, CL_KERNEL_ARG_TYPE_NAME) + " " + text(1, CL_KERNEL_ARG_NAME), "float alpha");
  EXPECT_EQ(text(2, CL_KERNEL_ARG_TYPE_NAME) + " " + text(2, CL_KERNEL_ARG_NAME), "float* x");
  cl_kernel_arg_type_qualifier qualifier = 0;
  EXPECT_SUCCESS(clGetKernelArgInfo(axpy, 2, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier, &qualifier, nullptr));
  EXPECT_EQ(qualifier, cl_kernel_arg_type_qualifier{CL_KERNEL_ARG_TYPE_CONST});
  size_t sizes[3] = {};
  EXPECT_SUCCESS(clGetKernelWorkGroupInfo(axpy, device, CL_KERNEL_GLOBAL_WORK_SIZE, sizeof sizes, sizes, nullptr));
  EXPECT_GE(sizes[0], size_t{1} << 32);
}

TEST_F(CreateProgramWithBuiltInKernels, aCloneHasTheArguments) {
  const std::vector<cl_int> before(100, 1);
  cl_mem x = bufferOf(before);
  cl_kernel copy = created([&](cl_int* e) { return clCloneKernel(filling(50, 7, x, 2), e); });
  ASSERT_SUCCESS(enqueue(copy));
  const std::vector<cl_int> after = read<cl_int>(x, 100);
  for (size_t i = 0; i < 100; ++i) ASSERT_EQ(after[i], i % 2 == 0 ? 7 : 1) << i;
}

TEST_F(CreateProgramWithBuiltInKernels, theNdRangeIsTheKernelsOwn) {
  cl_mem x = bufferOf(std::vector<cl_int>(1000, 1));
  cl_kernel it = filling(1000, 3, x);
  const size_t global[3] = {5, 3, 2}, ones[3] = {1, 1, 1}, others[3] = {1, 3, 1}, none[1] = {0};
  EXPECT_CL(CL_INVALID_WORK_GROUP_SIZE,
            clEnqueueNDRangeKernel(queue, it, 3, nullptr, global, others, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, it, 1, nullptr, none, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(read<cl_int>(x, 1000), std::vector<cl_int>(1000, 1)) << "a launch of no work-items does nothing";
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, it, 3, nullptr, global, ones, 0, nullptr, nullptr));
  EXPECT_EQ(read<cl_int>(x, 1000), std::vector<cl_int>(1000, 3));
  size_t suggested[3] = {};
  const auto suggest = reinterpret_cast<clGetKernelSuggestedLocalWorkSizeKHR_fn>(
      clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelSuggestedLocalWorkSizeKHR"));
  EXPECT_SUCCESS(suggest(queue, it, 3, nullptr, global, suggested));
  EXPECT_EQ(suggested[1], 1U);
  EXPECT_SUCCESS(clEnqueueTask(queue, filling(1000, 4, x), 0, nullptr, nullptr));
  EXPECT_EQ(read<cl_int>(x, 1000), std::vector<cl_int>(1000, 4));
}

TEST_F(CreateProgramWithBuiltInKernels, badArgumentsAreErrorsWithTheirValues) {
  cl_mem x = buffer(400);
  EXPECT_CL(CL_INVALID_BUFFER_SIZE, enqueue(filling(101, 0, x)));
  EXPECT_TRUE(wasNotified("404")) << allNotified();
  EXPECT_CL(CL_INVALID_BUFFER_SIZE, enqueue(filling(100, 0, x, 2)));
  EXPECT_CL(CL_INVALID_ARG_VALUE, enqueue(filling(100, 0, x, 0)));
  EXPECT_CL(CL_INVALID_ARG_VALUE, enqueue(filling(100, 0, nullptr)));
  EXPECT_CL(CL_INVALID_ARG_VALUE, enqueue(filling(cl_ulong{1} << 62, 0, x, cl_ulong{1} << 62)));
  EXPECT_CL(CL_INVALID_ARG_VALUE, enqueue(filling(1, 0, buffer(400, CL_MEM_READ_ONLY))));
  EXPECT_SUCCESS(enqueue(filling(0, 0, nullptr)));
  cl_kernel unset = kernel(builtIn(fill), fill);
  EXPECT_CL(CL_INVALID_KERNEL_ARGS, enqueue(unset));
  EXPECT_CL(CL_INVALID_ARG_SIZE, clSetKernelArg(unset, 0, 4, "1234"));
}

TEST_F(CreateProgramWithBuiltInKernels, eventsAndProfiling) {
  cl_mem x = bufferOf(std::vector<cl_int>(100000, 1));
  cl_event event = nullptr;
  ASSERT_SUCCESS(enqueue(filling(100000, 2, x), &event));
  keep(event);
  ASSERT_SUCCESS(clWaitForEvents(1, &event));
  EXPECT_EQ(infoOf<cl_command_type>(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE),
            cl_command_type{CL_COMMAND_NDRANGE_KERNEL});
  EXPECT_LE(infoOf<cl_ulong>(clGetEventProfilingInfo, event, CL_PROFILING_COMMAND_START),
            infoOf<cl_ulong>(clGetEventProfilingInfo, event, CL_PROFILING_COMMAND_END));
}

TEST_F(CreateProgramWithBuiltInKernels, invalidContext) {
  for (const auto& bad : badHandles<cl_context>(*this)) {
    cl_int error = CL_SUCCESS;
    EXPECT_EQ(driver->clCreateProgramWithBuiltInKernels(bad.handle, 1, &device, fill, &error), nullptr);
    EXPECT_CL(CL_INVALID_CONTEXT, error) << bad.what;
  }
}

TEST_F(CreateProgramWithBuiltInKernels, invalidValue) {
  const auto with = [&](cl_uint count, const cl_device_id* devices, const char* text) {
    return [=, this](cl_int* e) { return clCreateProgramWithBuiltInKernels(context, count, devices, text, e); };
  };
  expectFails(CL_INVALID_VALUE, with(1, &device, "no_such_kernel"));
  EXPECT_TRUE(wasNotified("no_such_kernel")) << allNotified();
  expectFails(CL_INVALID_VALUE, with(1, &device, "clarity.fill.i32;second"));
  expectFails(CL_INVALID_VALUE, with(1, &device, ""));
  expectFails(CL_INVALID_VALUE, with(1, &device, ";"));
  expectFails(CL_INVALID_VALUE, with(1, &device, nullptr));
  expectFails(CL_INVALID_VALUE, with(1, nullptr, fill));
  expectFails(CL_INVALID_VALUE, with(0, &device, fill));
}

TEST_F(CreateProgramWithBuiltInKernels, invalidDevice) {
  const cl_device_id foreign = notAnObject<cl_device_id>(), none = nullptr;
  for (const cl_device_id* const bad : {&foreign, &none})
    expectFails(CL_INVALID_DEVICE,
                [&](cl_int* e) { return clCreateProgramWithBuiltInKernels(context, 1, bad, fill, e); });
}

}  // namespace
}  // namespace clarity::test
