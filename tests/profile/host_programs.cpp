// SPDX-License-Identifier: Apache-2.0
// Host programs in C++ with one planted cause of slowness each, and their mended twins (pairs.c), as applications that
// use opencl.hpp write them: host_programs CASE slow|mended.
#define CL_HPP_TARGET_OPENCL_VERSION 300
#define CL_HPP_MINIMUM_OPENCL_VERSION 200
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>

#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

const char* const source = R"(
kernel void blend(global float* to, global const float* from, float part) {
  const int i = get_global_id(0);
  to[i] = mix(to[i], from[i], part);
}
kernel void increase(global float* v) { v[get_global_id(0)] += 1.0f; }
kernel void brighten(read_only image2d_t in, global float* out, int width) {
  const int x = get_global_id(0), y = get_global_id(1);
  out[y * width + x] = read_imagef(in, (int2)(x, y)).x * 1.1f;
}
)";

bool isSlow;

struct World {
  cl::Context context{CL_DEVICE_TYPE_ALL};
  cl::CommandQueue queue{context};
  cl::Program program{context, source, true};

  cl::Buffer buffer(std::size_t floats) const { return {context, CL_MEM_READ_WRITE, floats * sizeof(float)}; }
  void launch(const cl::Kernel& kernel, std::size_t items) const {
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(items));
  }
};

/// The state of a solver is sent to the device and fetched for every step: cl::copy maps the buffer.
void roundTrips() {
  const World world;
  std::vector<float> state(1 << 20, 1.0f);
  cl::Buffer mine = world.buffer(state.size());
  const cl::Buffer other = world.buffer(state.size());
  cl::Kernel blend(world.program, "blend");
  blend.setArg(0, mine);
  blend.setArg(1, other);
  blend.setArg(2, 0.5f);
  cl::copy(world.queue, state.begin(), state.end(), mine);
  for (int step = 0; step < 40; ++step) {
    if (isSlow) cl::copy(world.queue, state.begin(), state.end(), mine);
    world.launch(blend, state.size());
    if (isSlow) cl::copy(world.queue, mine, state.begin(), state.end());
  }
  cl::copy(world.queue, mine, state.begin(), state.end());
}

/// A context, with all that belongs to it, for each job.
void contexts() {
  std::unique_ptr<World> world;
  for (int job = 0; job < 40; ++job) {
    if (isSlow || !world) world = std::make_unique<World>();
    const cl::Buffer values = world->buffer(4096);
    cl::Kernel increase(world->program, "increase");
    increase.setArg(0, values);
    world->launch(increase, 4096);
    world->queue.finish();
  }
}

/// A whole buffer is mapped to set one number of it.
void mapForOne() {
  constexpr std::size_t size = 1 << 16;
  const World world;
  const cl::Buffer values = world.buffer(size);
  cl::Kernel increase(world.program, "increase");
  increase.setArg(0, values);
  for (int step = 0; step < 20000; ++step) {
    if (isSlow) {
      void* const mapped = world.queue.enqueueMapBuffer(values, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, 4 * size);
      static_cast<float*>(mapped)[step % size] = 1;
      world.queue.enqueueUnmapMemObject(values, mapped);
    }
    world.launch(increase, 64);
  }
  world.queue.finish();
}

/// Shared memory for every step.
void sharedMemory() {
  constexpr std::size_t bytes = 1 << 22;
  const World world;
  cl::Kernel increase(world.program, "increase");
  void* const kept = clSVMAlloc(world.context(), CL_MEM_READ_WRITE, bytes, 0);
  for (int step = 0; step < 300; ++step) {
    void* const mine = isSlow ? clSVMAlloc(world.context(), CL_MEM_READ_WRITE, bytes, 0) : kept;
    increase.setArg(0, mine);
    world.launch(increase, 1 << 16);
    world.queue.finish();
    if (isSlow) clSVMFree(world.context(), mine);
  }
  clSVMFree(world.context(), kept);
}

