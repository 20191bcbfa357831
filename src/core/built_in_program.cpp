// SPDX-License-Identifier: Apache-2.0
// This file is the part of programs and kernels that is for built-in kernels (OpenCL 3.0, section 5.8.1): their source
// is compiled as any program's, and what they launch are functions of it.
#include "built_in/plan.h"
#include "built_in/program_source.h"
#include "core/build_options.h"
#include "core/error.h"
#include "core/kernel.h"
#include "core/memory.h"
#include "core/program_job.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>

namespace clarity::core {

bool Device::hasBuiltIn(const built_in::Kernel& kernel) const {
  return !kernel.needsDouble() || properties().doubleFpConfig != 0;
}

Program::Program(Context& context, std::span<const Ref<Device>> devices, std::vector<const built_in::Kernel*> kernels)
    : Program(context, std::vector<Ref<Device>>(devices.begin(), devices.end()), Origin::BuiltIn) {
  builtIns_ = std::move(kernels);
  std::ranges::sort(builtIns_, {}, &built_in::Kernel::name);
  builtIns_.erase(std::ranges::unique(builtIns_).begin(), builtIns_.end());
  source_ = std::make_shared<const std::string>(built_in::programSource(builtIns_));
  Job job{.verb = "build",
          .failure = CL_BUILD_PROGRAM_FAILURE,
          .badOptions = CL_INVALID_BUILD_OPTIONS,
          .devices = devices_,
          .options = std::string(built_in::programOptions),
          .argInfo = true,
          .make =
              [this](const Device& device) {
                std::string options(built_in::programOptions);
                if (device.properties().type == CL_DEVICE_TYPE_GPU) options += built_in::inStepOption;
                return compiler::build({compiler::Source::Kind::OpenCLC, *source_},
                                       compilerOptions(context_, std::move(options)), device.target());
              },
          .text = {}};
  for (const built_in::SourceFile& file : built_in::sourceFiles())
    job.text.add(std::string(file.name), std::make_shared<const std::string>(file.text));
  begin(job);
  start(std::move(job), {});
}

Program::~Program() = default;

const built_in::Kernel* Program::builtIn(std::string_view name) const noexcept {
  const auto found = std::ranges::lower_bound(builtIns_, name, {}, &built_in::Kernel::name);
  return found != builtIns_.end() && (*found)->name() == name ? *found : nullptr;
}

std::vector<std::string> Program::namesOfBuiltIns() const {
  std::vector<std::string> names;
  for (const built_in::Kernel* const each : builtIns_) names.push_back(each->name());
  return names;
}

std::shared_ptr<const Ref<Memory>> Program::scratch(std::size_t bytes) {
  // The smallest that is large enough, but none of which most would lie idle.
  constexpr std::size_t most = 16;
  RefPtr<Memory> found;
  {
    const std::lock_guard lock(mutex_);
    auto best = spareScratch_.end();
    for (auto each = spareScratch_.begin(); each != spareScratch_.end(); ++each)
      if ((*each)->size() >= bytes && (*each)->size() / 4 <= bytes &&
          (best == spareScratch_.end() || (*each)->size() < (*best)->size()))
        best = each;
    if (best != spareScratch_.end()) {
      found = RefPtr<Memory>(&best->get());
      spareScratch_.erase(best);
    }
    spareScratch_.reserve(most);  // so that giving back needs no memory
  }
  if (!found) {
    auto* const made = new Memory(context_, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS, bytes, nullptr, {});
    found = RefPtr<Memory>(made);
    made->handOut();  // arguments have handles
    made->release();
  }
  const Ref<Memory> memory(std::move(found));
  return {new Ref<Memory>(memory), [self = Ref<Program>(*this)](const Ref<Memory>* lent) {
            const std::unique_ptr<const Ref<Memory>> mine(lent);
            const std::lock_guard lock(self->mutex_);
            if (self->spareScratch_.size() < most) self->spareScratch_.push_back(*mine);
          }};
}

Kernel::Kernel(Program& program, const std::string& function, IsPass) : program_(program), name_(function) {
  program.attachKernel();
  try {
    findVariants();
    args_.resize(info().args.size());
    values_ = device::ArgBlock(info().argBlockBytes, alignof(std::uint64_t));
  } catch (...) {
    program.detachKernel();
    throw;
  }
}

void Kernel::withPass(const built_in::Pass& pass, std::span<const Ref<Memory>> scratch,
                      const std::function<void(Kernel&)>& use) {
  const std::lock_guard lock(passesMutex_);
  auto found = std::ranges::find(passes_, pass.function,
                                 [](const RefPtr<Kernel>& each) -> const std::string& { return each->name(); });
  if (found == passes_.end()) {
    auto* const made = new Kernel(program_, pass.function, IsPass{});
    found = passes_.insert(found, RefPtr<Kernel>(made));
    made->release();
  }
  (*found)->setArgsOfPass(pass, *this, scratch);
  use(**found);
}

std::shared_ptr<const Kernel::ScratchLeases> Kernel::scratch(std::span<const std::uint64_t> bytes,
                                                             const void* inOrder) {
  const auto lease = [&] {
    auto leases = std::make_shared<ScratchLeases>();
    for (const std::uint64_t each : bytes) leases->push_back(program().scratch(each));
    return leases;
  };
  if (!inOrder) return lease();
  // The command-queue's commands retain it: one at the same address later has none to wait for.
  const std::lock_guard lock(passesMutex_);
  auto& [queue, sizes, leases] = lastScratch_;
  if (queue != inOrder || !std::ranges::equal(sizes, bytes)) {
    leases = nullptr;  // so that the program may lend it again
    leases = lease();
    queue = inOrder;
    sizes.assign(bytes.begin(), bytes.end());
  }
  return leases;
}

std::vector<built_in::Argument> Kernel::argumentsOfPlan(std::vector<Ref<Memory>>& kept) const {
  std::vector<built_in::Argument> arguments(args_.size());
  for (cl_uint i = 0; i < args_.size(); ++i) {
    const compiler::KernelArg& arg = info().args[i];
    const ArgState& state = args_[i];
    built_in::Argument& made = arguments[i];
    // CL_INVALID_KERNEL_ARGS if the kernel argument values have not been specified.
    if (state.kind == ArgState::Kind::Unset) fail(CL_INVALID_KERNEL_ARGS, "{} is not set", describe(i));
    made.value = {values_.data() + arg.offset, arg.size};
    if (state.kind == ArgState::Kind::Memory) {
      kept.push_back(meantBy(state.memory, state.serial, i));
      const Memory& memory = kept.back();
      made = {.isNull = false,
              .bytes = memory.extent(),
              .root = &memory.root(),
              .offset = memory.origin(),
              .isReadOnly = memory.isReadOnly()};
    } else if (state.kind == ArgState::Kind::Pointer) {
      made.isNull = false;
      if (const auto place = context().sharedMemory().find(state.pointer)) {
        kept.push_back(place->memory);
        made.bytes = place->memory->size() - place->offset;
        made.root = &place->memory->root();
        made.offset = place->offset;
      }
    }
  }
  return arguments;
}

void Kernel::setArgsOfPass(const built_in::Pass& pass, const Kernel& whole, std::span<const Ref<Memory>> scratch) {
  using Kind = built_in::PassArgument::Kind;
  failIf(pass.arguments.size() != args_.size(), CL_INVALID_KERNEL_DEFINITION, "'{}' has {} arguments and is given {}",
         name_, args_.size(), pass.arguments.size());
  for (cl_uint i = 0; i < args_.size(); ++i) {
    const built_in::PassArgument& from = pass.arguments[i];
    std::byte* const value = values_.data() + info().args[i].offset;
    ArgState& state = args_[i];
    state.kind = ArgState::Kind::Value;
    if (from.kind == Kind::Argument) {
      state = whole.args_[from.number];
      state.buffer.argument = i;
      const compiler::KernelArg& its = whole.info().args[from.number];
      failIf(its.size != info().args[i].size, CL_INVALID_ARG_SIZE, "'{}', argument {} has {} bytes and is given {}",
             name_, i, info().args[i].size, its.size);
      std::memcpy(value, whole.values_.data() + its.offset, its.size);
    } else if (from.kind == Kind::Value) {
      failIf(from.bytes != info().args[i].size, CL_INVALID_ARG_SIZE, "'{}', argument {} has {} bytes and is given {}",
             name_, i, info().args[i].size, from.bytes);
      std::memcpy(value, from.value.data(), from.bytes);
    } else if (from.kind == Kind::Scratch) {
      setMemory(i, scratch[from.number]);
    } else if (from.kind == Kind::Local) {
      state.kind = ArgState::Kind::Local;
      state.localSize = from.localBytes;
    } else {
      std::memset(value, 0, info().args[i].size);
    }
  }
  makeReady();
}

}  // namespace clarity::core
