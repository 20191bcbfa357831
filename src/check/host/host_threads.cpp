// SPDX-License-Identifier: Apache-2.0
// This file finds kernel objects that threads use without a lock: another thread changes an argument between the
// clSetKernelArg of a thread and its launch.
#include "check/host/host_checks.h"

#include <fmt/format.h>

#include <map>

namespace clarity::check {
namespace {

class ThreadCheck final : public HostCheck {
public:
  explicit ThreadCheck(HostScene& scene) : scene_(scene) {}

  void after(const HostCall& call) override {
    if (call.error != CL_SUCCESS) return;
    if (call.info.begins("clSetKernelArg")) {
      Shared& kernel = kernels_[call.at("kernel")];
      const auto index = call.at<cl_uint>("arg_index");
      kernel.last[index] = CallSite(call);
      kernel.set[call.thread][index] = CallSite(call);
      // Where another thread uses the kernel too, it is given the time to come in between.
      const HostObject* const object = scene_.objects.find(call.at("kernel"));
      if (object && object->created.thread != call.thread) scene_.pauseMicroseconds = 500;
    } else if (call.is("clReleaseKernel")) {
      const HostObject* const object = scene_.objects.find(call.at("kernel"));
      if (!object || !object->isDead()) return;
      kernels_.erase(call.at("kernel"));
      scene_.sharedKernels.erase(call.at("kernel"));
    }
  }

  void before(HostCall& call) override {
    if (!call.is("clEnqueueNDRangeKernel") && !call.is("clEnqueueTask")) return;
    const auto found = kernels_.find(call.at("kernel"));
    if (found == kernels_.end()) return;
    Shared& kernel = found->second;
    for (const auto& [index, own] : kernel.set[call.thread]) {
      const CallSite& last = kernel.last[index];
      if (last.thread == call.thread) continue;
      // The arguments that threads change by turns are one mistake.
      if (kernel.reported && *kernel.reported != index) continue;
      kernel.reported = index;
      scene_.sharedKernels.insert(call.at("kernel"));
      scene_.report(Kind::SharedKernel, CallSite(call),
                    fmt::format("another thread has changed argument {} of {} before this launch", index,
                                scene_.objects.nameOf(ValueKind::Kernel, call.at("kernel"))),
                    scene_.objects.inWords(call),
                    {{own, "this thread has set the argument here"}, {last, "the other thread has set it here"}});
      break;
    }
    kernel.set[call.thread].clear();
  }

private:
  struct Shared {
    std::map<cl_uint, CallSite> last;                          ///< by argument: who set it last
    std::map<std::uint64_t, std::map<cl_uint, CallSite>> set;  ///< by thread: since its last launch
    std::optional<cl_uint> reported{};                         ///< the argument that findings name
  };

  HostScene& scene_;
  std::map<std::uint64_t, Shared> kernels_;
};

}  // namespace

HostCheckRef threadCheck(HostScene& scene) { return std::make_unique<ThreadCheck>(scene); }

}  // namespace clarity::check
