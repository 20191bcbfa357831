// SPDX-License-Identifier: Apache-2.0
// This file hands the application's calls to the checks of host programs.
#include "check/host/host_checker.h"

#include "check/host/host_checks.h"
#include "check/host/host_place.h"
#include "check/host/host_python.h"
#include "check/host/host_touch.h"
#include "check/host/host_watch.h"
#include "support/own_thread.h"

#include <fmt/format.h>
#include <unistd.h>

#include <errno.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace clarity::check {
namespace {

thread_local std::uint64_t commandOfThread = 0;
thread_local const void* callbackOfThread = nullptr;  ///< while it has made no call
std::atomic<HostChecker*> theChecker{nullptr};

/// So long may a call wait for a user event before it counts as one that is never set.
constexpr std::chrono::seconds oneThreadWaits{5}, severalThreadsWait{20};

/// Whether the process is `clarity exec`, whose lines say nothing of the kernel.
bool isOfTool() {
  static const bool is = std::string_view(program_invocation_short_name) == "clarity";
  return is;
}

/// Whether memory of the application is there: values are small.
bool canBeRead(std::uint64_t address, std::uint64_t bytes) {
  constexpr std::uint64_t leastAddress = 65536, most = 4096;
  std::array<std::byte, most> copy;
  return address >= leastAddress && PageWatch::read(copy.data(), address, std::min(bytes, most));
}

bool makesLaunches(const HostCall& call) {
  return call.is("clEnqueueNDRangeKernel") || call.is("clEnqueueTask") || call.is("clCommandNDRangeKernelKHR");
}

std::atomic<std::uint64_t> threads{0};

/// The number of threads that have made calls.
std::uint64_t threadCount() { return threads.load(); }
std::uint64_t threadNumber() {
  thread_local const std::uint64_t number = ++threads;
  return number;
}

}  // namespace

struct HostChecker::State {
  State(Reporter& reporter, unsigned groups, const HostServices& services) : scene(reporter, groups, services) {}

  std::mutex mutex;
  HostScene scene;
  std::vector<HostCheckRef> checks;
  std::atomic<std::uint64_t> calls{0};
  const pid_t process = ::getpid();  ///< a child has other objects

  /// The last calls that made launches.
  std::deque<CallSite> launches;
  void remember(const HostCall& call);

  /// Accesses of commands whose call has not returned.
  std::unordered_map<std::uint64_t, std::vector<MemoryAccess>> early;

  template <class Act>
  void forAll(const Act& act) {
    for (const HostCheckRef& check : checks) act(*check);
  }

  /// Ends user events that a call waits for and that are never set.
  void watch();
  std::condition_variable waiting;
  bool watches = false;
  /// Releases the events of commands as these end: the application has released a context or a command-queue, which
  /// the events keep, and may wait for its end.
  void collect();
  bool collects = false, isFinished = false;

  struct Callback {
    State& state;
    CallSite site;
    void(CL_CALLBACK* function)(cl_event, cl_int, void*);
    void* data;
  };
  /// Callbacks of events that have not ended, nor made a call.
  std::map<const void*, cl_event> callbacks;
  /// The program goes on, and maybe ends, behind those whose commands are known to have ended.
  void awaitCallbacks(std::unique_lock<std::mutex>& lock);
  static void CL_CALLBACK callBack(cl_event event, cl_int status, void* data);
  /// A callback of another function than clSetEventCallback, the object that it is about, and the application's data.
  struct ObjectCallback {
    State& state;
    CallSite site;
    void(CL_CALLBACK* function)(void*, void*);
    void* data;
  };
  static void CL_CALLBACK callBackOfObject(void* object, void* data);
  void wrapCallback(HostCall& call);
};

