// SPDX-License-Identifier: Apache-2.0
// This file runs every kernel of kernels.def twice, compiled by Clarity and as C++ with a thread for each work-item,
// for several work-group shapes, arguments and build options, and compares every element.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "work_items.h"

namespace reference {
namespace barriers {
#include "barriers.cl"
}
namespace private_memory {
#include "private_memory.cl"
}
namespace divergence {
#include "divergence.cl"
}
namespace loops {
#include "loops.cl"
}
namespace runs {
#include "runs.cl"
}
namespace atomics {
#include "atomics.cl"
}
namespace rows {
#include "rows.cl"
}
namespace groups {
#include "groups.cl"
}
namespace wrapping {
#include "wrapping.cl"
}
}  // namespace reference

namespace {

struct KernelCase {
  const char* file;
  const char* name;
  void (*reference)(const int*, int*, int);
};

const KernelCase kernelCases[] = {
#define KERNEL(FILE, NAME) {#FILE, #NAME, &reference::FILE::NAME},
#include "kernels.def"
#undef KERNEL
};

struct WorkGroup {
  std::array<std::size_t, 3> global, local;
};
// Smaller than a vector, odd, larger, and in two and three dimensions.
const WorkGroup workGroups[] = {
    {{3, 1, 1}, {1, 1, 1}}, {{14, 1, 1}, {7, 1, 1}}, {{128, 1, 1}, {64, 1, 1}}, {{96, 1, 1}, {48, 1, 1}}, {{8, 6, 1}, {8, 3, 1}}, {{8, 16, 1}, {8, 16, 1}}, {{4, 4, 4}, {4, 2, 2}}, {{300, 3, 1}, {100, 1, 1}}, {{10, 9, 2}, {5, 3, 2}}, {{12, 16, 1}, {1, 8, 1}},
};

std::string read(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

class Kernels : public testing::TestWithParam<KernelCase> {
protected:
  void SetUp() override {
    cl_uint count = 0;
    ASSERT_EQ(clGetPlatformIDs(1, &platform_, &count), CL_SUCCESS);
    ASSERT_EQ(clGetDeviceIDs(platform_, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr), CL_SUCCESS);
    context_ = clCreateContext(nullptr, 1, &device_, [](const char* text, const void*, std::size_t, void*) { ADD_FAILURE() << text; }, nullptr, nullptr);
    queue_ = clCreateCommandQueueWithProperties(context_, device_, nullptr, nullptr);
  }
  void TearDown() override {
    clReleaseCommandQueue(queue_);
    clReleaseContext(context_);
  }

  std::vector<int> onClarity(cl_kernel kernel, const WorkGroup& shape, const std::vector<int>& in, int n) {
    std::vector<int> out(in.size(), 0x5a5a5a5a);
    const std::size_t bytes = in.size() * sizeof(int);
    cl_mem input = clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, bytes, const_cast<int*>(in.data()), nullptr);
    cl_mem output = clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, bytes, out.data(), nullptr);
    clSetKernelArg(kernel, 0, sizeof input, &input);
    clSetKernelArg(kernel, 1, sizeof output, &output);
    clSetKernelArg(kernel, 2, sizeof n, &n);
    EXPECT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 3, nullptr, shape.global.data(), shape.local.data(), 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clEnqueueReadBuffer(queue_, output, CL_TRUE, 0, bytes, out.data(), 0, nullptr, nullptr), CL_SUCCESS);
    clReleaseMemObject(input);
    clReleaseMemObject(output);
    return out;
  }

  void compare(const char* options) {
    const KernelCase& test = GetParam();
    const std::string folder = KERNEL_FOLDER;
    const std::string source = read(folder + "/prelude.cl") + read(folder + "/" + test.file + ".cl");
    const char* text = source.c_str();
    cl_program program = clCreateProgramWithSource(context_, 1, &text, nullptr, nullptr);
    if (clBuildProgram(program, 1, &device_, options, nullptr, nullptr) != CL_SUCCESS) {
      std::string log(1 << 16, '\0');
      clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
      FAIL() << log.c_str();
    }
    cl_kernel kernel = clCreateKernel(program, test.name, nullptr);
    ASSERT_NE(kernel, nullptr);
    for (const WorkGroup& shape : workGroups)
      for (const int n : {1, 2, 4, 7}) {
        if (HasFailure()) return;
        std::vector<int> in(shape.global[0] * shape.global[1] * shape.global[2]), expected(in.size(), 0x5a5a5a5a);
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>((i * 2654435761u >> 20) % 1000);
        reference::run(shape.global, shape.local, [&] { test.reference(in.data(), expected.data(), n); });
        EXPECT_EQ(onClarity(kernel, shape, in, n), expected)
            << "work-group " << shape.local[0] << 'x' << shape.local[1] << 'x' << shape.local[2] << ", n = " << n << ", options '" << options << "'";
      }
    clReleaseKernel(kernel);
    clReleaseProgram(program);
  }

  cl_platform_id platform_ = nullptr;
  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
};

TEST_P(Kernels, SameAsOneThreadForEachWorkItem) { compare(""); }
TEST_P(Kernels, SameWithoutOptimisation) { compare("-cl-opt-disable"); }
TEST_P(Kernels, SameWithoutPackets) { compare("-cl-clarity-packet-width=1"); }
TEST_P(Kernels, SameInNarrowPackets) { compare("-cl-clarity-packet-width=4"); }
TEST_P(Kernels, SameInPacketsOf8) { compare("-cl-clarity-packet-width=8"); }
TEST_P(Kernels, SameInWidePackets) { compare("-cl-clarity-packet-width=16"); }
TEST_P(Kernels, SameInTiles) { compare("-cl-clarity-packet-width=4 -cl-clarity-tile=2x2"); }
TEST_P(Kernels, SameInTilesOfManyRows) { compare("-cl-clarity-packet-width=8 -cl-clarity-tile=16x1"); }
TEST_P(Kernels, SameInRows) { compare("-cl-clarity-packet-width=8 -cl-clarity-tile=3x1"); }
TEST_P(Kernels, SameInHighTiles) { compare("-cl-clarity-packet-width=4 -cl-clarity-tile=7x2"); }

INSTANTIATE_TEST_SUITE_P(All, Kernels, testing::ValuesIn(kernelCases),
                         [](const auto& info) { return std::string(info.param.file) + "_" + info.param.name; });

}  // namespace
