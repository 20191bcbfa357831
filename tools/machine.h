// SPDX-License-Identifier: Apache-2.0
// This file declares the peak rates of this machine or of its GPU, which the table of `clarity bench` relates to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace clarity::tools {

/// The time that a measurement may take.
enum class Effort { Quick, Normal };

struct MachineRates {
  std::string processor;  ///< "AMD EPYC ..."
  unsigned threads = 0;   ///< processors that this process may use; of a GPU its compute units
  double stream = 0;      ///< bytes/s of memory traffic, the best of copy and triad with plain and streaming stores
  std::string streamBy;   ///< which of them it was
  double fma = 0;         ///< single-precision operations/s in registers; a fused multiply-add is two
  std::string fmaBy;      ///< "AVX-512"
};

/// The most that caches and registers give, beside MachineRates: on all processors together.
struct MachineCeilings {
  struct Cache {
    unsigned level = 0;       ///< 1, 2, 3
    std::uint64_t bytes = 0;  ///< bytes of all caches of the level that these processors have
    double rate = 0;          ///< bytes/s that loads get from it
  };
  std::vector<Cache> caches;  ///< the nearest first; empty: the system does not say which there are
  /// Operations/s in registers, by type; a multiply-add is two. Zero: not measured.
  double doubles = 0, halves = 0, integers = 0;
};

/// Measures on all processors and keeps the best of all measurements. The speed of shared machines varies: to be
/// repeated at intervals during the measurements that the rates are compared with.
class MachineMeter {
public:
  explicit MachineMeter(Effort effort);
  ~MachineMeter();
  /// The first call is thorough, later ones are short (about a tenth of a second).
  void measure();
  const MachineRates& rates() const { return rates_; }
  /// Measures caches and types, with vectors of the width that measure() found best: about a fifth of a second.
  MachineCeilings ceilings() const;

private:
  struct Arrays;

  void measureStream(unsigned passes);
  void measureFma(unsigned passes, bool all);

  Effort effort_;
  MachineRates rates_;
  std::unique_ptr<Arrays> arrays_;
};

/// Bytes/s at which all processors together memcpy `bytes` from one place to another; every byte counts once.
double measureMemcpy(void* to, const void* from, size_t bytes, unsigned repetitions);

/// Processors this process may run on.
unsigned processorCount();

}  // namespace clarity::tools