HostChecker::HostChecker(Reporter& reporter, unsigned groups, const HostServices& services)
    : state_(std::make_unique<State>(reporter, groups, services)) {
  theChecker = this;
  HostScene& scene = state_->scene;
  const auto has = [&](Group group) { return (groups & static_cast<unsigned>(group)) != 0; };
  // It names the objects for all.
  state_->checks.push_back(lifetimeCheck(scene));
  if (has(Group::Host))
    for (const auto make : {memorySizeCheck, errorCheck, transferCheck, mappingCheck, argumentCheck, layoutCheck,
                            progressCheck, threadCheck, sharedMemoryCheck, namedMemoryCheck, warningCheck})
      state_->checks.push_back(make(scene));
  if (has(Group::Host) && has(Group::Uninitialised)) state_->checks.push_back(readBackCheck(scene));
  if (has(Group::Races)) state_->checks.push_back(commandRaceCheck(scene));
  reporter.setMemory([this](std::uint64_t address) { return memoryOf(address); });
  reporter.setLaunches([this](std::uint64_t call) { return launchOf(call); });
  scene.order.onKnown = [this](HostCommand& command) {
    state_->forAll([&](HostCheck& check) { check.known(command); });
  };
  scene.order.onEnqueued = [this](const CommandRef& command, const HostCall& call) {
    if (const auto found = state_->early.find(call.number); found != state_->early.end()) {
      command->accesses = std::move(found->second);
      state_->early.erase(found);
    }
    state_->forAll([&](HostCheck& check) { check.enqueued(command, call); });
  };
}

HostChecker::~HostChecker() { theChecker = nullptr; }

HostMemoryOf HostChecker::memoryOf(std::uint64_t address) noexcept {
  if (isOfTool()) return {};
  try {
    const std::lock_guard lock(state_->mutex);
    const HostScene& scene = state_->scene;
    const HostObject* found = nullptr;
    unsigned users = 0;  // of memory of the application
    for (const auto& [handle, object] : scene.objects.all()) {
      const bool isShared = object.kind == ValueKind::Pointer;
      if (object.isDead() || (object.kind != ValueKind::Memory && !isShared)) continue;
      const std::uint64_t begin = isShared ? handle : scene.services.addressOf(Value{.bits = handle}.as<cl_mem>());
      if (begin == 0 || address - begin >= object.bytes) continue;
      if (!found || object.bytes < found->bytes) found = &object;
      users += (object.flags & CL_MEM_USE_HOST_PTR) != 0 && object.parent == 0;
    }
    if (!found) return {};
    const bool isReported = (scene.groups & static_cast<unsigned>(Group::Host)) != 0;
    return {
        {placeOf(found->created.frames), fmt::format("{}, of {} bytes, was created here", found->name, found->bytes)},
        users > 1 && isReported};
  } catch (const std::exception&) {
    return {};
  }
}

Party HostChecker::launchOf(std::uint64_t call) noexcept {
  try {
    const std::lock_guard lock(state_->mutex);
    const auto& launches = state_->launches;
    const auto found = std::ranges::find(launches, call, &CallSite::number);
    return found == launches.end() || isOfTool() ? Party{} : Party{placeOf(found->frames), {}};
  } catch (const std::exception&) {
    return {};
  }
}

void HostChecker::State::remember(const HostCall& call) {
  constexpr std::size_t most = 4096;
  launches.emplace_back(call);
  if (launches.size() > most) launches.pop_front();
}

void HostChecker::State::callBack(cl_event event, cl_int status, void* data) {
  const std::unique_ptr<Callback> own(static_cast<Callback*>(data));
  State& state = own->state;
  {
    const std::lock_guard lock(state.mutex);
    if (status <= CL_COMPLETE) state.scene.order.endedInCallback(event, ++state.calls);
    state.forAll([&](HostCheck& check) { check.callbackBegins(own->site); });
  }
  callbackOfThread = own.get();
  own->function(event, status, own->data);
  callbackOfThread = nullptr;
  const std::lock_guard lock(state.mutex);
  state.forAll([&](HostCheck& check) { check.callbackEnds(); });
  state.callbacks.erase(own.get());
  state.waiting.notify_all();
}

void HostChecker::State::callBackOfObject(void* object, void* data) {
  const std::unique_ptr<ObjectCallback> own(static_cast<ObjectCallback*>(data));
  State& state = own->state;
  {
    const std::lock_guard lock(state.mutex);
    state.forAll([&](HostCheck& check) { check.callbackBegins(own->site); });
  }
  own->function(object, own->data);
  const std::lock_guard lock(state.mutex);
  state.forAll([&](HostCheck& check) { check.callbackEnds(); });
}

