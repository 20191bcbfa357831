// SPDX-License-Identifier: Apache-2.0
// This program uses every OpenCL platform that the loader finds, in turns and at the same time, in one process. It
// fails unless there are two at least, Clarity among them, and all compute the same.
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <cstdio>
#include <string>
#include <thread>
#include <vector>

namespace {

const char* const source =
    "__kernel void combine(__global const int* in, __global int* out, __local int* t) {\n"
    "  int l = get_local_id(0), g = get_global_id(0);\n"
    "  t[l] = in[g] * FACTOR;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[g] = t[get_local_size(0) - 1 - l] + convert_int_rte(sqrt((float)(g * g)));\n"
    "}\n";

std::string nameOf(cl_platform_id platform) {
  char name[256] = "";
  clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, nullptr);
  return name;
}

/// Builds and runs the kernel with this factor; true when every element is right.
bool works(cl_platform_id platform, int factor) {
  cl_device_id device;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS) return false;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, nullptr);
  const char* text = source;
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, nullptr);
  const std::string options = "-DFACTOR=" + std::to_string(factor);
  if (clBuildProgram(program, 1, &device, options.c_str(), nullptr, nullptr) != CL_SUCCESS) return false;
  cl_kernel kernel = clCreateKernel(program, "combine", nullptr);
  constexpr std::size_t items = 1024, group = 64;
  std::vector<int> in(items), out(items);
  for (std::size_t i = 0; i < items; ++i) in[i] = static_cast<int>(i * 7 % 100);
  cl_mem from = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, items * sizeof(int), in.data(), nullptr);
  cl_mem to = clCreateBuffer(context, 0, items * sizeof(int), nullptr, nullptr);
  clSetKernelArg(kernel, 0, sizeof from, &from);
  clSetKernelArg(kernel, 1, sizeof to, &to);
  clSetKernelArg(kernel, 2, group * sizeof(int), nullptr);
  bool ok =
      clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &group, 0, nullptr, nullptr) == CL_SUCCESS &&
      clEnqueueReadBuffer(queue, to, CL_TRUE, 0, items * sizeof(int), out.data(), 0, nullptr, nullptr) == CL_SUCCESS;
  for (std::size_t i = 0; ok && i < items; ++i)
    ok = out[i] == in[i / group * group + group - 1 - i % group] * factor + static_cast<int>(i);
  clReleaseMemObject(from);
  clReleaseMemObject(to);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return ok;
}

}  // namespace

int main() {
  cl_uint count = 0;
  clGetPlatformIDs(0, nullptr, &count);
  std::vector<cl_platform_id> platforms(count);
  if (count) clGetPlatformIDs(count, platforms.data(), nullptr);
  bool ok = count >= 2, here = false;
  for (cl_platform_id platform : platforms) here |= nameOf(platform) == "Clarity";
  if (!ok || !here) std::printf("%u platforms, Clarity is %samong them\n", count, here ? "" : "not ");
  ok &= here;
  for (int turn = 1; turn <= 3; ++turn)
    for (cl_platform_id platform : platforms)
      if (!works(platform, turn)) std::printf("turn %d on '%s' is wrong\n", turn, nameOf(platform).c_str()), ok = false;
  std::vector<char> right(platforms.size(), 0);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < platforms.size(); ++i)
      threads.emplace_back([&, i] { right[i] = works(platforms[i], 5) && works(platforms[i], 6); });
  }
  for (std::size_t i = 0; i < platforms.size(); ++i)
    if (!right[i]) std::printf("at the same time '%s' is wrong\n", nameOf(platforms[i]).c_str()), ok = false;
  std::puts(ok ? "all platforms are right" : "failed");
  return ok ? 0 : 1;
}
