// SPDX-License-Identifier: Apache-2.0
// This file is what the tests of clEnqueueReadImage and clEnqueueWriteImage share: their rules are the same.
#pragma once

#include "image_test.h"

namespace clarity::test {

/// Regions of an image that are tried: the whole, one texel, a part that touches no border, a row.
inline std::vector<std::array<Triple, 2>> regionsOf(const Triple& extent) {
  std::vector<std::array<Triple, 2>> result{{Triple{0, 0, 0}, extent}};
  Triple last, one{1, 1, 1}, inner, innerSize, row = one;
  for (size_t d = 0; d < 3; ++d) {
    last[d] = extent[d] - 1;
    inner[d] = extent[d] > 2 ? 1 : 0;
    innerSize[d] = extent[d] > 2 ? extent[d] - 2 : extent[d];
  }
  row[0] = extent[0];
  result.push_back({last, one});
  result.push_back({inner, innerSize});
  result.push_back({Triple{0, last[1], last[2]}, row});
  return result;
}

struct ImageTransfer : ImageTest {
  using TransferCall =
      std::function<cl_int(cl_command_queue, cl_mem, cl_bool, const size_t* origin, const size_t* region,
                           size_t rowPitch, size_t slicePitch, void*, cl_uint, const cl_event*, cl_event*)>;
  TransferCall call;
  std::vector<unsigned char> host = countingBytes(1 << 16, 50);
  cl_mem plane = nullptr;  ///< 8 x 4 texels
  Enqueue blocking = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return small(q, plane, CL_TRUE, n, list, event);
  };
  Enqueue nonBlocking = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return small(q, plane, CL_FALSE, n, list, event);
  };
  Call simple = [this](cl_mem which, const size_t* origin, const size_t* region) {
    return call(queue, which, CL_TRUE, origin, region, 0, 0, host.data(), 0, nullptr, nullptr);
  };

  void SetUp() override {
    OpenCL::SetUp();
    if (!HasFatalFailure()) plane = imageOf({"2D", CL_MEM_OBJECT_IMAGE2D, {8, 4, 1}}, Box({8, 4, 1}, 4));
  }
  cl_int small(cl_command_queue q, cl_mem which, cl_bool block, cl_uint n, const cl_event* list, cl_event* event) {
    const Triple region{2, 2, 1};
    return call(q, which, block, zero.data(), region.data(), 0, 0, host.data(), n, list, event);
  }
  /// The pitches that a shape is tried with: none, and both with gaps where the type has them.
  static std::vector<std::array<size_t, 2>> pitchesOf(cl_mem_object_type type, const Triple& region, size_t texel) {
    const size_t row = region[0] * texel;
    switch (type) {
      case CL_MEM_OBJECT_IMAGE1D:
      case CL_MEM_OBJECT_IMAGE1D_BUFFER:
      case CL_MEM_OBJECT_IMAGE2D: return {{0, 0}, {row, 0}, {row + 5, 0}};
      case CL_MEM_OBJECT_IMAGE1D_ARRAY: return {{0, 0}, {row, row + 8}, {row + 4, 0}, {0, row + 12}};
      default: return {{0, 0}, {row + 4, 0}, {0, row * region[1] + 8}, {row + 4, (row + 4) * (region[1] + 1)}};
    }
  }
  /// Where a row of a region is in host memory.
  static size_t hostRow(cl_mem_object_type type, const Triple& region, size_t texel, const std::array<size_t, 2>& pitch,
                        size_t y, size_t z) {
    const size_t row = pitch[0] != 0 ? pitch[0] : region[0] * texel;
    const bool layers1D = type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    const size_t slice = pitch[1] != 0 ? pitch[1] : layers1D ? row : row * region[1];
    return layers1D ? y * slice : z * slice + y * row;
  }

  void expectPitchesChecked() {
    const auto with = [&](const ImageShape& shape, size_t row, size_t slice) {
      return call(queue, imageOf(shape, Box(shape.extent, 4)), CL_TRUE, zero.data(), shape.extent.data(), row, slice,
                  host.data(), 0, nullptr, nullptr);
    };
    for (const ImageShape& shape : imageShapes()) {
      SCOPED_TRACE(shape.what);
      EXPECT_CL(CL_INVALID_VALUE, with(shape, shape.extent[0] * 4 - 1, 0));
      const bool layers1D = shape.type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
      if (shape.extent[2] == 1 && !layers1D) {
        EXPECT_CL(CL_INVALID_VALUE, with(shape, 0, shape.extent[0] * shape.extent[1] * 4));
      } else {
        EXPECT_CL(CL_INVALID_VALUE, with(shape, 0, shape.extent[0] * (layers1D ? 1 : shape.extent[1]) * 4 - 1));
        EXPECT_CL(CL_INVALID_VALUE, with(shape, 0, SIZE_MAX));
      }
      if (shape.extent[2] > 1) EXPECT_CL(CL_INVALID_VALUE, with(shape, SIZE_MAX, 0));
    }
    EXPECT_TRUE(wasNotifiedOf(SIZE_MAX)) << allNotified();
  }
  void expectNullPointerRefused() {
    const Triple region{2, 2, 1};
    EXPECT_CL(CL_INVALID_VALUE,
              call(queue, plane, CL_TRUE, zero.data(), region.data(), 0, 0, nullptr, 0, nullptr, nullptr));
  }
};

}  // namespace clarity::test