/// A part of each row is copied by a command of its own.
void copiedRows() {
  constexpr std::size_t width = 1024, height = 16384;  // bytes
  const World world;
  const cl::Buffer from = world.buffer(width * height / 4), to = world.buffer(width * height / 4);
  for (std::size_t y = 0; isSlow && y < height; ++y)
    world.queue.enqueueCopyBuffer(from, to, y * width, y * width, width / 2);
  if (!isSlow)
    world.queue.enqueueCopyBufferRect(from, to, {0, 0, 0}, {0, 0, 0}, {width / 2, height, 1}, width, 0, width, 0);
  world.queue.finish();
}

/// An image for each frame.
void frames() {
  constexpr std::size_t width = 1280, height = 960;
  const World world;
  std::vector<float> pixels(width * height);
  const cl::Buffer out = world.buffer(pixels.size());
  std::unique_ptr<cl::Image2D> image;
  cl::Kernel brighten(world.program, "brighten");
  brighten.setArg(1, out);
  brighten.setArg(2, static_cast<int>(width));
  for (int frame = 0; frame < 300; ++frame) {
    if (isSlow || !image)
      image = std::make_unique<cl::Image2D>(world.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                            cl::ImageFormat(CL_R, CL_FLOAT), width, height, 0, pixels.data());
    brighten.setArg(0, *image);
    world.queue.enqueueNDRangeKernel(brighten, cl::NullRange, cl::NDRange(width, 16));
    world.queue.finish();
  }
}

/// All of a buffer is read to look at one number of it.
void readForOne() {
  const World world;
  std::vector<float> host(1 << 20);
  const cl::Buffer values = world.buffer(host.size());
  cl::Kernel increase(world.program, "increase");
  increase.setArg(0, values);
  for (int step = 0; step < 60; ++step) {
    world.launch(increase, 4096);
    world.queue.enqueueReadBuffer(values, CL_TRUE, 0, isSlow ? 4 * host.size() : 4, host.data());
  }
}

/// Numbers are set by a fill each.
void fills() {
  constexpr std::size_t count = 1 << 14;
  const World world;
  const cl::Buffer values = world.buffer(count);
  for (std::size_t i = 0; isSlow && i < count; ++i) world.queue.enqueueFillBuffer(values, 1.0f, 4 * i, 4);
  if (!isSlow) world.queue.enqueueFillBuffer(values, 1.0f, 0, 4 * count);
  world.queue.finish();
}

/// A program is made of its binary for every step.
void binaries() {
  const World world;
  const auto binary = world.program.getInfo<CL_PROGRAM_BINARIES>();
  const auto devices = world.context.getInfo<CL_CONTEXT_DEVICES>();
  const cl::Buffer values = world.buffer(4096);
  std::unique_ptr<cl::Kernel> increase;
  for (int step = 0; step < 12; ++step) {
    if (isSlow || !increase) {
      const cl::Program program(world.context, devices, binary);
      program.build();
      increase = std::make_unique<cl::Kernel>(program, "increase");
    }
    increase->setArg(0, values);
    world.launch(*increase, 4096);
    world.queue.finish();
  }
}

}  // namespace

int main(int count, char** words) try {
  const std::map<std::string, std::function<void()>> cases{
      {"round-trips", roundTrips},  {"contexts", contexts},
      {"map-for-one", mapForOne},   {"shared-memory", sharedMemory},
      {"copied-rows", copiedRows},  {"frames", frames},
      {"read-for-one", readForOne}, {"fills", fills},
      {"binaries", binaries}};
  if (count != 3) return 2;
  isSlow = !std::strcmp(words[2], "slow");
  cases.at(words[1])();
  return 0;
} catch (const cl::Error& error) {
  std::fprintf(stderr, "host_programs: %s failed with %d\n", error.what(), error.err());
  return 2;
}
