// SPDX-License-Identifier: Apache-2.0
// This file reads the arguments of transfers of buffers, rectangles, images and shared memory.
#include "check/host/host_rows.h"

namespace clarity::check {
namespace {

std::optional<HostRows> rowsOfRectangle(const HostCall& call, HostRows rows) {
  const std::optional<Rows> rectangle =
      rowsOf(call.at<const std::size_t*>("host_origin"), call.at<const std::size_t*>("region"),
             call.at("host_row_pitch"), call.at("host_slice_pitch"));
  if (!rectangle) return std::nullopt;
  static_cast<Rows&>(rows) = *rectangle;
  return rows;
}

std::optional<HostRows> rowsOfImage(const HostCall& call, HostRows rows, const HostServices& services) {
  const auto* const region = call.at<const std::size_t*>("region");
  const ImageLayout image = services.layoutOf(call.at<cl_mem>("image"));
  if (!region || image.texelBytes == 0 || region[0] == 0 || region[1] == 0 || region[2] == 0) return std::nullopt;
  const bool isRead = call.is("clEnqueueReadImage");
  rows.rowBytes = region[0] * image.texelBytes;
  rows.rows = region[1];
  rows.slices = region[2];
  const std::uint64_t row = call.at(isRead ? "row_pitch" : "input_row_pitch");
  const std::uint64_t slice = call.at(isRead ? "slice_pitch" : "input_slice_pitch");
  rows.rowPitch = row ? row : rows.rowBytes;
  // The layers of an array of images of one dimension lie along the second one.
  if (image.isArrayOf1D && slice) rows.rowPitch = slice;
  rows.slicePitch = slice && !image.isArrayOf1D ? slice : rows.rowPitch * rows.rows;
  return rows;
}

}  // namespace

std::optional<HostRows> hostRowsOf(const HostCall& call, const HostServices& services) {
  HostRows rows;
  const bool isShared = call.is("clEnqueueSVMMemcpy") || call.is("clEnqueueMemcpyINTEL");
  rows.parameter = isShared ? "dst_ptr" : "ptr";
  rows.pointer = call.at(rows.parameter);
  rows.isWritten = isShared || call.info.begins("clEnqueueRead");
  if (isShared) {
    rows.rowBytes = call.at("size");
    return rows;
  }
  if (rows.pointer == 0) return std::nullopt;
  if (call.is("clEnqueueReadBuffer") || call.is("clEnqueueWriteBuffer")) {
    rows.rowBytes = call.at("size");
    return rows;
  }
  if (call.is("clEnqueueReadBufferRect") || call.is("clEnqueueWriteBufferRect")) return rowsOfRectangle(call, rows);
  if (call.is("clEnqueueReadImage") || call.is("clEnqueueWriteImage")) return rowsOfImage(call, rows, services);
  return std::nullopt;
}

}  // namespace clarity::check
