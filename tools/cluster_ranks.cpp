// SPDX-License-Identifier: Apache-2.0
// This file finds the rank of this process and measures the ways to other nodes.
#include "cluster_ranks.h"

#include "cl_api.h"
#include "command.h"
#include "compiler_bridge.h"
#include "device_choice.h"
#include "screen.h"
#include "table.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace clarity::tools {
namespace {

using Clock = std::chrono::steady_clock;

/// Variables by which launchers tell ranks their number: Open MPI's, any with PMIx, MPICH's and any with PMI-2.
constexpr const char* rankVariables[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};

const char* rankOfThisProcess() {
  for (const char* const name : rankVariables)
    if (const char* const rank = std::getenv(name)) return rank;
  return nullptr;
}

double secondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// The least of several times, in seconds.
template <class Step>
double quickest(int repetitions, const Step& step) {
  step();
  double best = 1e9;
  for (int i = 0; i < repetitions; ++i) {
    const auto begin = Clock::now();
    step();
    best = std::min(best, secondsSince(begin));
  }
  return best;
}

struct Speed {
  double launch, each, write, read;  ///< microseconds, microseconds, GB/s, GB/s
};

Speed measure(const cl::Device& device) {
  constexpr size_t bytes = size_t{64} << 20;
  constexpr int launches = 1000;
  const cl::Context context(device);
  cl::CommandQueue queue(context, device);
  const cl::Program program(context, "kernel void nothing(global int* p) { if (p[0] == 12345) p[1] = 1; }", true);
  cl::Buffer buffer(context, CL_MEM_READ_WRITE, bytes);
  std::vector<char> content(bytes, 1);
  cl::Kernel kernel(program, "nothing");
  kernel.setArg(0, buffer);
  const auto write = [&] { queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, bytes, content.data()); };
  const auto launch = [&] { queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(1), cl::NDRange(1)); };
  Speed speed{};
  speed.write = bytes / quickest(5, write) / 1e9;
  speed.read = bytes / quickest(5, [&] { queue.enqueueReadBuffer(buffer, CL_TRUE, 0, bytes, content.data()); }) / 1e9;
  speed.launch = 1e6 * quickest(200, [&] { launch(), queue.finish(); });
  speed.each = 1e6 / launches * quickest(5, [&] {
                 for (int i = 0; i < launches; ++i) launch();
                 queue.finish();
               });
  return speed;
}

}  // namespace

bool isNodeOfCluster() {
  // Open MPI gives the processor away whenever it looks for messages if there are more ranks than processors. The
  // driver does so itself, but not at once.
  ::setenv("OMPI_MCA_mpi_yield_when_idle", "0", 0);
  // MPICH looks for the devices of OpenCL, too, to know where they are.
  ::setenv("HWLOC_COMPONENTS", "-opencl", 0);
  const char* const rank = rankOfThisProcess();
  if (!rank)
    throw Failure("no launcher of MPI has started this process: mpirun -n 2 clarity run --cluster PROGRAM, or srun");
  return std::string(rank) != "0";
}

int serveNode() {
  // The list is the program's, with the devices of others; a node has its own.
  const char* const given = std::getenv("CLARITY_DEVICES");
  if (given && std::string_view(given).contains("cluster")) ::unsetenv("CLARITY_DEVICES");
  const std::string why = serveCluster([] { std::_Exit(successCode); });
  if (why.empty()) return successCode;
  printError(fmt::format("clarity: {}\n", why));
  return failureCode;
}

void addClusterToDevices() {
  const char* const given = std::getenv("CLARITY_DEVICES");
  const std::string devices = given && *given ? given : "auto";
  if (!devices.contains("cluster")) ::setenv("CLARITY_DEVICES", (devices + ",cluster").c_str(), 1);
}

int printCluster() {
  Table table;
  table.addColumn("device", "", Table::Align::Left);
  table.addColumn("launch and finish", "us");
  table.addColumn("each of 1000", "us");
  table.addColumn("write 64 MiB", "GB/s");
  table.addColumn("read 64 MiB", "GB/s");
  for (const cl::Device& device : allDevices()) {
    const Speed speed = measure(device);
    table.addRow({device.getInfo<CL_DEVICE_NAME>(), fmt::format("{:.1f}", speed.launch),
                  fmt::format("{:.2f}", speed.each), fmt::format("{:.1f}", speed.write),
                  fmt::format("{:.1f}", speed.read)});
  }
  fmt::print("{}", table.text(standardOutputHasColour(), screenWidth()));
  return successCode;
}

}  // namespace clarity::tools
