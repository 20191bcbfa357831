// SPDX-License-Identifier: Apache-2.0
// This file is a program on an NVIDIA GPU: PTX made for a kernel and a shape when it is first launched, and loaded.
#pragma once

#include "compiler/nvptx/launch_abi.h"
#include "compiler/ptx/nvptx_code.h"
#include "device/cuda/memory.h"
#include "device/cuda/stand_ins.h"
#include "device/executable.h"
#include "device/host/code_table.h"
#include "device/host/constant_arguments.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clarity::device::cuda {

/// A module of the driver, unloaded when this goes.
class Module {
public:
  /// `module` may be null.
  Module(std::shared_ptr<const Gpu> gpu, CuModule module) : gpu_(std::move(gpu)), module_(module) {}
  Module(Module&& other) noexcept : gpu_(std::move(other.gpu_)), module_(std::exchange(other.module_, nullptr)) {}
  Module& operator=(Module&&) = delete;
  ~Module();
  CuModule get() const { return module_; }
  const Gpu& gpu() const { return *gpu_; }

private:
  std::shared_ptr<const Gpu> gpu_;
  CuModule module_;
};

/// A loaded kernel of one shape. Unloaded when its executable goes, and no graph of a launch has it (TimedLaunch).
class Code : public std::enable_shared_from_this<Code> {
public:
  Code(Module module, CuFunction function, const compiler::NvptxCodeContent& content);
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;

private:
  Module module_;

public:
  const CuFunction function;
  const compiler::nvptx::Tile tile;
  const bool signalsEnd;  ///< it reads LaunchInfo::endFlag
  const double seconds;   ///< estimate of what it takes to make
  /// Whether that is so long that launches had better share it.
  bool isLarge() const { return seconds > 1; }
  const std::vector<compiler::nvptx::CountedPlace> counted;  ///< places of counted code
  CuPointer counters = 0;                                    ///< counters of counted code, in the module
  std::size_t countedBytes = 0;
  // Limits of the kernel that a launch has to keep to.
  int registers = 0;               ///< registers of a thread
  std::uint64_t privateBytes = 0;  ///< a thread's memory for what is not in registers
  unsigned maxThreads = 0;         ///< threads of a block, for the registers that there are
  std::uint64_t ownShared = 0;     ///< bytes of a block beside a launch's local memory

  /// Blocks of so many threads and bytes of shared memory that a multiprocessor executes at once, as the driver says
  /// it; that the whole GPU does.
  std::uint64_t blocksOfMultiprocessor(unsigned threads, std::uint64_t sharedBytes) const;
  std::uint64_t blocksAtOnce(unsigned threads, std::uint64_t sharedBytes) const;
  /// Tells a profile of a launch, unless the one before was the same.
  void tellProfile(const Launch&, const CuKernelNode&) const;

private:
  mutable std::atomic<std::uint64_t> told_{0};  ///< the sizes of the last one that was told, as one number
};

/// The code of a launch: for its work-group size, for work-groups of any size at the upper edges of a range that is no
/// multiple of it, or both.
struct LaunchCode {
  const Code* exact = nullptr;
  const Code* any = nullptr;
  bool complete = false;   ///< all of it is there
  bool isStandIn = false;  ///< `exact` is a stand-in (stand_ins.h)
};

/// The blocks of a launch.
struct Blocks {
  std::array<unsigned, 3> grid{};     ///< how many
  std::array<unsigned, 3> threads{};  ///< threads of each block
  std::uint64_t groupBytes = 0;       ///< local memory from one work-group to the next in a block
  std::uint64_t sharedBytes = 0;      ///< shared memory of a block
  bool fits = false;                  ///< the tile divides the launch
};
Blocks blocksOf(const Code&, const Launch&, std::uint64_t mostShared);

class CudaExecutable final : public Executable {
public:
  /// `quickFirst`: launches of kernels that are slow to make begin with stand-in code (stand_ins.h). std::bad_alloc
  /// when the GPU has no memory for the program's variables.
  CudaExecutable(std::shared_ptr<const compiler::CompiledProgram>, std::shared_ptr<const Gpu>,
                 std::shared_ptr<CudaMemory>, compiler::Target, bool quickFirst);
  ~CudaExecutable() override;
  void prepareAhead(const Launch&, Runs) override;
  void prepareKernel(const compiler::KernelInfo&) override;
  std::size_t largestGroup(const compiler::KernelInfo&) override;

  /// The code for a launch if it is loaded; false if some of it has to be made.
  bool find(const Launch&, LaunchCode&) const;
  /// Makes it, or a stand-in; takes as long as a compile.
  Result make(const Launch&, LaunchCode&);
  /// Counted code of a launch in place of `code`, which it has: of the same tiles. Nothing if there is none.
  std::optional<LaunchCode> makeCounted(const Launch&, const LaunchCode& code);
  /// To be called for each launch of a stand-in: has its own code made on another thread when that pays.
  void launchedStandIn(const Launch&, const Code& standIn);
  host::Constructors& constructors() { return constructors_; }  ///< they run ahead of the program's first launch
  std::uint64_t mostShared() const;                             ///< bytes of local memory that a block may have

private:
  /// The most work-items that a thread may execute without that threads become too few for the GPU.
  std::uint32_t itemsPerThreadOf(const Launch&) const;
  using Table = host::CodeTable<const Code>;

