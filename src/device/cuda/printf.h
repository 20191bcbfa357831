// SPDX-License-Identifier: Apache-2.0
// This file is the printf output of one launch on a GPU (builtins/nvptx/collectives.cl: __clarity_printf).
#pragma once

#include "device/cuda/memory.h"

namespace clarity::device::cuda {

class PrintfBuffer {
public:
  /// A buffer of `bytes`, empty once `stream` has come so far.
  PrintfBuffer(std::shared_ptr<const Gpu> gpu, std::size_t bytes, CuStream stream, Result& result);
  ~PrintfBuffer();
  PrintfBuffer(const PrintfBuffer&) = delete;
  PrintfBuffer& operator=(const PrintfBuffer&) = delete;

  CuPointer address() const { return address_; }
  /// When the launch has ended: formats what it printed, in the order of its records.
  Result write() const;

private:
  std::shared_ptr<const Gpu> gpu_;
  std::size_t bytes_;
  CuPointer address_ = 0;
};

}  // namespace clarity::device::cuda