void HostChecker::State::wrapCallback(HostCall& call) {
  using ObjectFunction = void(CL_CALLBACK*)(void*, void*);
  const bool isOfObject = call.is("clBuildProgram") || call.is("clCompileProgram") || call.is("clLinkProgram") ||
                          call.is("clSetMemObjectDestructorCallback") || call.is("clSetContextDestructorCallback") ||
                          call.is("clSetProgramReleaseCallback");
  if (const auto function = call.at<ObjectFunction>("pfn_notify"); isOfObject && function) {
    // Where the call fails, nothing calls it, and it is lost.
    call.set("user_data",
             static_cast<void*>(new ObjectCallback{*this, CallSite(call), function, call.at<void*>("user_data")}));
    call.set("pfn_notify", ObjectFunction{&callBackOfObject});
    return;
  }
  using Function = void(CL_CALLBACK*)(cl_event, cl_int, void*);
  const auto function = call.at<Function>("pfn_notify");
  if (!call.is("clSetEventCallback") || !function) return;
  auto own = std::make_unique<Callback>(*this, CallSite(call), function, call.at<void*>("user_data"));
  if (call.at<cl_int>("command_exec_callback_type") == CL_COMPLETE) callbacks[own.get()] = call.at<cl_event>("event");
  call.set("pfn_notify", Function{&callBack});
  call.set("user_data", static_cast<void*>(own.release()));
}

void HostChecker::State::awaitCallbacks(std::unique_lock<std::mutex>& lock) {
  constexpr std::chrono::milliseconds most{100};
  if (callbacks.empty()) return;
  waiting.wait_for(lock, most, [&] {
    return std::ranges::none_of(callbacks, [&](const auto& each) {
      const CommandRef command = scene.order.commandOf(each.second);
      return !command || command->knownAt != 0;
    });
  });
}

void HostChecker::State::watch() {
  std::unique_lock lock(mutex);
  for (;;) {
    waiting.wait(lock, [&] { return !scene.waits.empty(); });
    const auto [call, waits] = *scene.waits.begin();
    // Another thread of the application may still set them.
    waiting.wait_for(lock, threadCount() > 1 ? severalThreadsWait : oneThreadWaits,
                     [&, number = call] { return !scene.waits.contains(number); });
    if (!scene.waits.contains(call)) continue;
    scene.waits.erase(call);
    for (const HostScene::Wait& wait : waits) {
      if (wait.event->setAt != 0 || !wait.event->event) continue;
      scene.report(Kind::UserEventUnset, wait.event->site,
                   "a call waits for a user event whose status is never set: it would never return",
                   "the user event was created here; it is ended with an error so that the program goes on",
                   {{wait.site, fmt::format("{} waits for it", wait.site.name())}});
      wait.event->setAt = ++calls;
      lock.unlock();
      scene.services.endUserEvent(wait.event->event, CL_INVALID_OPERATION);
      lock.lock();
    }
  }
}

void HostChecker::State::collect() {
  constexpr std::chrono::milliseconds pause{20};
  for (bool anyLeft = true; anyLeft;) {
    std::this_thread::sleep_for(pause);
    std::vector<cl_event> dropped;
    {
      const std::lock_guard lock(mutex);
      if (isFinished) return;
      anyLeft = scene.order.forgetEnded();
      dropped = scene.order.takeDropped();
      collects = anyLeft;
    }
    for (const cl_event event : dropped) scene.services.releaseEvent(event);
  }
}

