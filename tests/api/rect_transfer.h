// SPDX-License-Identifier: Apache-2.0
// This file is what clEnqueueReadBufferRect and clEnqueueWriteBufferRect have in common: the same parameters, and the
// same errors (OpenCL 3.0, section 5.2.2).
#pragma once

#include "enqueue_checks.h"
#include "rectangle.h"

#include <cstdint>

namespace clarity::test {

/// Transfers between `memory` and `host`, both of kSize bytes.
struct RectTransfer : OpenCL {
  /// clEnqueueReadBufferRect's and clEnqueueWriteBufferRect's parameters, the origins as pointers.
  using Call = std::function<cl_int(cl_command_queue, cl_mem, cl_bool, const size_t* bufferOrigin,
                                    const size_t* hostOrigin, const size_t* region, const Layout& ofBuffer,
                                    const Layout& ofHost, void* pointer, cl_uint, const cl_event*, cl_event*)>;
  static constexpr size_t kSize = 4096;
  Call call;
  std::vector<unsigned char> host, inBuffer;
  cl_mem memory = nullptr;
  Enqueue blocking = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return small(q, memory, CL_TRUE, n, list, event);
  };
  Enqueue nonBlocking = [this](cl_command_queue q, cl_uint n, const cl_event* list, cl_event* event) {
    return small(q, memory, CL_FALSE, n, list, event);
  };

  void SetUp() override {
    OpenCL::SetUp();
    if (!HasFatalFailure()) memory = bufferOf(inBuffer);
  }

  cl_int small(cl_command_queue q, cl_mem which, cl_bool block, cl_uint n, const cl_event* list, cl_event* event) {
    const Triple origin{0, 0, 0};
    const Triple region{4, 2, 1};
    const Layout pitches{{}, 8, 0};
    return call(q, which, block, origin.data(), origin.data(), region.data(), pitches, pitches, host.data(), n, list,
                event);
  }
  /// A blocking call with this region and these layouts of buffer and host.
  cl_int rect(cl_mem which, const Triple& region, const Layout& ofBuffer, const Layout& ofHost) {
    return call(queue, which, CL_TRUE, ofBuffer.origin.data(), ofHost.origin.data(), region.data(), ofBuffer, ofHost,
                host.data(), 0, nullptr, nullptr);
  }

  /// The buffer belongs to another context.
  void expectBuffersOfAnotherContextRefused() {
    cl_mem other = bufferOfAnotherContext(*this, kSize);
    EXPECT_CL(CL_INVALID_CONTEXT, small(queue, other, CL_TRUE, 0, nullptr, nullptr));
  }
  /// buffer is not a buffer.
  void expectOtherObjectsRefused() {
    for (const auto& bad : badHandles<cl_mem>(*this))
      EXPECT_CL(CL_INVALID_MEM_OBJECT, small(queue, bad.handle, CL_TRUE, 0, nullptr, nullptr)) << bad.what;
  }
  /// One of the origins, the region or the host memory is NULL.
  void expectNullPointersRefused() {
    const Triple zero{0, 0, 0};
    const Triple one{1, 1, 1};
    const auto with = [&](const size_t* ofBuffer, const size_t* ofHost, const size_t* region, void* pointer) {
      return call(queue, memory, CL_TRUE, ofBuffer, ofHost, region, {}, {}, pointer, 0, nullptr, nullptr);
    };
    EXPECT_SUCCESS(with(zero.data(), zero.data(), one.data(), host.data()));
    EXPECT_CL(CL_INVALID_VALUE, with(nullptr, zero.data(), one.data(), host.data()));
    EXPECT_CL(CL_INVALID_VALUE, with(zero.data(), nullptr, one.data(), host.data()));
    EXPECT_CL(CL_INVALID_VALUE, with(zero.data(), zero.data(), nullptr, host.data()));
    EXPECT_CL(CL_INVALID_VALUE, with(zero.data(), zero.data(), one.data(), nullptr));
  }
  /// The rectangle ends past the end of the buffer, in any dimension, or its end does not fit in size_t.
  void expectBoundsChecked() {
    EXPECT_SUCCESS(rect(memory, {64, 64, 1}, {}, {}));
    EXPECT_CL(CL_INVALID_VALUE, rect(memory, {64, 65, 1}, {}, {}));
    EXPECT_CL(CL_INVALID_VALUE, rect(memory, {64, 64, 1}, {{1, 0, 0}, 0, 0}, {}));
    EXPECT_CL(CL_INVALID_VALUE, rect(memory, {64, 64, 1}, {{0, 1, 0}, 0, 0}, {}));
    EXPECT_CL(CL_INVALID_VALUE, rect(memory, {16, 16, 16}, {{0, 0, 1}, 0, 0}, {}));
    EXPECT_CL(CL_INVALID_VALUE, rect(memory, {4, 2, 2}, {{0, 0, 0}, 8, 4096}, {}));
    EXPECT_CL(CL_INVALID_VALUE, rect(memory, {1, 1, 1}, {{0, SIZE_MAX, 0}, 8, 0}, {}));
    EXPECT_CL(CL_INVALID_VALUE, rect(memory, {1, 1, 1}, {{0, SIZE_MAX / 8 + 1, 0}, 8, 0}, {}));
    EXPECT_CL(CL_INVALID_VALUE, rect(memory, {1, 1, 1}, {{SIZE_MAX, 0, 0}, 0, 0}, {}));
  }
  /// The last row needs no full pitch behind it.
  void expectLastRowMayEndWithTheBuffer() {
    EXPECT_SUCCESS(rect(memory, {6, 2, 1}, {{2, kSize / 8 - 2, 0}, 8, 0}, {}));
    EXPECT_CL(CL_INVALID_VALUE, rect(memory, {7, 2, 1}, {{2, kSize / 8 - 2, 0}, 8, 0}, {}));
  }
  /// An element of region is 0.
  void expectEmptyRegionsRefused() {
    EXPECT_CL(CL_INVALID_VALUE, rect(memory, {0, 1, 1}, {}, {}));
    EXPECT_CL(CL_INVALID_VALUE, rect(memory, {1, 0, 1}, {}, {}));
    EXPECT_CL(CL_INVALID_VALUE, rect(memory, {1, 1, 0}, {}, {}));
  }
  /// A pitch that is too small for the region, or a slice pitch that is no multiple of the row pitch.
  void expectPitchesChecked() {
    const Triple region{8, 4, 2};
    for (const Layout& wrong : {Layout{{}, 7, 0}, Layout{{}, 16, 63}, Layout{{}, 0, 31}, Layout{{}, 16, 72}}) {
      EXPECT_CL(CL_INVALID_VALUE, rect(memory, region, wrong, {}))
          << "buffer " << wrong.rowPitch << ' ' << wrong.slicePitch;
      EXPECT_CL(CL_INVALID_VALUE, rect(memory, region, {}, wrong))
          << "host " << wrong.rowPitch << ' ' << wrong.slicePitch;
    }
    EXPECT_SUCCESS(rect(memory, region, {{}, 16, 80}, {{}, 8, 32}));
  }
};

}  // namespace clarity::test
