// SPDX-License-Identifier: Apache-2.0
// This file is what a back end generates: the code of one kernel for one shape. Each back end has a class of its own
// for it, which its device knows (host/host_code.h: machine code for the CPU).
#pragma once

#include "compiler/ir/site.h"
#include "compiler/ir/status.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::compiler {

class DeviceCode {
public:
  virtual ~DeviceCode() = default;
  /// The name of the back end that made it: which class this is.
  virtual std::string_view backEnd() const = 0;
  /// Everything but `fromCache`, for the disk cache; BackEnd::read() is the reverse.
  virtual std::string bytes() const = 0;

  std::string remarks;      ///< decisions and their reasons, for reports
  std::vector<Site> sites;  ///< sites of instrumented code: events name them by their index
  bool fromCache = false;
};

/// Forms of code that people are shown.
enum class NativeForm { IR, Assembly, Object };

struct CodeOutcome {
  Status status = Status::Ok;
  std::string log;
  std::shared_ptr<const DeviceCode> code;
};

}  // namespace clarity::compiler
