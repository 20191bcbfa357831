// SPDX-License-Identifier: Apache-2.0
// This file runs every kernel of kernels.def twice, compiled by Clarity and as C++ with a thread for each work-item,
// for several work-group shapes, arguments and build options, and compares every element.
#include "device_test.h"

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
namespace strides {
#include "strides.cl"
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

class Kernels : public DeviceTest, public testing::WithParamInterface<KernelCase> {
protected:
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
    build(read(folder + "/prelude.cl") + read(folder + "/" + test.file + ".cl"), options);
    cl_kernel kernel = clCreateKernel(program_, test.name, nullptr);
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
  }
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
