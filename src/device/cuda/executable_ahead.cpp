// SPDX-License-Identifier: Apache-2.0
// This file makes code of launches on other threads: ahead of the first one, and instead of stand-ins.
#include "device/cuda/executable.h"

#include "device/host/code_ahead.h"
#include "device/host/image_facts.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace clarity::device::cuda {

bool CudaExecutable::mayStandIn(const compiler::KernelInfo& info) const {
  return quickFirst_ && mayBeSlowToMake(info) && !info.reductions && !host::usesImages(info) && !isConstructors(info);
}

compiler::Shape CudaExecutable::standInShape(const compiler::KernelInfo& info, compiler::Shape kind) {
  kind.local = info.requiredLocalSize;
  kind.distinctBuffers = false;  // it serves launches with any buffers and numbers
  kind.constants.clear();
  // With a required size it is the code of the launches' own shape, but for several work-items a thread.
  kind.quick = kind.local[0] == 0;
  return kind;
}

bool CudaExecutable::hasRoom(const Code& code, const Launch& launch) {
  const auto& local = launch.range.local;
  return local[0] * local[1] * local[2] <= code.maxThreads;
}

void CudaExecutable::prepareKernel(const compiler::KernelInfo& info) {
  makeStandInAhead(info, preparations_);
  // Programs that ask for a kernel's work-group size before they create the next one would have them made in turn.
  if (preparesOthers_.test_and_set()) return;
  std::size_t besides = std::max(std::thread::hardware_concurrency(), 1U) - 1;
  for (const compiler::KernelInfo& other : compiled_->kernels) {
    if (besides == 0) return;
    if (&other == &info || !mayStandIn(other)) continue;
    makeStandInAhead(other, othersAhead_);
    --besides;
  }
}

void CudaExecutable::makeStandInAhead(const compiler::KernelInfo& info, const std::shared_ptr<Preparations>& among) {
  if (!mayStandIn(info)) return;
  const compiler::Shape shape = standInShape(info, {});
  auto pending = Preparations::begin(among, {indexOf(info), shape});
  if (!pending) return;
  // `pending` is destroyed with the work, also with work that is dropped.
  host::compileAhead(weak_from_this(), [&info, shape, pending = std::move(pending)](Executable& self) {
    Result result;
    (void)static_cast<CudaExecutable&>(self).make(info, shape, result, compiler::IfNotKept::GenerateAhead);
  });
}

std::size_t CudaExecutable::largestGroup(const compiler::KernelInfo& info) {
  if (!mayStandIn(info)) return 0;
  Result result;  // a launch has the same error
  const Code* const standIn = make(info, standInShape(info, {}), result);
  return standIn && standIn->seconds >= slowToMake ? standIn->maxThreads : 0;
}

const Code* CudaExecutable::makeOwnOrStandIn(const Launch& launch, const compiler::Shape& kind,
                                             const compiler::Shape& own, Result& result, bool& isStandIn) {
  const compiler::KernelInfo& info = *launch.info;
  Result kept;
  if (const Code* const code = makeExact(own, launch, kept, compiler::IfNotKept::Leave)) return code;
  const compiler::Shape standInShape = CudaExecutable::standInShape(info, kind);
  const Table::Entry* const known = tableOf(info).find(standInShape);
  // Until it is known which of both is wanted, both are made.
  if (!known) makeAhead(own, launch);
  const Code* const standIn = known ? known->code.get() : make(info, standInShape, result);
  if (!standIn || standIn->seconds < noticed || !hasRoom(*standIn, launch)) {
    result = {};
    return makeExact(own, launch, result);
  }
  standIns_.begin({indexOf(info), own});
  if (standIn->seconds < slowToMake)
    makeAhead(own, launch);
  else
    // Programs that measure their kernels do so from here on: the first launch waits for all kernels that there are.
    preparations_->wait();
  isStandIn = true;
  return standIn;
}

void CudaExecutable::prepareAhead(const Launch& launch, Runs) {
  LaunchCode code;
  const compiler::KernelInfo& info = *launch.info;
  // The shape of reductions depends on addresses, and images may be none yet.
  if (info.reductions || host::usesImages(info) || !host::hasFullGroups(launch.range) || find(launch, code)) return;
  if (mayStandIn(info)) return;  // prepareKernel() has begun
  makeAhead(ownShape(launch, kindOf(launch)), launch);
}

void CudaExecutable::launchedStandIn(const Launch& launch, const Code& standIn) {
  const compiler::Shape shape = ownShape(launch, kindOf(launch));
  if (standIns_.isWorthOwnCode({indexOf(*launch.info), shape}, standIn.seconds)) makeAhead(shape, launch);
}

void CudaExecutable::makeAhead(const compiler::Shape& shape, const Launch& launch) {
  const std::size_t kernel = indexOf(*launch.info);
  auto pending = Preparations::begin(ownAhead_, {kernel, shape});
  if (!pending) return;
  // The sizes of the launch alone: arguments and buffers may be gone by then.
  Launch sizes;
  sizes.info = &compiled_->kernels[kernel];
  sizes.range = launch.range;
  sizes.whole = launch.whole;
  sizes.localBytes = launch.localBytes;
  host::compileAhead(
      weak_from_this(), [sizes = std::move(sizes), shape, pending = std::move(pending)](Executable& self) {
        Result result;
        (void)static_cast<CudaExecutable&>(self).makeExact(shape, sizes, result, compiler::IfNotKept::GenerateAhead);
      });
}

}  // namespace clarity::device::cuda
