// SPDX-License-Identifier: Apache-2.0
// This file copies and fills rows of memory that lie at regular distances.
#include "device/cuda/rectangles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

namespace clarity::device::cuda {
namespace {

/// The largest distance of rows that the driver takes.
constexpr std::size_t mostPitch = std::numeric_limits<std::int32_t>::max();

/// Slices of one row each are rows, and so are those that follow each other as their rows do.
RectCopy withFewestSlices(RectCopy rect) {
  auto& [width, rows, slices] = rect.region;
  if (rows == 1 && slices > 1 && rect.fromSlicePitch <= mostPitch && rect.toSlicePitch <= mostPitch) {
    rect.fromRowPitch = rect.fromSlicePitch;
    rect.toRowPitch = rect.toSlicePitch;
    rows = slices, slices = 1;
  } else if (rect.fromSlicePitch == rect.fromRowPitch * rows && rect.toSlicePitch == rect.toRowPitch * rows) {
    rows *= slices, slices = 1;
  }
  return rect;
}

Fill withFewestSlices(Fill fill) {
  if (fill.slices == 1) return fill;
  if (fill.rows == 1) {
    fill.rowPitch = fill.slicePitch;
    fill.rows = fill.slices, fill.slices = 1;
  } else if (fill.slicePitch == fill.rowPitch * fill.rows) {
    fill.rows *= fill.slices, fill.slices = 1;
  }
  return fill;
}

CuResult copyRows(CuPointer to, CuPointer from, std::size_t bytes, std::size_t rows, std::size_t pitch,
                  CuStream stream) {
  CuMemcpy2D copy;
  copy.srcType = copy.dstType = cuMemoryDevice;
  copy.srcDevice = from;
  copy.dstDevice = to;
  copy.srcPitch = copy.dstPitch = pitch;
  copy.widthBytes = bytes;
  copy.height = rows;
  return driver().memcpy2DAsync(&copy, stream);
}

/// What is there is copied behind itself until all is: first the pattern, then the row.
CuResult fillByCopies(CuPointer to, const Fill& fill, CuStream stream) {
  CuResult result = driver().memcpyHtoDAsync(to, fill.pattern.data(), fill.patternBytes, stream);
  for (std::size_t done = fill.patternBytes; result == 0 && done < fill.bytes;) {
    const std::size_t next = std::min(done, fill.bytes - done);
    result = driver().memcpyDtoDAsync(to + done, to, next, stream);
    done += next;
  }
  for (std::size_t done = 1; result == 0 && done < fill.rows;) {
    const std::size_t next = std::min(done, fill.rows - done);
    result = copyRows(to + done * fill.rowPitch, to, fill.bytes, next, fill.rowPitch, stream);
    done += next;
  }
  return result;
}

template <class Element>
Element elementOf(const Fill& fill) {
  Element value;
  std::memcpy(&value, fill.pattern.data(), sizeof value);
  return value;
}

/// Of one slice.
CuResult fillRows(CuPointer to, const Fill& fill, CuStream stream) {
  const Driver& cuda = driver();
  const bool isOne = fill.rows == 1;
  const std::size_t count = fill.bytes / fill.patternBytes, pitch = fill.rowPitch;
  if (!isOne && (pitch > mostPitch || pitch % fill.patternBytes != 0)) {
    Fill row = fill;
    row.rows = 1;
    CuResult result = 0;
    for (std::size_t y = 0; result == 0 && y < fill.rows; ++y) result = fillRows(to + y * pitch, row, stream);
    return result;
  }
  if (fill.patternBytes == 1) {
    const auto value = elementOf<std::uint8_t>(fill);
    return isOne ? cuda.memsetD8Async(to, value, count, stream)
                 : cuda.memsetD2D8Async(to, pitch, value, count, fill.rows, stream);
  }
  if (fill.patternBytes == 2) {
    const auto value = elementOf<std::uint16_t>(fill);
    return isOne ? cuda.memsetD16Async(to, value, count, stream)
                 : cuda.memsetD2D16Async(to, pitch, value, count, fill.rows, stream);
  }
  if (fill.patternBytes == 4) {
    const auto value = elementOf<std::uint32_t>(fill);
    return isOne ? cuda.memsetD32Async(to, value, count, stream)
                 : cuda.memsetD2D32Async(to, pitch, value, count, fill.rows, stream);
  }
  return fillByCopies(to, fill, stream);
}

}  // namespace

Result copyRect(const RectCopy& given, CuStream stream) {
  const RectCopy rect = withFewestSlices(given);
  for (std::size_t z = 0; z < rect.region[2]; ++z) {
    CuMemcpy2D part;
    const auto end = [&](const Location& location, std::size_t slicePitch, bool source) {
      std::byte* const host = hostOf(location);
      (source ? part.srcType : part.dstType) = host ? cuMemoryHost : cuMemoryDevice;
      if (host && source)
        part.srcHost = host + z * slicePitch;
      else if (host)
        part.dstHost = host + z * slicePitch;
      else
        (source ? part.srcDevice : part.dstDevice) = addressOf(location) + z * slicePitch;
    };
    end(rect.from, rect.fromSlicePitch, true);
    end(rect.to, rect.toSlicePitch, false);
    part.srcPitch = rect.fromRowPitch;
    part.dstPitch = rect.toRowPitch;
    part.widthBytes = rect.region[0];
    part.height = rect.region[1];
    if (const CuResult code = driver().memcpy2DAsync(&part, stream))
      return resultOf(code, fmt::format("a rectangular copy of {} x {} x {} bytes failed", given.region[0],
                                        given.region[1], given.region[2]));
  }
  return {};
}

Result fill(const Fill& given, CuStream stream) {
  if (given.bytes == 0) return {};  // perhaps of no memory
  Fill fill = withFewestSlices(given);
  if (fill.slices == 1 && fill.rows > 1 && fill.rowPitch == fill.bytes) {
    fill.bytes *= fill.rows;
    fill.rows = 1;
  }
  for (std::size_t z = 0; z < fill.slices; ++z)
    if (const CuResult code = fillRows(addressOf(fill.to) + z * fill.slicePitch, fill, stream))
      return resultOf(code, fmt::format("a fill of {} bytes failed", given.bytes * given.rows * given.slices));
  return {};
}

}  // namespace clarity::device::cuda
