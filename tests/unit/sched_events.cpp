// SPDX-License-Identifier: Apache-2.0
// This file tests the event graph: what runs when, what errors do, which callbacks are called.
#include "core_fake_device.h"
#include "device/cpu/allocator.h"
#include "device/cpu/executable.h"
#include "sched/command.h"
#include "sched/event.h"
#include "sched/queue.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace clarity::test {
namespace {

using core::Ref;
using device::Result;
using sched::Event;
using sched::Order;
using sched::Queue;

/// Commands that call a function: host functions, for which a thread is woken at once, and launches of one work-item,
/// which wait until something needs them.
class Actions {
public:
  std::unique_ptr<sched::Command> make(std::function<Result()> function, bool heavy) {
    std::function<Result()>* kept = nullptr;
    {
      const std::lock_guard lock(mutex_);
      kept = &functions_.emplace_back(std::move(function));
    }
    if (heavy) {
      device::HostFunction call{.function = [](void* args) { callFrom(static_cast<std::byte*>(args)); }};
      call.args.resize(sizeof kept);
      std::memcpy(call.args.data(), &kept, sizeof kept);
      return sched::Command::of(CL_COMMAND_NATIVE_KERNEL, std::move(call), {});
    }
    device::Launch launch{.executable = executable_.get(), .info = &compiled_->kernels[0]};
    launch.args.resize(sizeof kept);
    std::memcpy(launch.args.data(), &kept, sizeof kept);
    return sched::Command::of(CL_COMMAND_NATIVE_KERNEL, std::move(launch), {});
  }

private:
  static std::shared_ptr<compiler::CompiledProgram> compiled() {
    auto compiled = std::make_shared<compiler::CompiledProgram>();
    compiled->kernels.resize(1);
    compiled->kernels[0].name = "action";
    compiled->kernels[0].argBlockBytes = sizeof(void*);
    compiled->kernels[0].groupAgnostic = true;
    return compiled;
  }
  static compiler::NativeOutcome generate() {
    compiler::NativeOutcome outcome;
    outcome.kernel = std::make_shared<compiler::NativeKernel>();
    outcome.kernel->groupAgnostic = true;
    outcome.kernel->entry = [](const std::byte* args, const compiler::LaunchInfo*, const compiler::Slice*,
                               const compiler::WorkerMemory*) { callFrom(args); };
    return outcome;
  }
  static void callFrom(const std::byte* args) {
    std::function<Result()>* function = nullptr;
    std::memcpy(&function, args, sizeof function);
    if (const Result result = (*function)(); !result) throw std::runtime_error(result.text);
  }

  std::mutex mutex_;
  std::deque<std::function<Result()>> functions_;
  std::shared_ptr<compiler::CompiledProgram> compiled_ = compiled();
  std::shared_ptr<device::cpu::CpuExecutable> executable_ = std::make_shared<device::cpu::CpuExecutable>(
      compiled_, compiler::Target{}, std::make_shared<device::host::Workers>(1),
      std::make_shared<device::cpu::Allocator>(1 << 20), 1 << 20, device::cpu::CacheSizes{},
      [](const compiler::CompiledProgram&, std::string_view, const compiler::Shape&, const compiler::Target&,
         std::byte*, compiler::IfNotKept) { return generate(); });
};

/// A condition that threads wait for, with a limit that only a broken scheduler reaches.
class Signal {
public:
  void set() {
    const std::lock_guard lock(mutex_);
    set_ = true;
    changed_.notify_all();
  }
  bool wait() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(60), [&] { return set_; });
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool set_ = false;
};

struct Scheduling : FakeContext {
  Actions actions;
  std::vector<Event*> events;
  std::vector<Queue*> queues;
  std::mutex logMutex;
  std::vector<int> log;

