// SPDX-License-Identifier: Apache-2.0
// This file runs algorithms of Boost.Compute and compares with the standard library: run by boost-compute.sh.
#define CL_TARGET_OPENCL_VERSION 120
#define BOOST_COMPUTE_USE_CPP11
#include <boost/compute/algorithm.hpp>
#include <boost/compute/container/vector.hpp>
#include <boost/compute/core.hpp>
#include <boost/compute/functional.hpp>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

namespace compute = boost::compute;

int main() {
  compute::command_queue queue(compute::system::default_context(), compute::system::default_device());
  std::vector<int> host(100'003);
  std::mt19937 numbers(5);
  for (int& value : host) value = static_cast<int>(numbers() % 1'000'000) - 500'000;
  compute::vector<int> device(host.begin(), host.end(), queue);
  std::vector<int> back(host.size());
  const auto matches = [&](const char* what) {
    compute::copy(device.begin(), device.end(), back.begin(), queue);
    if (back == host) return true;
    std::printf("wrong: %s\n", what);
    return false;
  };
  int sum = 0;
  compute::reduce(device.begin(), device.end(), &sum, queue);
  if (sum != std::accumulate(host.begin(), host.end(), 0)) return std::printf("wrong: reduce gives %d\n", sum), 1;
  compute::sort(device.begin(), device.end(), queue);
  std::sort(host.begin(), host.end());
  if (!matches("sort")) return 1;
  compute::transform(device.begin(), device.end(), device.begin(), compute::abs<int>(), queue);
  for (int& value : host) value = std::abs(value);
  if (!matches("transform")) return 1;
  for (int& value : host) value %= 1000;
  compute::copy(host.begin(), host.end(), device.begin(), queue);
  compute::inclusive_scan(device.begin(), device.end(), device.begin(), queue);
  std::partial_sum(host.begin(), host.end(), host.begin());
  if (!matches("inclusive_scan")) return 1;
  std::puts("all right");
}
