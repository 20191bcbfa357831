// SPDX-License-Identifier: Apache-2.0
// This file is a program on the CPU: native code compiled when it is first needed, launches divided among workers.
#pragma once

#include "device/cpu/kernel_code.h"
#include "device/cpu/private_reductions.h"
#include "device/cpu/variable_storage.h"
#include "device/executable.h"
#include "device/host/workers.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>

namespace clarity::device::cpu {

/// The source of native code: compiler::generateNative, or a function of a test.
using Generate = std::function<compiler::NativeOutcome(const compiler::CompiledProgram&, std::string_view kernel,
                                                       const compiler::Shape&, const compiler::Target&,
                                                       std::byte* variables, compiler::IfNotKept)>;

/// A launch that is about to run: its code and its reductions.
struct PreparedLaunch {
  KernelCode* kernel = nullptr;
  KernelCode::Choice code;
  Reductions reductions;
  compiler::Shape kind;    ///< the shape of the launch's code, as if it were full code
  bool isQuick = false;    ///< it is quick code
  double compileTime = 0;  ///< nanoseconds that it took to compile quick code; 0: it was there or in the cache
};

/// Bytes that a launch may expect to find again in caches.
struct CacheSizes {
  std::uint64_t secondLevel = 0, lastLevel = 0;
};

/// device::Executable for the CPU.
class CpuExecutable final : public Executable {
public:
  /// std::bad_alloc when there is no memory for the program's variables. `quickFirst`: small first launches get quick
  /// code.
  CpuExecutable(std::shared_ptr<const compiler::CompiledProgram> compiled, const compiler::Target& target,
                std::shared_ptr<host::Workers> workers, std::shared_ptr<Allocator> allocator, std::size_t printfBytes,
                CacheSizes caches, Generate generate, bool quickFirst = false);
  ~CpuExecutable() override;

  void prepareAhead(const Launch&, Runs) override;
  /// Compiles what the launch needs and is not there yet; runs the constructors of the program's objects ahead of its
  /// first launch. `args` of the launch hold the addresses of buffers. For launches that run often: full code.
  Result prepare(const Launch&, PreparedLaunch&, Runs = Runs::Once);
  /// Runs a launch and all that it enqueues to the end on the calling thread and the device's workers, after prepare().
  /// `ended`: set to when the kernel itself has ended if it enqueues others.
  Result run(const Launch&, const PreparedLaunch&, std::uint64_t* ended = nullptr);

private:
  /// The same on some workers, without what the launch enqueues.
  Result runOn(host::Workers&, const Launch&, const PreparedLaunch&);
  /// A launch of a kernel that enqueues others, and these.
  Result runWithChildren(const Launch&, const PreparedLaunch&, std::uint64_t* ended);
  KernelCode* codeOf(const compiler::KernelInfo&);
  /// The shape of the launch's code but for the work-group size.
  compiler::Shape kindOf(const Launch&, const Reductions&, const KernelCode&) const;
  /// The same in place, into a new shape: a copy would wait for the members that were just written.
  void findKind(const Launch&, const Reductions&, const KernelCode&, compiler::Shape&) const;
  /// Has the launch's code compiled.
  Result choose(const Launch&, PreparedLaunch&, Runs);
  /// Whether quick code may serve the launch if it is the first.
  bool mayBeQuick(const Launch&, const compiler::Shape& kind) const;
  /// Whether many work-items along x and y run so long that it may pay to copy what they read in common.
  static bool runsLong(const Launch&);
  /// Whether what they read in common leaves the caches before it is read again.
  bool readsFar(const Launch&) const;
  /// Roughly; 0 if nothing is known.
  static double instructionsOfItem(const Launch&);
  enum class CacheRead { AtOnce, Later };
  /// prepareAhead(), which reads the cache on the calling thread or on the one that compiles.
  void makeAhead(const Launch&, Runs, CacheRead);
  /// Takes full code, or quick code where that serves, from the cache; false if it has neither.
  bool loadKept(KernelCode&, const compiler::KernelInfo&, const NDRange&, const compiler::Shape& kind,
                bool isQuick) const;
  /// Has full code or quick code of a kind compiled on another thread, as long as this object lives.
  void scheduleAhead(KernelCode&, const NDRange&, const compiler::Shape& kind, bool isQuick, CacheRead);
  /// For a launch whose code has left a slice: code that says why.
  Result checkedCode(const Launch&, KernelCode&, const compiler::NativeKernel*& kernel) const;
  /// Runs the constructors of program-scope objects.
  Result runConstructors(const compiler::KernelInfo&);

  std::shared_ptr<const compiler::CompiledProgram> compiled_;
  compiler::Target target_;
  std::shared_ptr<host::Workers> workers_;
  std::size_t printfBytes_;
  CacheSizes caches_;
  bool hasQuickCode_;
  VariableStorage variables_;  ///< shared by all code of all kernels
  MakeCode makeCode_;
  std::unique_ptr<KernelCode[]> kernels_;  ///< as many as compiled_->kernels
  host::Constructors constructors_;
};

}  // namespace clarity::device::cpu