  ~Scheduling() override {
    for (Event* event : events) event->release();
    for (Queue* queue : queues) queue->release();
  }
  Queue& queue(cl_command_queue_properties properties = 0) {
    return *queues.emplace_back(new Queue(*context, device, properties, {}));
  }
  Queue& outOfOrder() { return queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE); }
  Event& keep(Event& event) { return *events.emplace_back(&event); }
  Event& userEvent() { return keep(*new Event(*context)); }

  Event& enqueue(Queue& queue, std::function<Result()> function, std::vector<Ref<Event>> waits = {},
                 Order order = Order::Normal, bool heavy = false) {
    return keep(queue.enqueue(actions.make(std::move(function), heavy), waits, order));
  }
  /// A command that writes a number into the log.
  Event& logging(Queue& queue, int number, std::vector<Ref<Event>> waits = {}, Order order = Order::Normal) {
    return enqueue(
        queue,
        [this, number] {
          const std::lock_guard lock(logMutex);
          log.push_back(number);
          return Result{};
        },
        std::move(waits), order);
  }
  static void wait(Event& event) { event.wait(); }
};

TEST_F(Scheduling, inOrder) {
  Queue& q = queue();
  std::vector<int> wanted;
  for (int i = 0; i < 100; ++i) logging(q, i), wanted.push_back(i);
  q.finish();
  EXPECT_EQ(log, wanted);
}

TEST_F(Scheduling, aCommandWaitsForItsList) {
  Queue &a = queue(), &b = outOfOrder();
  Event& gate = userEvent();
  Event& first = logging(a, 1, {gate});
  Event& second = logging(b, 2, {first});
  logging(b, 3);
  b.flush();
  EXPECT_GT(second.status(), CL_RUNNING);
  gate.setUserStatus(CL_COMPLETE);
  wait(second);
  EXPECT_EQ(second.status(), CL_COMPLETE);
  b.finish();
  EXPECT_LT(std::ranges::find(log, 1), std::ranges::find(log, 2));
}

TEST_F(Scheduling, theInOrderQueueStopsAtAWaitingCommand) {
  Queue& q = queue();
  Event& gate = userEvent();
  logging(q, 1, {gate});
  Event& second = logging(q, 2);
  q.flush();
  EXPECT_GT(second.status(), CL_RUNNING);
  EXPECT_TRUE(log.empty());
  gate.setUserStatus(CL_COMPLETE);
  q.finish();
  EXPECT_EQ(log, (std::vector<int>{1, 2}));
}

TEST_F(Scheduling, anOutOfOrderQueueDoesNotStop) {
  Queue& q = outOfOrder();
  Event& gate = userEvent();
  logging(q, 1, {gate});
  Event& second = logging(q, 2);
  wait(second);
  EXPECT_EQ(log, std::vector<int>{2});
  gate.setUserStatus(CL_COMPLETE);
  q.finish();
  EXPECT_EQ(log, (std::vector<int>{2, 1}));
}

// Each of two commands waits until the other one runs.
TEST_F(Scheduling, independentCommandsOverlap) {
  Queue& q = outOfOrder();
  Signal first, second;
  std::atomic<int> met{0};
  enqueue(
      q,
      [&] {
        first.set();
        met += second.wait();
        return Result{};
      },
      {}, Order::Normal, true);
  enqueue(
      q,
      [&] {
        second.set();
        met += first.wait();
        return Result{};
      },
      {}, Order::Normal, true);
  q.finish();
  EXPECT_EQ(met, 2);
}

TEST_F(Scheduling, commandsOfDifferentQueuesOverlap) {
  Queue &a = queue(), &b = queue();
  Signal first, second;
  std::atomic<int> met{0};
  enqueue(
      a,
      [&] {
        first.set();
        met += second.wait();
        return Result{};
      },
      {}, Order::Normal, true);
  enqueue(
      b,
      [&] {
        second.set();
        met += first.wait();
        return Result{};
      },
      {}, Order::Normal, true);
  a.finish();
  b.finish();
  EXPECT_EQ(met, 2);
}

