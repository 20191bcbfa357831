// SPDX-License-Identifier: Apache-2.0
// This file says what is wrong with an operand.
#include "check/kernel/checks.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

namespace clarity::check {
namespace {

using compiler::SiteKind;

class ArithmeticCheck final : public device::LaunchObserver {
public:
  ArithmeticCheck(const LaunchScene& scene, unsigned groups) : scene_(scene), groups_(groups) {}

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
    } else if (site.kind == SiteKind::Overflow) {
      finding.kind = Kind::SignedOverflow;
      finding.summary = fmt::format("kernel '{}' computes a signed integer that its type cannot hold", finding.kernel);
      finding.party.what = fmt::format("{} gets {}, which is not defined and need not come again", who, operand);
    } else if (site.kind == SiteKind::NotFinite) {
      finding.kind = Kind::NotFinite;
      const double value = std::bit_cast<double>(arithmetic.operand);
      const bool isNan = std::isnan(value);
      finding.summary =
          fmt::format("kernel '{}' makes {} of finite numbers", finding.kernel, isNan ? "NaN" : "an infinity");
      finding.party.what = isNan ? who + " gets NaN" : fmt::format("{} gets {}", who, value);
    } else {
      finding.kind = Kind::ConversionRange;
      const double value = std::bit_cast<double>(arithmetic.operand);
      finding.summary =
          fmt::format("kernel '{}' converts {} to an integer type that cannot hold it", finding.kernel, value);
      finding.party.what = fmt::format("{} converts {}, which gives no defined result", who, value);
    }
    if (groups_ & static_cast<unsigned>(textOf(finding.kind).group)) scene_.add(finding);
  }

private:
  const LaunchScene& scene_;
  const unsigned groups_;
};

}  // namespace

Check arithmeticCheck(const LaunchScene& scene, unsigned groups) {
  constexpr unsigned its = static_cast<unsigned>(Group::Arithmetic) | static_cast<unsigned>(Group::Overflow) |
                           static_cast<unsigned>(Group::NotFinite);
  return groups & its ? std::make_unique<ArithmeticCheck>(scene, groups) : nullptr;
}

}  // namespace clarity::check
