// SPDX-License-Identifier: Apache-2.0
// This file runs every kernel of kernels.def twice, compiled by Clarity and as C++, one work-item after another, for
// several work-group shapes, arguments and build options, and compares every element. With CLARITY_FIRST_LAUNCH=quick
// each launch is the first of its program, so that quick code runs.
#include "device_test.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
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
namespace borders {
#include "borders.cl"
}
namespace blocks {
#include "blocks.cl"
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
namespace ends_of_int {
#include "ends_of_int.cl"
}
namespace guards {
#include "guards.cl"
}
namespace bits {
#include "bits.cl"
}
}  // namespace reference

namespace {

struct KernelCase {
  const char* file;
  const char* name;
  void (*reference)(const int*, int*, int);
};
void PrintTo(const KernelCase& one, std::ostream* out) { *out << one.file << '/' << one.name; }

const KernelCase kernelCases[] = {
#define KERNEL(FILE, NAME) {#FILE, #NAME, &reference::FILE::NAME},
#include "kernels.def"
#undef KERNEL
};

struct WorkGroup {
  std::array<std::size_t, 3> global, local;
};
// Smaller than a vector, odd, larger, in two and three dimensions, and many.
const WorkGroup workGroups[] = {
    {{3, 1, 1}, {1, 1, 1}},  {{14, 1, 1}, {7, 1, 1}},  {{128, 1, 1}, {64, 1, 1}},  {{96, 1, 1}, {48, 1, 1}},
    {{8, 6, 1}, {8, 3, 1}},  {{8, 16, 1}, {8, 16, 1}}, {{4, 4, 4}, {4, 2, 2}},     {{300, 3, 1}, {100, 1, 1}},
    {{10, 9, 2}, {5, 3, 2}}, {{12, 16, 1}, {1, 8, 1}}, {{1088, 1, 1}, {64, 1, 1}},
};

std::string read(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// As the compiler chooses, then ways that it takes elsewhere: on other processors, for larger kernels, when nothing is
/// optimised.
const char* const ways[] = {
    "",
    "-cl-opt-disable",
    "-cl-clarity-packet-width=1",
    "-cl-clarity-packet-width=4",
    "-cl-clarity-packet-width=8",
    "-cl-clarity-packet-width=16",
    "-cl-clarity-packet-width=4 -cl-clarity-tile=2x2",
    "-cl-clarity-packet-width=8 -cl-clarity-tile=3x1",
};
/// Those of them that change code for a GPU, whose tiles are work-items of a thread.
const char* const waysOfGpus[] = {
    "",
    "-cl-opt-disable",
    "-cl-clarity-tile=2x2",
    "-cl-clarity-tile=3x1",
};
/// Each kernel has the first way and every third of the others, its neighbours in kernels.def the rest.
constexpr std::size_t waysApart = 3;
/// High tiles take longest to compile: each kernel that has them has one of them.
const char* const highTiles[] = {
    "-cl-clarity-packet-width=8 -cl-clarity-tile=16x1",
    "-cl-clarity-packet-width=4 -cl-clarity-tile=7x2",
};
/// Without optional passes: all of them at once, and another one of them for each kernel that has this way.
std::vector<std::string> waysWithoutPasses(const std::vector<std::string>& passes, std::size_t kernel) {
  std::string all;
  for (const std::string& pass : passes) all += (all.empty() ? "" : ",") + pass;
  return {"-cl-clarity-disable=" + all, "-cl-clarity-disable=" + passes[kernel / waysApart % passes.size()]};
}
std::vector<std::string> waysOf(std::vector<std::string> passes, std::size_t kernel, bool isGpu, bool isQuick) {
  std::vector<std::string> all{""};  // options for packets have no quick code, nor has code that is not optimised
  if (isQuick) {
    std::erase(passes, "estimate-work");  // without it no launch is known to be small
  } else {
    if (isGpu)
      all.assign(std::begin(waysOfGpus), std::end(waysOfGpus));
    else
      all.assign(std::begin(ways), std::end(ways));
    all.emplace_back(highTiles[kernel / waysApart % std::size(highTiles)]);
  }
  std::ranges::copy(waysWithoutPasses(passes, kernel), std::back_inserter(all));
  return all;
}
/// The first way runs every fourth work-group size, the others one each, another one from one way and from one kernel
/// to the next: each size is compiled for some six kernels in each way. With CLARITY_TEST_ALL=1 the first way runs all
/// sizes, and each kernel has all ways.
constexpr std::size_t shapesApart = std::size(workGroups), shapesApartAtFirst = 4;
bool runsShape(std::size_t shape, std::size_t way, std::size_t kernel) {
  const bool runsAll = std::getenv("CLARITY_TEST_ALL") != nullptr;
  if (way > 0) return (shape + way + kernel) % shapesApart == 0 && (runsAll || (way + kernel) % waysApart == 0);
  return runsAll || (shape + kernel) % shapesApartAtFirst == 0;
}
constexpr int counts[] = {1, 2, 4, 7};
constexpr std::size_t launchesOfShape = std::size(counts);

class Kernels : public DeviceTest, public testing::WithParamInterface<KernelCase> {
protected:
  struct Launch {
    WorkGroup shape;
    int n;
    std::vector<int> in, expected;
  };

  void SetUp() override {
    DeviceTest::SetUp();
    for (const WorkGroup& shape : workGroups)
      for (const int n : counts) {
        Launch launch{shape, n, {}, {}};
        launch.in.resize(shape.global[0] * shape.global[1] * shape.global[2]);
        launch.expected.assign(launch.in.size(), 0x5a5a5a5a);
        for (std::size_t i = 0; i < launch.in.size(); ++i)
          launch.in[i] = static_cast<int>((i * 2654435761u >> 20) % 1000);
        reference::run(shape.global, shape.local,
                       [&] { GetParam().reference(launch.in.data(), launch.expected.data(), n); });
        launches_.push_back(std::move(launch));
      }
  }

  /// The optional passes, as the error for a name that is none lists them.
  std::vector<std::string> optionalPasses() {
    cl_context context =
        clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);  // without a callback for errors
    const char* text = "";
    cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, nullptr);
    EXPECT_EQ(clBuildProgram(program, 1, &device_, "-cl-clarity-disable=?", nullptr, nullptr),
              CL_INVALID_BUILD_OPTIONS);
    std::string log(1 << 16, '\0');
    clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    clReleaseProgram(program);
    clReleaseContext(context);
    const std::string_view before = "optional passes are ";
    std::size_t at = log.find(before);
    std::vector<std::string> names;
    if (at == log.npos) return names;
    for (at += before.size(); log[at] >= 'a' && log[at] <= 'z'; at += 2) {
      const std::size_t end = log.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", at);
      names.push_back(log.substr(at, end - at));
      at = end;
    }
    return names;
  }