  /// Has a thread of the code for the launch's full work-groups execute several work-items, where it has enough of
  /// them.
  void chooseItemsPerThread(compiler::Shape&, const Launch&) const;
  /// Whether blocks count in shared memory, where the kernel is such that they can.
  bool countsApart(const Launch&) const;
  bool fits(const Code&, const Launch&) const;
  /// Work-items of a launch that a multiprocessor executes at once.
  std::uint64_t itemsAtOnce(const Code&, const Launch&) const;
  /// Whether the code of a tile may be slower than code without one: a multiprocessor executes few work-items at once,
  /// or private variables are in memory. Whether it is, beside that.
  bool mayBeWorse(const Code& tiled, const Launch&) const;
  bool isWorse(const Code& tiled, const Code& plain, const Launch&) const;
  /// The shape of code for the launch's full work-groups; of a stand-in for it.
  compiler::Shape ownShape(const Launch&, const compiler::Shape& kind) const;
  static compiler::Shape standInShape(const compiler::KernelInfo&, compiler::Shape kind);
  /// The shape of code for groups of any size, in which a thread executes one work-item.
  compiler::Shape kindOf(const Launch&) const;
  /// Whether a block of the code may have as many threads as a work-group of the launch has work-items.
  static bool hasRoom(const Code&, const Launch&);
  /// Whether a launch of the kernel may have a stand-in. Not where images or reductions make its shape, nor where it
  /// is of the constructors, which run once.
  bool mayStandIn(const compiler::KernelInfo&) const;
  /// The code of a launch's full work-groups.
  const Code* makeExact(const compiler::Shape&, const Launch&, Result&,
                        compiler::IfNotKept = compiler::IfNotKept::Generate);
  const Code* make(const compiler::KernelInfo&, const compiler::Shape&, Result&,
                   compiler::IfNotKept = compiler::IfNotKept::Generate);
  std::shared_ptr<const Code> generate(std::string_view kernel, const compiler::Shape&, Result&,
                                       compiler::IfNotKept) const;
  /// Has a stand-in made on another thread.
  void makeStandInAhead(const compiler::KernelInfo&, const std::shared_ptr<Preparations>& among);
  /// makeExact(), or a stand-in if that takes long.
  const Code* makeOwnOrStandIn(const Launch&, const compiler::Shape& kind, const compiler::Shape& own, Result&,
                               bool& isStandIn);
  /// Has makeExact() called on another thread for a launch of these sizes.
  void makeAhead(const compiler::Shape&, const Launch&);
  /// The table of the kernel, or of the constructors.
  Table& tableOf(const compiler::KernelInfo& info) const { return tables_[indexOf(info)]; }
  std::size_t indexOf(const compiler::KernelInfo& info) const { return host::indexOf(*compiled_, info); }
  bool isConstructors(const compiler::KernelInfo& info) const { return indexOf(info) == compiled_->kernels.size(); }
  /// A launch that was looked up lately: the next ones are mostly like the last ones.
  struct Recent {
    const compiler::KernelInfo* info = nullptr;
    std::uint64_t localBytes = 0;
    std::array<std::size_t, 3> local{}, global{}, offset{};
    bool distinctBuffers = false, isPart = false;
    LaunchCode code{};
    bool isFor(const Launch&, bool distinctBuffers) const;
  };
  CuPointer variables() const { return variables_ ? static_cast<const CudaAllocation&>(*variables_).address() : 0; }
  void fillVariables();
  /// `isAhead`: no launch waits for it. `wasKept`: the disk cache had the machine code.
  Result load(CuModule&, const std::string& ptx, std::string_view kernel, bool isAhead, bool& wasKept) const;
  /// Writes the address of the program's variables into the module.
  Result bindVariables(CuModule) const;

  std::shared_ptr<const compiler::CompiledProgram> compiled_;
  std::shared_ptr<const Gpu> gpu_;
  std::shared_ptr<CudaMemory> memory_;
  compiler::Target target_;
  bool quickFirst_;
  std::unique_ptr<Allocation> variables_;
  std::unique_ptr<Table[]> tables_;                       ///< one for each kernel, and one for the constructors
  std::unique_ptr<host::ConstantArguments[]> constants_;  ///< likewise
  host::Constructors constructors_;
  StandIns standIns_;
  std::shared_ptr<Preparations> preparations_ = std::make_shared<Preparations>();  ///< stand-ins of kernels
  std::shared_ptr<Preparations> othersAhead_ = std::make_shared<Preparations>();   ///< code of kernels not created yet
  std::atomic_flag preparesOthers_;
  std::shared_ptr<Preparations> ownAhead_ = std::make_shared<Preparations>();  ///< code of launches' own shapes
  mutable std::mutex mutex_;
  // Guarded by mutex_.
  mutable std::array<Recent, 8> recent_;  ///< as many as a command of the library's own may take turns with
  mutable std::size_t oldest_ = 0;        ///< the next one of them to go
};

}  // namespace clarity::device::cuda
