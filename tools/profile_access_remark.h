// SPDX-License-Identifier: Apache-2.0
// This file declares how a profile reads the compiler's remarks on accesses of memory.
#pragma once

#include "kernel_code.h"
#include "kernel_source.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::tools {

/// The array of a place: "a" of "a[i].x".
inline std::string objectOf(const std::string& place) { return place.substr(0, place.find_first_of("[.-( ")); }

/// A remark "load float a[i], b[i]: gather instruction, as REASON".
struct AccessRemark {
  std::string operation, type, form, reason;
  std::vector<std::string> places;
  std::string place;  ///< the first one
  std::string object() const { return objectOf(place); }
  bool says(std::string_view words) const { return form.find(words) != form.npos; }
};

/// Nothing if a remark is of something else.
std::optional<AccessRemark> accessOf(const KernelRemark& remark);

/// The bytes of a type such as "float4".
unsigned bytesOf(const std::string& type);

/// The number in "neighbouring work-items are N elements apart".
std::optional<unsigned> elementsApart(const std::string& reason);

/// The variables that a loop changes.
std::set<std::string> changedIn(const SourceBlock& loop);

}  // namespace clarity::tools
