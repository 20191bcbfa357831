// SPDX-License-Identifier: Apache-2.0
// This file numbers the names of kernels.
#include "profile/recorder.h"
#include "profile/records.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace clarity::profile {

std::uint32_t KernelNames::numberOf(const std::string& name) {
  // Pointers: the library may claim little memory of each thread.
  thread_local std::pair<const std::string*, std::uint32_t> last{};
  if (!last.first || *last.first != name) last = texts_->entryOf(name);
  return last.second;
}

KernelNames::KernelNames() : texts_(std::make_unique<NumberedTexts>()) {}
KernelNames::~KernelNames() = default;
std::vector<std::string> KernelNames::all() const { return texts_->all(); }

}  // namespace clarity::profile