TEST_F(Scheduling, fullBarrier) {
  Queue& q = outOfOrder();
  Event& gate = userEvent();
  logging(q, 1, {gate});
  logging(q, 2);
  Event& barrier = logging(q, 10, {}, Order::FullBarrier);
  Event& after = logging(q, 3);
  q.flush();
  EXPECT_GT(barrier.status(), CL_RUNNING);
  EXPECT_GT(after.status(), CL_RUNNING);
  gate.setUserStatus(CL_COMPLETE);
  q.finish();
  ASSERT_EQ(log.size(), 4u);
  EXPECT_EQ(log[2], 10);
  EXPECT_EQ(log[3], 3);
}

TEST_F(Scheduling, barrierWithAWaitListDoesNotWaitForOthers) {
  Queue& q = outOfOrder();
  Event &gate = userEvent(), &other = userEvent();
  Event& before = logging(q, 1, {other});
  logging(q, 10, {gate}, Order::Barrier);
  Event& after = logging(q, 3);
  q.flush();
  EXPECT_GT(after.status(), CL_RUNNING);
  gate.setUserStatus(CL_COMPLETE);
  wait(after);
  EXPECT_EQ(log, (std::vector<int>{10, 3}));
  EXPECT_GT(before.status(), CL_RUNNING);
  other.setUserStatus(CL_COMPLETE);
  q.finish();
}

TEST_F(Scheduling, markerWaitsForAllButHoldsUpNobody) {
  Queue& q = outOfOrder();
  Event& gate = userEvent();
  logging(q, 1, {gate});
  Event& marker = logging(q, 10, {}, Order::AfterAll);
  Event& after = logging(q, 3);
  wait(after);
  EXPECT_EQ(log, std::vector<int>{3});
  EXPECT_GT(marker.status(), CL_RUNNING);
  gate.setUserStatus(CL_COMPLETE);
  wait(marker);
  EXPECT_EQ(log, (std::vector<int>{3, 1, 10}));
}

