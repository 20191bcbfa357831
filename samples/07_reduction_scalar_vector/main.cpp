// SPDX-License-Identifier: Apache-2.0
// This file adds up an array on a device, with float and with float4, using the C++ bindings of OpenCL.
#include "sample.h"

#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

namespace {

enum { SCALAR, VECTOR, KERNELS };

cl::Program build(const Sample& sample, const cl::Context& context, const cl::Device& device) {
  char* path = samplePath(&sample, "reduction.cl");
  std::size_t size = 0;
  char* text = readFile(path, &size);
  cl::Program program(context, std::string(text, size));
  std::free(text);
  std::free(path);
  program.build(std::vector<cl::Device>{device});
  return program;
}

// As many work-items per work-group as device, kernels and local memory allow, rounded down to a power of two.
std::size_t negotiateWorkGroupSize(const Sample& sample, const cl::Device& device, const cl::Kernel (&kernels)[KERNELS],
                                   std::size_t wanted) {
  const std::size_t deviceSize = device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
  const std::size_t dimensionSize = device.getInfo<CL_DEVICE_MAX_WORK_ITEM_SIZES>()[0];
  std::size_t workgroupSize = std::min({wanted, deviceSize, dimensionSize});
  say(&sample, "  the device allows %zu work-items per work-group", deviceSize);
  cl_ulong usedLocalMemory = 0;
  for (const cl::Kernel& kernel : kernels) {
    const std::size_t kernelSize = kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device);
    workgroupSize = std::min(workgroupSize, kernelSize);
    usedLocalMemory = std::max(usedLocalMemory, kernel.getWorkGroupInfo<CL_KERNEL_LOCAL_MEM_SIZE>(device));
    say(&sample, ", %s %zu", kernel.getInfo<CL_KERNEL_FUNCTION_NAME>().c_str(), kernelSize);
  }
  workgroupSize = std::bit_floor(workgroupSize);

  // The vector kernel needs four floats of local memory per work-item.
  const cl_ulong localMemorySize = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
  while (workgroupSize > 1 && localMemorySize < usedLocalMemory + sizeof(cl_float4) * workgroupSize) workgroupSize /= 2;
  say(&sample, ", %llu bytes of local memory: %zu it is\n", static_cast<unsigned long long>(localMemorySize),
      workgroupSize);
  return workgroupSize;
}

// Launches one of the kernels like launchTimed does and gives the median of the times of its profiling event.
double launch(const Sample& sample, const cl::CommandQueue& queue, const cl::Kernel& kernel, std::size_t globalSize,
              std::size_t localSize) {
  std::vector<double> times;
  for (std::size_t i = 0; i <= sample.repeat; ++i) {
    cl::Event profileEvent;
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(globalSize), cl::NDRange(localSize), nullptr,
                               &profileEvent);
    queue.finish();
    const cl_ulong timeStart = profileEvent.getProfilingInfo<CL_PROFILING_COMMAND_START>();
    const cl_ulong timeEnd = profileEvent.getProfilingInfo<CL_PROFILING_COMMAND_END>();
    times.push_back(static_cast<double>(timeEnd - timeStart) * 1e-6);
  }
  return median(times.data() + 1, times.size() - 1);  // the first launch may include compiling
}

void reduce(Sample& sample, std::size_t count, std::size_t wantedLocal) {
  const cl::Device device(sampleDevice(&sample), true);
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device, CL_QUEUE_PROFILING_ENABLE);
  const cl::Program program = build(sample, context, device);
  cl::Kernel kernel[KERNELS] = {cl::Kernel(program, "reduction_scalar"), cl::Kernel(program, "reduction_vector")};
  const std::size_t workgroupSize = negotiateWorkGroupSize(sample, device, kernel, wantedLocal);

  // Whole work-groups for both kernels: zeros at the end do not change a sum.
  const std::size_t elements = roundUp(count, 4 * workgroupSize);
  std::vector<cl_float> data(elements, 0.0f);
  fillWholeFloats(data.data(), count, 1, -8, 8);
  const double correctSum = std::accumulate(data.begin(), data.end(), 0.0);
  const cl::Buffer dataBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof(cl_float) * elements,
                              data.data());

  for (int i = 0; i < KERNELS; ++i) {
    const std::size_t width = i == SCALAR ? 1 : 4;
    const std::size_t globalSize = elements / width;
    const std::size_t numOfGroups = globalSize / workgroupSize;
    const cl::Buffer sumBuffer(context, CL_MEM_WRITE_ONLY, sizeof(cl_float) * numOfGroups);
    kernel[i].setArg(0, dataBuffer);
    kernel[i].setArg(1, cl::Local(sizeof(cl_float) * width * workgroupSize));
    kernel[i].setArg(2, sumBuffer);
    const double ms = launch(sample, queue, kernel[i], globalSize, workgroupSize);

    std::vector<cl_float> sums(numOfGroups);
    queue.enqueueReadBuffer(sumBuffer, CL_TRUE, 0, sizeof(cl_float) * numOfGroups, sums.data());
    const double sum = std::accumulate(sums.begin(), sums.end(), 0.0);
    const std::string name = kernel[i].getInfo<CL_KERNEL_FUNCTION_NAME>();
    say(&sample, "  %s: %zu work-groups, sum %.0f, serial sum %.0f\n", name.c_str(), numOfGroups, sum, correctSum);
    sampleResult(&sample, name.c_str(), countText(count), ms, 0, static_cast<double>(count) * sizeof(cl_float),
                 sum == correctSum);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Sample sample;
  std::size_t count = 1 << 24, wantedLocal = 1 << 16;
  const SampleOption options[] = {
      {"--size", "elements of the array", SAMPLE_COUNT, &count, 1, 1u << 30},
      {"--local", "work-items per work-group, at most", SAMPLE_COUNT, &wantedLocal, 1, 1u << 16},
  };
  SAMPLE_BEGIN(&sample, argc, argv, "add up an array with float and with float4 (C++ bindings)", options);
  try {
    reduce(sample, count, wantedLocal);
  } catch (const cl::BuildError& error) {
    for (const auto& [device, log] : error.getBuildLog())
      sampleFail("%s: %s (%d)\n%s", error.what(), errorName(error.err()), error.err(), log.c_str());
  } catch (const cl::Error& error) {
    check(error.err(), error.what());
  } catch (const std::exception& error) {
    sampleFail("%s", error.what());
  }
  return sampleEnd(&sample);
}
