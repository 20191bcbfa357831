// SPDX-License-Identifier: Apache-2.0
// This file numbers the names of kernels.
#include "profile/recorder.h"
#include "profile/records.h"

#include <memory>
#include <string>
#include <vector>

namespace clarity::profile {

std::uint32_t KernelNames::numberOf(const std::string& name) {
  struct Last {
    std::string name;
    std::uint32_t number = 0;
  };
  thread_local Last last;
  if (last.number != 0 && last.name == name) return last.number;
  last = {.name = name, .number = texts_->numberOf(name)};
  return last.number;
}

KernelNames::KernelNames() : texts_(std::make_unique<NumberedTexts>()) {}
KernelNames::~KernelNames() = default;
std::vector<std::string> KernelNames::all() const { return texts_->all(); }

}  // namespace clarity::profile