void HostChecker::before(HostCall& call) noexcept {
  try {
    const std::vector<StepWatch::Touch> touches = StepWatch::end();
    takeFrames(call.frames);
    if (const void* const place = pythonPlace()) {
      prepend(place, call.frames);
      if (call.is("clCreateBuffer") || call.is("clEnqueueWriteBuffer") || call.is("clEnqueueReadBuffer"))
        call.array = pythonArray(call.at(call.has("ptr") ? "ptr" : "host_ptr"));
    }
    call.thread = threadNumber();
    const std::lock_guard lock(state_->mutex);
    call.number = state_->scene.now = ++state_->calls;
    call.hasValue = call.is("clSetKernelArg") && canBeRead(call.at("arg_value"), call.at("arg_size"));
    if (!touches.empty()) state_->forAll([&](HostCheck& check) { check.touched(touches); });
    state_->forAll([&](HostCheck& check) { check.before(call); });
    state_->scene.order.before(call);
    state_->wrapCallback(call);
    if (callbackOfThread) {
      state_->callbacks.erase(std::exchange(callbackOfThread, nullptr));
      state_->waiting.notify_all();
    }
    if (!state_->scene.waits.empty()) {
      if (!std::exchange(state_->watches, true)) support::runOnOwnThread([state = state_.get()] { state->watch(); });
      state_->waiting.notify_all();
    }
    commandOfThread = call.number | (state_->scene.order.mayBeParallel() ? 0 : onlyNamed);
    if (makesLaunches(call)) state_->remember(call);
  } catch (const std::exception&) {
    // No memory: this call is not checked.
  }
}

void HostChecker::after(HostCall& call) noexcept {
  try {
    commandOfThread = 0;
    if (call.is("clSetEventCallback") && call.error != CL_SUCCESS) {
      const std::lock_guard lock(state_->mutex);
      const std::unique_ptr<State::Callback> lost(call.at<State::Callback*>("user_data"));
      state_->callbacks.erase(lost.get());
    }
    std::vector<cl_event> dropped;
    std::vector<StepWatch::Range> stepped;
    unsigned pause = 0;
    {
      std::unique_lock lock(state_->mutex);
      state_->forAll([&](HostCheck& check) { check.answered(call); });
      // Objects first: the others name them.
      for (std::size_t i = 0; i < state_->checks.size(); ++i) {
        state_->checks[i]->after(call);
        if (i == 0) state_->scene.order.after(call);
      }
      const bool isRelease = call.is("clReleaseContext") || call.is("clReleaseCommandQueue");
      if (isRelease && !state_->scene.order.live().empty() && !std::exchange(state_->collects, true))
        support::runOnOwnThread([state = state_.get()] { state->collect(); });
      dropped = state_->scene.order.takeDropped();
      pause = std::exchange(state_->scene.pauseMicroseconds, 0);
      stepped = std::exchange(state_->scene.stepped, {});
      if (call.is("clFinish") || call.is("clWaitForEvents")) state_->awaitCallbacks(lock);
    }
    state_->waiting.notify_all();
    if (pause) std::this_thread::sleep_for(std::chrono::microseconds(pause));
    for (const cl_event event : dropped) state_->scene.services.releaseEvent(event);
    if (!stepped.empty() && StepWatch::isPossible()) StepWatch::begin(std::move(stepped));
  } catch (const std::exception&) {
  }
}

void HostChecker::finish(int exitStatus) noexcept {
  if (::getpid() != state_->process) return;
  try {
    const std::vector<StepWatch::Touch> touches = StepWatch::end();
    const std::lock_guard lock(state_->mutex);
    if (!touches.empty()) state_->forAll([&](HostCheck& check) { check.touched(touches); });
    state_->isFinished = true;
    state_->scene.order.finish(++state_->calls);
    // Leaks, which the first check finds, may come of another mistake.
    for (std::size_t i = 1; i <= state_->checks.size(); ++i)
      state_->checks[i % state_->checks.size()]->finish(exitStatus);
  } catch (const std::exception&) {
  }
}

std::uint64_t HostChecker::currentCommand() noexcept { return commandOfThread; }

void HostChecker::accessed(std::uint64_t command, std::vector<MemoryAccess> accesses) noexcept {
  HostChecker* const checker = theChecker;
  if (!checker || command == 0) return;
  try {
    State& state = *checker->state_;
    const std::lock_guard lock(state.mutex);
    if (const CommandRef found = state.scene.order.commandOf(command))
      found->accesses = std::move(accesses);
    else
      state.early[command] = std::move(accesses);
  } catch (const std::exception&) {
  }
}

}  // namespace clarity::check
