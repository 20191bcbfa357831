// SPDX-License-Identifier: Apache-2.0
// This file is which PTX the stub's driver and its GPUs take.
#include "stub.h"

namespace clarity::device::cuda {
namespace {

/// The number behind a directive, without its point: 80 of ".version 8.0".
int numberBehind(std::string_view ptx, std::string_view directive) {
  const std::size_t at = ptx.find(directive);
  if (at == ptx.npos) return -1;
  int number = 0;
  for (const char letter : ptx.substr(at + directive.size())) {
    if (letter >= '0' && letter <= '9') number = 10 * number + (letter - '0');
    if (letter == '\n') break;
  }
  return number;
}

/// Ten times the latest version of PTX that the driver knows: every version of CUDA has had a new one but for 12.6.
int latestPtx() {
  int version = 0;
  (void)driverGetVersion(&version);
  const int major = version / 1000, minor = version % 1000 / 10;
  return major > 12 ? 90 + minor : 80 + minor - (minor > 5);
}

}  // namespace

CuResult refusalOf(std::string_view ptx) {
  const int version = numberBehind(ptx, ".version "), target = numberBehind(ptx, ".target sm_");
  if (version < 0 || target < 0) return 218;  // CUDA_ERROR_INVALID_PTX
  if (version > latestPtx()) return 222;      // CUDA_ERROR_UNSUPPORTED_PTX_VERSION
  return target > capability() ? 209 : 0;     // CUDA_ERROR_NO_BINARY_FOR_GPU
}

}  // namespace clarity::device::cuda