TEST_F(Scheduling, anErrorEndsAllThatDependsOnIt) {
  Queue &q = queue(), &other = outOfOrder();
  Event& gate = userEvent();
  Event& a = logging(q, 1, {gate});
  Event& b = logging(other, 2, {a});
  Event& c = logging(other, 3, {b});
  Event& independent = logging(q, 4);
  gate.setUserStatus(-77);
  q.finish();
  other.finish();
  EXPECT_EQ(gate.status(), -77);
  for (Event* event : {&a, &b, &c}) EXPECT_EQ(event->status(), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(independent.status(), CL_COMPLETE) << "it comes after the failed command, but does not depend on it";
  EXPECT_EQ(log, std::vector<int>{4});
  EXPECT_EQ(q.takeFailure(), CL_SUCCESS) << "no command failed on the device";
}

TEST_F(Scheduling, anErrorFromBeforeEndsItToo) {
  Queue& q = queue();
  Event& gate = userEvent();
  gate.setUserStatus(-5);
  Event& a = logging(q, 1, {gate});
  EXPECT_EQ(a.status(), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

TEST_F(Scheduling, aFailedCommandIsNotified) {
  Queue& q = queue();
  Event& bad = enqueue(q, [] { return Result{CL_OUT_OF_RESOURCES, "kernel 'x' went wrong"}; });
  Event& dependent = logging(q, 1, {bad});
  q.finish();
  EXPECT_EQ(bad.status(), CL_OUT_OF_RESOURCES);
  EXPECT_EQ(dependent.status(), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  ASSERT_EQ(notified.size(), 1u);
  EXPECT_EQ(notified[0], "clEnqueueNativeKernel: CL_OUT_OF_RESOURCES: kernel 'x' went wrong");
  EXPECT_EQ(q.takeFailure(), CL_OUT_OF_RESOURCES);
  EXPECT_EQ(q.takeFailure(), CL_SUCCESS);
}

TEST_F(Scheduling, whatACommandThrowsIsItsError) {
  Queue& q = queue();
  Event& bad = enqueue(q, []() -> Result { throw std::runtime_error("thrown"); });
  q.finish();
  EXPECT_EQ(bad.status(), CL_OUT_OF_RESOURCES);
  Event& after = enqueue(q, [] { return Result{}; });
  q.finish();
  EXPECT_EQ(after.status(), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) << "the command-queue has failed";
  EXPECT_EQ(q.takeFailure(), CL_OUT_OF_RESOURCES);
  Event& worse = enqueue(q, []() -> Result { throw std::bad_alloc(); });
  q.finish();
  EXPECT_EQ(worse.status(), CL_OUT_OF_HOST_MEMORY);
}

TEST_F(Scheduling, aUserEventEndsOnce) {
  Event& gate = userEvent();
  EXPECT_EQ(gate.status(), CL_SUBMITTED);
  gate.setUserStatus(CL_COMPLETE);
  expectError(CL_INVALID_OPERATION, "already", [&] { gate.setUserStatus(-1); });
  EXPECT_EQ(gate.status(), CL_COMPLETE);
}

TEST_F(Scheduling, aThreadMayWaitForAUserEvent) {
  Event& gate = userEvent();
  std::thread other([&] { gate.setUserStatus(CL_COMPLETE); });
  wait(gate);
  EXPECT_EQ(gate.status(), CL_COMPLETE);
  other.join();
}

/// The arguments of a callback's calls.
struct Calls {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::pair<cl_event, cl_int>> calls;

  static void CL_CALLBACK add(cl_event event, cl_int status, void* self) {
    auto& calls = *static_cast<Calls*>(self);
    const std::lock_guard lock(calls.mutex);
    calls.calls.emplace_back(event, status);
    calls.changed.notify_all();
  }
  bool waitFor(std::size_t n) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, std::chrono::seconds(60), [&] { return calls.size() >= n; });
  }
};

TEST_F(Scheduling, callbacksAreCalledOnceForEachStatusInOrder) {
  Queue& q = queue();
  Event& gate = userEvent();
  Event& event = logging(q, 1, {gate});
  Calls calls;
  event.addCallback(CL_COMPLETE, Calls::add, &calls);
  event.addCallback(CL_SUBMITTED, Calls::add, &calls);
  event.addCallback(CL_RUNNING, Calls::add, &calls);
  gate.setUserStatus(CL_COMPLETE);
  q.finish();
  ASSERT_TRUE(calls.waitFor(3));
  // An event that is over calls back at once.
  event.addCallback(CL_RUNNING, Calls::add, &calls);
  ASSERT_TRUE(calls.waitFor(4));
  const std::lock_guard lock(calls.mutex);
  ASSERT_EQ(calls.calls.size(), 4u);
  EXPECT_EQ(calls.calls[0].second, CL_SUBMITTED);
  EXPECT_EQ(calls.calls[1].second, CL_RUNNING);
  EXPECT_EQ(calls.calls[2].second, CL_COMPLETE);
  EXPECT_EQ(calls.calls[3].second, CL_RUNNING);
  for (const auto& call : calls.calls) EXPECT_EQ(call.first, event.handle());
}

TEST_F(Scheduling, callbacksAreToldErrors) {
  Queue& q = queue();
  Event& gate = userEvent();
  Event& event = logging(q, 1, {gate});
  Calls calls;
  event.addCallback(CL_COMPLETE, Calls::add, &calls);
  event.addCallback(CL_RUNNING, Calls::add, &calls);
  gate.addCallback(CL_COMPLETE, Calls::add, &calls);
  gate.setUserStatus(-33);
  ASSERT_TRUE(calls.waitFor(3));
  std::multiset<cl_int> statuses;
  for (const auto& call : calls.calls) statuses.insert(call.second);
  EXPECT_EQ(statuses, (std::multiset<cl_int>{-33, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                                             CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST}));
}

// A callback takes a lock that the waiting thread holds.
TEST_F(Scheduling, callbacksMayTakeTheLocksOfThoseWhoWait) {
  struct State {
    std::mutex mutex;
    Signal called;
  } state;
  Queue& q = queue();
  std::unique_lock lock(state.mutex);
  Event& event = logging(q, 1);
  event.addCallback(
      CL_COMPLETE,
      [](cl_event, cl_int, void* user) {
        auto& its = *static_cast<State*>(user);
        {
          const std::lock_guard inner(its.mutex);
        }  // given back before the test may end, and the mutex with it
        its.called.set();
      },
      &state);
  wait(event);
  lock.unlock();
  EXPECT_TRUE(state.called.wait());
}

// A callback enqueues more work, as pipelines do.
TEST_F(Scheduling, callbacksMayEnqueue) {
  struct State {
    Scheduling* test;
    Queue* queue;
    Signal done;
  } state{this, &queue(), {}};
  Event& event = logging(*state.queue, 1);
  event.addCallback(
      CL_COMPLETE,
      [](cl_event, cl_int, void* user) {
        auto& its = *static_cast<State*>(user);
        its.test->logging(*its.queue, 2);
        its.queue->flush();
        its.done.set();
      },
      &state);
  wait(event);
  ASSERT_TRUE(state.done.wait());
  state.queue->finish();
  EXPECT_EQ(log, (std::vector<int>{1, 2}));
}

TEST_F(Scheduling, flushStartsCommandsWithoutAWait) {
  Queue& q = queue();
  Signal ran;
  Event& event = enqueue(q, [&] {
    ran.set();
    return Result{};
  });
  q.flush();
  EXPECT_TRUE(ran.wait());
  wait(event);  // the command has the test's executable until it ends
}

TEST_F(Scheduling, releasingAQueueFlushesIt) {
  auto* const own = new Queue(*context, device, 0, {});
  Signal ran;
  Event& event = enqueue(*own, [&] {
    ran.set();
    return Result{};
  });
  own->release();
  EXPECT_TRUE(ran.wait());
  wait(event);  // the command has the test's executable until it ends
}

TEST_F(Scheduling, aWaitReachesCommandsOfOtherQueuesThatNobodyFlushed) {
  Queue &a = queue(), &b = queue(), &c = outOfOrder();
  Event& first = logging(a, 1);
  Event& second = logging(b, 2, {first});
  Event& third = logging(c, 3, {second});
  wait(third);
  EXPECT_EQ(log, (std::vector<int>{1, 2, 3}));
}

TEST_F(Scheduling, severalThreadsEnqueueAndFinish) {
  std::atomic<int> count{0};
  Queue &inOrder = queue(), &anyOrder = outOfOrder();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) {
        Queue& q = i % 2 ? inOrder : anyOrder;
        Event& event = q.enqueue(actions.make(
                                     [&] {
                                       ++count;
                                       return Result{};
                                     },
                                     i % 7 == 0),
                                 {});
        if (i % 50 == 0) q.finish();
        if (i % 31 == 0) event.wait();
        if (i % 11 == 0) q.flush();
        event.release();
      }
      inOrder.finish();
      anyOrder.finish();
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, 2000);
}

