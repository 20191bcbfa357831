// SPDX-License-Identifier: Apache-2.0
// This file copies and fills rows of memory that lie at regular distances.
#include "device/cuda/rectangles.h"

#include "device/host/transfers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

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

/// The bytes there are copied behind themselves until all are: first the pattern, then the row.
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

/// Fills the rows of one slice.
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

using Region = std::array<std::size_t, 3>;  ///< bytes, rows, slices

/// One end of a rectangle: memory of the host, or of a GPU.
struct End {
  std::byte* host = nullptr;
  CuPointer device = 0;
  std::size_t rowPitch = 0, slicePitch = 0;

  static End packed(std::byte* buffer, const Region& region) {
    return {.host = buffer, .device = 0, .rowPitch = region[0], .slicePitch = region[0] * region[1]};
  }
  End at(const Region& place) const {
    const std::size_t offset = place[0] + place[1] * rowPitch + place[2] * slicePitch;
    return {host ? host + offset : nullptr, device + offset, rowPitch, slicePitch};
  }
  std::pair<std::size_t, std::size_t> pitches() const { return {rowPitch, slicePitch}; }
  /// Bytes from the first to the last.
  std::size_t reach(const Region& region) const {
    return region[0] + (region[1] - 1) * rowPitch + (region[2] - 1) * slicePitch;
  }
};

End endOf(const Location& location, std::size_t rowPitch, std::size_t slicePitch) {
  std::byte* const host = hostOf(location);
  return {host, host ? 0 : addressOf(location), rowPitch, slicePitch};
}

CuResult copySlice(const End& to, const End& from, std::size_t width, std::size_t rows, CuStream stream) {
  CuMemcpy2D copy;
  copy.srcType = from.host ? cuMemoryHost : cuMemoryDevice;
  copy.srcHost = from.host;
  copy.srcDevice = from.device;
  copy.dstType = to.host ? cuMemoryHost : cuMemoryDevice;
  copy.dstHost = to.host;
  copy.dstDevice = to.device;
  copy.srcPitch = rows == 1 ? width : from.rowPitch;
  copy.dstPitch = rows == 1 ? width : to.rowPitch;
  copy.widthBytes = width;
  copy.height = rows;
  return driver().memcpy2DAsync(&copy, stream);
}

CuResult copySlices(const End& to, const End& from, const Region& region, CuStream stream) {
  const std::size_t rows = to.rowPitch > mostPitch || from.rowPitch > mostPitch ? 1 : region[1];
  CuResult result = 0;
  for (std::size_t z = 0; z < region[2]; ++z)
    for (std::size_t y = 0; result == 0 && y < region[1]; y += rows)
      result = copySlice(to.at({0, y, z}), from.at({0, y, z}), region[0], rows, stream);
  return result;
}

/// A rectangle in parts that a large staging buffer has room for: several slices, rows of one, or bytes of a row.
class PiecesOfRect {
public:
  explicit PiecesOfRect(const Region& region) : region_(region) {
    std::size_t room = Staging::largeBytes;
    for (std::size_t d = 0; d < 3; ++d) {
      part_[d] = std::min(region[d], room);
      count_[d] = (region[d] + part_[d] - 1) / part_[d];
      room = count_[d] > 1 ? 1 : std::max<std::size_t>(room / part_[d], 1);
    }
  }
  std::size_t count() const { return count_[0] * count_[1] * count_[2]; }
  /// The beginning and the size of a piece.
  std::pair<Region, Region> operator[](std::size_t piece) const {
    Region at{piece % count_[0], piece / count_[0] % count_[1], piece / (count_[0] * count_[1])}, size{};
    for (std::size_t d = 0; d < 3; ++d) {
      at[d] *= part_[d];
      size[d] = std::min(part_[d], region_[d] - at[d]);
    }
    return {at, size};
  }

private:
  Region region_, part_{}, count_{};
};

}  // namespace

Result copyRect(Staging& staging, const RectCopy& given, CuStream stream, std::vector<StagingBuffer>& kept) {
  const RectCopy rect = withFewestSlices(given);
  const End to = endOf(rect.to, rect.toRowPitch, rect.toSlicePitch);
  const End from = endOf(rect.from, rect.fromRowPitch, rect.fromSlicePitch);
  if (rect.region[0] == 0 || rect.region[1] == 0 || rect.region[2] == 0) return {};
  const std::string what =
      fmt::format("a rectangular copy of {} x {} x {} bytes failed", given.region[0], given.region[1], given.region[2]);
  const auto direct = [&] { return resultOf(copySlices(to, from, rect.region, stream), what); };
  const End& host = to.host ? to : from;
  if (!host.host || isPinned(host.host, host.reach(rect.region))) return direct();
  const PiecesOfRect cut(rect.region);
  const Pieces pieces{.count = cut.count(),
                      .bytes = rect.region[0] * rect.region[1] * rect.region[2],
                      .copy =
                          [&](std::byte* buffer, std::size_t piece) {
                            const auto [at, region] = cut[piece];
                            const End own = host.at(at), other = End::packed(buffer, region);
                            RectCopy part{.to = {}, .from = {}, .region = region};
                            std::tie(part.toRowPitch, part.toSlicePitch) = (to.host ? own : other).pitches();
                            std::tie(part.fromRowPitch, part.fromSlicePitch) = (to.host ? other : own).pitches();
                            return to.host ? host::copyRect(staging.workers, own.host, buffer, part)
                                           : host::copyRect(staging.workers, buffer, own.host, part);
                          },
                      .start =
                          [&](std::byte* buffer, std::size_t piece) {
                            const auto [at, region] = cut[piece];
                            const End packed = End::packed(buffer, region);
                            return to.host ? copySlices(packed, from.at(at), region, stream)
                                           : copySlices(to.at(at), packed, region, stream);
                          },
                      .text = what};
  auto done = to.host ? download(staging, pieces, stream) : upload(staging, pieces, stream, kept);
  if (done) return *std::move(done);
  // Without pinned memory the driver copies, which is to meet no memory that is not there.
  for (std::size_t z = 0; z < rect.region[2]; ++z)
    for (std::size_t y = 0; y < rect.region[1]; ++y)
      if (Result result = host::canAccess(host.at({0, y, z}).host, rect.region[0], to.host != nullptr); !result)
        return result;
  return direct();
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