  std::vector<int> onClarity(cl_kernel kernel, const Launch& launch, bool isLarge) {
    std::vector<int> out(launch.in.size(), 0x5a5a5a5a);
    cl_mem input = isLarge ? largeBufferOf(launch.in) : bufferOf(launch.in);
    cl_mem output = bufferOf(out);
    clSetKernelArg(kernel, 0, sizeof input, &input);
    clSetKernelArg(kernel, 1, sizeof output, &output);
    clSetKernelArg(kernel, 2, sizeof launch.n, &launch.n);
    EXPECT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 3, nullptr, launch.shape.global.data(), launch.shape.local.data(),
                                     0, nullptr, nullptr),
              CL_SUCCESS);
    take(output, out);
    clReleaseMemObject(input);
    return out;
  }

  std::vector<Launch> launches_;
};

TEST_P(Kernels, SameAsEachWorkItemAlone) {
  const KernelCase& test = GetParam();
  const std::string folder = KERNEL_FOLDER;
  const std::string source = read(folder + "/prelude.cl") + read(folder + "/" + test.file + ".cl");
  const auto own = static_cast<std::size_t>(
      std::ranges::find(kernelCases, std::string_view(test.name), &KernelCase::name) - std::begin(kernelCases));
  const std::vector<std::string> optional = optionalPasses();
  ASSERT_GT(optional.size(), 20u);
  const char* const firstLaunch = std::getenv("CLARITY_FIRST_LAUNCH");
  const bool isQuick = firstLaunch && firstLaunch == std::string_view("quick");
  const std::vector<std::string> all = waysOf(optional, own, isGpu(), isQuick);
  for (std::size_t way = 0; way < all.size(); ++way) {
    cl_kernel kernel = nullptr;
    for (std::size_t i = 0; i < launches_.size(); ++i) {
      const Launch& launch = launches_[i];
      const std::size_t shape = i * std::size(workGroups) / launches_.size();
      if (!runsShape(shape, way, own)) continue;
      if (isQuick && way == 0 && (i + shape / 2 + own) % launchesOfShape != 0) continue;
      if (isQuick || !kernel) {
        if (kernel) clReleaseKernel(kernel);
        build(source, all[way]);
        kernel = clCreateKernel(program_, test.name, nullptr);
        ASSERT_NE(kernel, nullptr);
      }
      // Where buffers are larger than the caches, loops are expected to step through them together: one launch of each
      // size has such buffers.
      const bool isLarge = launch.n == ((shape / 2 + way + own) % 2 == 0 ? counts[0] : counts[launchesOfShape - 1]);
      ASSERT_EQ(onClarity(kernel, launch, isLarge), launch.expected)
          << "work-group " << launch.shape.local[0] << 'x' << launch.shape.local[1] << 'x' << launch.shape.local[2]
          << ", n = " << launch.n << ", options '" << all[way] << "'";
    }
    if (kernel) clReleaseKernel(kernel);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Kernels, testing::ValuesIn(kernelCases),
                         [](const auto& info) { return std::string(info.param.file) + "_" + info.param.name; });

}  // namespace
