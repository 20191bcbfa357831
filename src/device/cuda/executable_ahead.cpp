// SPDX-License-Identifier: Apache-2.0
// This file makes code of launches on other threads: ahead of the first one, and instead of stand-ins.
#include "device/cuda/executable.h"

#include "device/host/code_ahead.h"
#include "device/host/image_facts.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace clarity::device::cuda {
namespace {

/// Buffers that are arguments of a kernel.
std::size_t buffersOf(const compiler::KernelInfo& info) {
  return static_cast<std::size_t>(std::ranges::count(info.args, compiler::ArgKind::Buffer, &compiler::KernelArg::kind));
}

}  // namespace

bool CudaExecutable::mayStandIn(const compiler::KernelInfo& info) const {
  return quickFirst_ && isSlowToMake(info) && !info.reductions && !host::usesImages(info);
}

compiler::Shape CudaExecutable::standInShape(const compiler::KernelInfo& info, compiler::Shape kind) {
  kind.local = info.requiredLocalSize;
  kind.quick =
      kind.local[0] == 0;  // otherwise it is the code of the launches' own shape, but for several items a thread
  return kind;
}

bool CudaExecutable::hasRoom(const Code& code, const Launch& launch) {
  const auto& local = launch.range.local;
  return local[0] * local[1] * local[2] <= code.maxThreads;
}

void CudaExecutable::prepareKernel(const compiler::KernelInfo& info) {
  if (!mayStandIn(info)) return;
  compiler::Shape kind;
  // Launches mostly have buffers that do not overlap, and no more than 2^31 work-items.
  kind.distinctBuffers = buffersOf(info) >= 2;
  host::compileAhead([weak = weak_from_this(), &info, shape = standInShape(info, kind)] {
    const std::shared_ptr<Executable> held = weak.lock();
    if (!held) return;
    try {
      Result result;  // a launch has the same error
      (void)static_cast<CudaExecutable&>(*held).make(info, shape, result, compiler::IfNotKept::GenerateAhead);
    } catch (const std::exception&) {
    }
  });
}

void CudaExecutable::prepareAhead(const Launch& launch, Runs) {
  LaunchCode code;
  const compiler::KernelInfo& info = *launch.info;
  // The shape of reductions depends on addresses, and images may be none yet.
  if (info.reductions || host::usesImages(info) || !host::hasFullGroups(launch.range) || find(launch, code)) return;
  if (mayStandIn(info)) return;  // prepareKernel() has begun
  makeAhead(ownShape(launch, kindOf(launch)), launch);
}

void CudaExecutable::launchedStandIn(const Launch& launch) {
  const compiler::Shape shape = ownShape(launch, kindOf(launch));
  if (standIns_.isWorthOwnCode(indexOf(*launch.info), shape)) makeAhead(shape, launch);
}

void CudaExecutable::makeAhead(const compiler::Shape& shape, const Launch& launch) {
  // Of the launch, its sizes: arguments and buffers may be gone by then.
  Launch sizes;
  sizes.info = &compiled_->kernels[indexOf(*launch.info)];
  sizes.range = launch.range;
  sizes.localBytes = launch.localBytes;
  host::compileAhead([weak = weak_from_this(), sizes = std::move(sizes), shape] {
    const std::shared_ptr<Executable> held = weak.lock();
    if (!held) return;
    try {
      Result result;
      (void)static_cast<CudaExecutable&>(*held).makeExact(shape, sizes, result, compiler::IfNotKept::GenerateAhead);
    } catch (const std::exception&) {
    }
  });
}

}  // namespace clarity::device::cuda
