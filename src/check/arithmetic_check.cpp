// SPDX-License-Identifier: Apache-2.0
// This file says what is wrong with an operand.
#include "check/checks.h"

#include <fmt/format.h>

#include <bit>

namespace clarity::check {
namespace {

using compiler::SiteKind;

class ArithmeticCheck final : public device::LaunchObserver {
public:
  explicit ArithmeticCheck(const LaunchScene& scene) : scene_(scene) {}

  void arithmetic(const device::ObservedArithmetic& arithmetic) override {
    const compiler::Site& site = scene_.site(arithmetic.site);
    const auto operand = static_cast<std::int64_t>(arithmetic.operand);
    Finding finding;
    finding.kernel = scene_.launch.kernel.name;
    finding.party.place = site;
    const std::string who = scene_.workItem(arithmetic.globalId);
    if (site.kind == SiteKind::Division && operand == 0) {
      finding.kind = Kind::DivisionByZero;
      finding.summary = fmt::format("kernel '{}' divides an integer by zero", finding.kernel);
      finding.party.what = who + " divides by 0, which gives no defined result";
    } else if (site.kind == SiteKind::Division) {
      finding.kind = Kind::DivisionOverflow;
      finding.summary = fmt::format("kernel '{}' divides the smallest integer by {}", finding.kernel, operand);
      finding.party.what = fmt::format("{} divides by {}, and the type cannot hold the result", who, operand);
    } else if (site.kind == SiteKind::Shift) {
      finding.kind = Kind::ShiftTooFar;
      finding.summary = fmt::format("kernel '{}' shifts by {} bits", finding.kernel, operand);
      finding.party.what =
          fmt::format("{} shifts by {}, which OpenCL C takes modulo the width of the type", who, operand);
    } else {
      finding.kind = Kind::ConversionRange;
      const double value = std::bit_cast<double>(arithmetic.operand);
      finding.summary =
          fmt::format("kernel '{}' converts {} to an integer type that cannot hold it", finding.kernel, value);
      finding.party.what = fmt::format("{} converts {}, which gives no defined result", who, value);
    }
    scene_.reporter.add(finding);
  }

private:
  const LaunchScene& scene_;
};

}  // namespace

Check arithmeticCheck(const LaunchScene& scene) { return std::make_unique<ArithmeticCheck>(scene); }

}  // namespace clarity::check