TEST_F(Scheduling, finishWaitsForWhatAnotherThreadExecutes) {
  Queue& q = queue();
  Signal running;
  std::atomic<bool> over{false};
  enqueue(
      q,
      [&] {
        running.set();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        over = true;
        return Result{};
      },
      {}, Order::Normal, true);
  ASSERT_TRUE(running.wait());
  q.finish();
  EXPECT_TRUE(over);
}

// Commands whose events the application does not get: they run in order, are finished, and end with what they wait for.
TEST_F(Scheduling, commandsWhoseEventsNobodySees) {
  for (Queue* const q : {&queue(), &outOfOrder()}) {
    log.clear();
    Event& gate = userEvent();
    const std::vector<Ref<Event>> waits{gate};
    const auto unseen = [&](int number, std::vector<Ref<Event>> list) {
      core::RefPtr<Event> event = q->make(actions.make(
                                              [this, number] {
                                                const std::lock_guard lock(logMutex);
                                                log.push_back(number);
                                                return Result{};
                                              },
                                              false),
                                          Event::Seen::No);
      Event& made = *event;
      EXPECT_EQ(made.referenceCount(), 0U);
      q->enqueue(std::move(event), list);
    };
    unseen(1, waits);
    Event& seen = logging(*q, 2, {gate});
    unseen(3, {seen});
    q->flush();
    EXPECT_TRUE(log.empty());
    gate.setUserStatus(CL_COMPLETE);
    q->finish();
    ASSERT_EQ(log.size(), 3U);
    EXPECT_LT(std::ranges::find(log, 2), std::ranges::find(log, 3));
    EXPECT_EQ(seen.status(), CL_COMPLETE);
  }
}

