// SPDX-License-Identifier: Apache-2.0
// This file says how large arrays are.
#include "array.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace clarity::tools {

std::optional<PictureSize> pictureSize(const Array& array) {
  const std::vector<size_t>& shape = array.shape;
  if (shape.size() == 2) return PictureSize{shape[1], shape[0], 1};
  if (shape.size() == 3 && (shape[2] == 3 || shape[2] == 4)) return PictureSize{shape[1], shape[0], shape[2]};
  return std::nullopt;
}

std::string arrayText(const Array& array) {
  const std::string type = array.type.name();
  if (array.shape.size() == 1) return fmt::format("{} of {}", array.shape[0], type);
  const auto picture = pictureSize(array);
  if (!picture) return fmt::format("({}) of {}", fmt::join(array.shape, ", "), type);
  const std::string channels = picture->channels == 1 ? "" : fmt::format(", {} channels,", picture->channels);
  return fmt::format("{}x{}{} of {}", picture->width, picture->height, channels, type);
}

}  // namespace clarity::tools
