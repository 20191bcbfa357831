// SPDX-License-Identifier: Apache-2.0
// This file turns what an application says of a region of an image into bytes of a memory object.
#pragma once

#include "core/memory.h"
#include "core/residency.h"
#include "sched/command.h"

#include <CL/cl.h>

#include <array>
#include <cstddef>

namespace clarity::api {

/// A region of one level of an image, checked.
struct ImageRegion {
  cl_uint level = 0;
  std::array<std::size_t, 3> region;  ///< texels, as the application gave it
  core::Rectangle bytes;              ///< in the memory object; layers of 1D images are its rows
};

/// Origin and region of an enqueue function; names for the text. CL_INVALID_VALUE if one is null, has values that the
/// image's type does not allow, or leads outside; CL_INVALID_MIP_LEVEL for a level of a mipmap that does not exist.
ImageRegion regionOf(const core::Memory& image, const char* originName, const size_t* origin, const size_t* region);

/// The same region in the application's memory, from `ptr` on. CL_INVALID_VALUE if a pitch is not 0 and too small, or
/// the image has no slices and there is a slice pitch.
core::Rectangle hostRectangle(const core::Memory& image, const ImageRegion& region, std::size_t rowPitch,
                              std::size_t slicePitch);

/// A copy between two rectangles of the same size; locations are those of their first bytes.
device::RectCopy rectCopy(const device::Location& target, const core::Rectangle& to, const device::Location& source,
                          const core::Rectangle& from);

}  // namespace clarity::api