// Several threads sleep until a command has ended that another thread executes.
TEST_F(Scheduling, manyThreadsWaitForOneEvent) {
  for (int round = 0; round < 200; ++round) {
    Queue& q = queue();
    std::atomic<bool> over{false};
    core::RefPtr<Event> event = q.make(actions.make(
                                           [&] {
                                             if (round % 2) std::this_thread::yield();
                                             over = true;
                                             return Result{};
                                           },
                                           true),
                                       round % 3 ? Event::Seen::No : Event::Seen::Yes);
    const core::RefPtr<Event> kept = event;
    std::vector<std::thread> threads;
    std::atomic<int> after{0};
    const bool seen = round % 3 == 0;
    q.enqueue(std::move(event), {});
    for (int t = 0; t < 3; ++t)
      threads.emplace_back([&] {
        kept->wait();
        after += over;
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(after, 3);
    EXPECT_EQ(kept->status(), CL_COMPLETE);
    if (seen) kept->release();
  }
}

// A long chain behind a user event that the application gives up: no thread will ever run it, and its release must not
// need a stack as deep as the chain is long.
TEST_F(Scheduling, aLongChainBehindAnAbandonedUserEvent) {
  auto* const gate = new Event(*context);
  auto* const own = new Queue(*context, device, 0, {});
  std::vector<Ref<Event>> waits{*gate};
  for (int i = 0; i < 200000; ++i) {
    own->enqueue(actions.make([] { return Result{}; }, false), waits).release();
    waits.clear();
  }
  gate->release();
  own->release();
}

using SchedulingDeathTest = Scheduling;

// A process may end while a command runs, even one that never ends.
TEST_F(SchedulingDeathTest, theProcessMayExitWhileCommandsRun) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        Queue& q = queue();
        Signal running;
        enqueue(q, [&] {
          running.set();
          std::promise<void> never;
          never.get_future().wait();
          return Result{};
        });
        logging(q, 1);
        q.flush();
        running.wait();
        std::exit(3);
      },
      testing::ExitedWithCode(3), "");
}

// A command may end the process (a native kernel that calls exit).
TEST_F(SchedulingDeathTest, aCommandMayExitTheProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        Queue& q = queue();
        enqueue(q, []() -> Result { std::exit(4); }, {}, Order::Normal, true);
        q.flush();
        q.finish();
      },
      testing::ExitedWithCode(4), "");
}

TEST_F(Scheduling, profilingTimesAreInOrder) {
  Queue& q = queue(CL_QUEUE_PROFILING_ENABLE);
  Event& event = logging(q, 1);
  q.finish();
  const sched::ProfilingTimes& times = event.times();
  EXPECT_GT(times.queued, 0u);
  EXPECT_LE(times.queued, times.submitted);
  EXPECT_LE(times.submitted, times.started);
  EXPECT_LE(times.started, times.ended);
}

TEST_F(Scheduling, aCommandKeepsItsQueueAndContext) {
  auto* const own = new Queue(*context, device, 0, {});
  Event& gate = userEvent();
  Event& event = logging(*own, 1, {gate});
  own->release();
  EXPECT_EQ(event.queue(), own);
  gate.setUserStatus(CL_COMPLETE);
  wait(event);
  EXPECT_EQ(event.status(), CL_COMPLETE);
}

}  // namespace
}  // namespace clarity::test
