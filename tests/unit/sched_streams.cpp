// SPDX-License-Identifier: Apache-2.0
// This file tests the event graph against a device that does nothing by itself: a test says which operation starts and
// ends when, as a GPU would, and sees what has been submitted by then.
#include "core_fake_device.h"
#include "sched/command.h"
#include "sched/event.h"
#include "sched/queue.h"

#include <algorithm>
#include <vector>

namespace clarity::test {
namespace {

using core::Ref;
using device::Result;
using device::Submission;
using sched::Command;
using sched::Event;
using sched::Queue;

/// The operations that have been submitted to the streams of one device, in order.
struct Script {
  struct Submitted {
    Submission* submission;
    device::Start start;
    std::vector<Submission*> after;
  };
  std::vector<Submitted> all;
  int streams = 0, flushed = 0, helped = 0;
  bool endInSubmit = false;

  std::size_t indexOf(std::size_t bytes) const {
    const auto found = std::ranges::find_if(all, [&](const Submitted& each) {
      return each.submission && std::get<device::Copy>(*each.submission->operation).bytes == bytes;
    });
    return static_cast<std::size_t>(found - all.begin());
  }
  bool has(std::size_t bytes) const { return indexOf(bytes) < all.size(); }
  void end(std::size_t bytes, Result result = {}, device::Times times = {}) {
    std::exchange(all.at(indexOf(bytes)).submission, nullptr)->complete(std::move(result), times);
  }
};

class ScriptedStream final : public device::Stream {
public:
  explicit ScriptedStream(Script& script) : script_(script) { ++script_.streams; }
  ~ScriptedStream() override { --script_.streams; }
  void submit(Submission& submission, device::Start start, std::span<Submission* const> after) override {
    if (script_.endInSubmit) return submission.complete({}, {});
    script_.all.push_back({&submission, start, {after.begin(), after.end()}});
  }
  void flush() override { ++script_.flushed; }
  void help(const Submission& awaited) override {
    ++script_.helped;
    // As a device that runs operations on the thread that waits.
    while (!awaited.ended()) {
      const auto first = std::ranges::find_if(script_.all, [](const auto& each) { return each.submission != nullptr; });
      if (first == script_.all.end()) return;
      std::exchange(first->submission, nullptr)->complete({}, {});
    }
  }

private:
  Script& script_;
};

struct Streams : FakeContext {
  Script script;
  std::vector<Event*> events;
  std::vector<Queue*> queues;

  Streams() {
    fake.makeStream = [this](const device::StreamOptions&) { return std::make_unique<ScriptedStream>(script); };
  }
  ~Streams() override {
    for (Event* event : events) event->release();
    for (Queue* queue : queues) queue->release();
    EXPECT_EQ(script.streams, 0);
  }
  Queue& queue(cl_command_queue_properties properties = 0) {
    return *queues.emplace_back(new Queue(*context, device, properties, {}));
  }
  /// A command whose operation is known by its number.
  Event& enqueue(Queue& queue, std::size_t number, std::vector<Ref<Event>> waits = {}) {
    auto command = Command::of(CL_COMMAND_COPY_BUFFER, device::Copy{.to = {}, .from = {}, .bytes = number}, {});
    return *events.emplace_back(&queue.enqueue(std::move(command), waits));
  }
  Event& marker(Queue& queue, std::vector<Ref<Event>> waits = {}) {
    return *events.emplace_back(&queue.enqueue(Command::order(CL_COMMAND_MARKER), waits));
  }
  Event& userEvent() { return *events.emplace_back(new Event(*context)); }
};

TEST_F(Streams, anOperationIsSubmittedWhenWhatItWaitsForHasEnded) {
  Queue& q = queue();
  Event &a = enqueue(q, 1), &b = enqueue(q, 2);
  EXPECT_TRUE(script.has(1));
  EXPECT_EQ(script.all[0].start, device::Start::WhenNeeded) << "the application may be about to wait for it";
  EXPECT_FALSE(script.has(2));
  EXPECT_EQ(a.status(), CL_SUBMITTED);
  EXPECT_EQ(b.status(), CL_QUEUED);
  script.all[0].submission->started();
  EXPECT_EQ(a.status(), CL_RUNNING);
  script.end(1);
  EXPECT_EQ(a.status(), CL_COMPLETE);
  ASSERT_TRUE(script.has(2));
  EXPECT_EQ(script.all[1].start, device::Start::AtOnce) << "no thread may be about to wait for it";
  EXPECT_TRUE(script.all[1].after.empty());
  script.end(2);
}

TEST_F(Streams, independentOperationsAreSubmittedAtOnceAndEndInAnyOrder) {
  Queue& q = queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  Event &a = enqueue(q, 1), &b = enqueue(q, 2), &c = enqueue(q, 3, {a, b});
  ASSERT_EQ(script.all.size(), 2u);
  script.end(2);
  EXPECT_EQ(b.status(), CL_COMPLETE);
  EXPECT_EQ(a.status(), CL_SUBMITTED);
  EXPECT_EQ(c.status(), CL_QUEUED);
  script.end(1);
  EXPECT_EQ(c.status(), CL_SUBMITTED);
  script.end(3);
  EXPECT_EQ(c.status(), CL_COMPLETE);
}

TEST_F(Streams, commandsWithoutOperationEndWithWhatTheyWaitFor) {
  Queue& q = queue();
  EXPECT_EQ(marker(q).status(), CL_COMPLETE) << "there is nothing that it waits for";
  enqueue(q, 1);
  Event& second = marker(q);
  EXPECT_EQ(second.status(), CL_QUEUED);
  script.end(1);
  EXPECT_EQ(second.status(), CL_COMPLETE);
  EXPECT_EQ(script.all.size(), 1u) << "the device does not hear of them";
}

TEST_F(Streams, aLongChainOfMarkersNeedsNoDeepStack) {
  Queue& q = queue();
  Event& gate = userEvent();
  std::vector<Ref<Event>> waits{gate};
  for (int i = 0; i < 200000; ++i) {
    q.enqueue(Command::order(CL_COMMAND_MARKER), waits).release();
    waits.clear();
  }
  Event& last = marker(q);
  gate.setUserStatus(CL_COMPLETE);
  EXPECT_EQ(last.status(), CL_COMPLETE);
}

TEST_F(Streams, anOperationMayEndInsideSubmit) {
  script.endInSubmit = true;
  Queue& q = queue();
  Event &a = enqueue(q, 1), &b = enqueue(q, 2);
  EXPECT_EQ(a.status(), CL_COMPLETE);
  EXPECT_EQ(b.status(), CL_COMPLETE);
}

TEST_F(Streams, timesAndErrorsAreTheDevices) {
  Queue& q = queue(CL_QUEUE_PROFILING_ENABLE);
  Event &a = enqueue(q, 1), &b = enqueue(q, 2);
  script.end(1, {}, {.started = 1000, .ended = 2000});
  EXPECT_EQ(a.times().started, 1000u);
  EXPECT_EQ(a.times().ended, 2000u);
  EXPECT_GT(a.times().submitted, 0u);
  script.end(2, {CL_OUT_OF_RESOURCES, "the copy went wrong"});
  EXPECT_EQ(b.status(), CL_OUT_OF_RESOURCES);
  ASSERT_EQ(notified.size(), 1u);
  EXPECT_EQ(notified[0], "clEnqueueCopyBuffer: CL_OUT_OF_RESOURCES: the copy went wrong");
  EXPECT_EQ(q.takeFailure(), CL_OUT_OF_RESOURCES);
}

TEST_F(Streams, aThreadThatWaitsHelpsFirst) {
  Queue& q = queue();
  Event &a = enqueue(q, 1), &b = enqueue(q, 2);
  const int flushes = fake.flushes;
  b.wait();
  EXPECT_EQ(a.status(), CL_COMPLETE);
  EXPECT_EQ(b.status(), CL_COMPLETE);
  EXPECT_EQ(script.helped, 1);
  EXPECT_EQ(fake.flushes, flushes) << "nothing else had to start";
  q.flush();
  EXPECT_EQ(script.flushed, 1);
}

// The last reference to a command-queue may be its last command's.
TEST_F(Streams, theStreamMayGoWithItsLastOperation) {
  auto* const own = new Queue(*context, device, 0, {});
  own->enqueue(Command::of(CL_COMMAND_COPY_BUFFER, device::Copy{.to = {}, .from = {}, .bytes = 7}, {}), {}).release();
  own->release();
  EXPECT_EQ(script.streams, 1);
  script.end(7);
  EXPECT_EQ(script.streams, 0);
}

/// A device that takes operations which have to wait for others.
struct OrderingDevice : Streams {
  OrderingDevice() { fake.changeableProperties().ordersOperations = true; }
};

TEST_F(OrderingDevice, aChainIsSubmittedAtOnce) {
  Queue& q = queue();
  Event &a = enqueue(q, 1), &b = enqueue(q, 2), &c = enqueue(q, 3);
  ASSERT_EQ(script.all.size(), 3u);
  EXPECT_TRUE(script.all[0].after.empty());
  EXPECT_EQ(script.all[1].after, std::vector<Submission*>{script.all[0].submission});
  EXPECT_EQ(script.all[2].after, std::vector<Submission*>{script.all[1].submission});
  EXPECT_EQ(c.status(), CL_SUBMITTED);
  for (const std::size_t number : {1, 2, 3}) script.end(number);
  for (Event* event : {&a, &b, &c}) EXPECT_EQ(event->status(), CL_COMPLETE);
}

TEST_F(OrderingDevice, aChainBehindAUserEventFollowsAtOnce) {
  Queue &q = queue(), &other = queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  Event& gate = userEvent();
  Event& a = enqueue(q, 1, {gate});
  enqueue(q, 2);
  enqueue(other, 3, {a});
  EXPECT_TRUE(script.all.empty());
  gate.setUserStatus(CL_COMPLETE);
  ASSERT_EQ(script.all.size(), 3u);
  EXPECT_EQ(script.all[script.indexOf(2)].after, std::vector<Submission*>{script.all[script.indexOf(1)].submission});
  EXPECT_EQ(script.all[script.indexOf(3)].after, std::vector<Submission*>{script.all[script.indexOf(1)].submission});
  for (const std::size_t number : {1, 2, 3}) script.end(number);
}

TEST_F(OrderingDevice, whatTheHostHasToWaitForHoldsUpWhatFollows) {
  Queue& q = queue();
  Event& gate = userEvent();
  enqueue(q, 1);
  Event& held = enqueue(q, 2, {gate});
  script.end(1);
  EXPECT_EQ(held.status(), CL_QUEUED);
  gate.setUserStatus(CL_COMPLETE);
  ASSERT_TRUE(script.has(2));
  EXPECT_TRUE(script.all[script.indexOf(2)].after.empty()) << "the earlier one has ended";
  // A marker is the host's: it ends when the device reports, and what follows it is submitted then.
  Event& between = marker(q);
  enqueue(q, 3);
  EXPECT_FALSE(script.has(3));
  script.end(2);
  EXPECT_EQ(between.status(), CL_COMPLETE);
  ASSERT_TRUE(script.has(3));
  script.end(3);
}

TEST_F(OrderingDevice, anErrorEndsWhatNeedsTheResultWhateverItDid) {
  Queue &q = queue(), &other = queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  Event &a = enqueue(q, 1), &next = enqueue(q, 2), &needs = enqueue(other, 3, {a}),
        &needsThat = enqueue(other, 4, {needs});
  ASSERT_EQ(script.all.size(), 4u);
  script.end(1, {CL_OUT_OF_RESOURCES, "it went wrong"});
  script.end(2);
  script.end(3);
  script.end(4, {CL_OUT_OF_RESOURCES, "for want of the others' results"});
  EXPECT_EQ(next.status(), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) << "it follows in order";
  EXPECT_EQ(needs.status(), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(needsThat.status(), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(notified.size(), 1u) << "one command went wrong";
}

// An event that ends without its operation still holds its place in the order.
TEST_F(OrderingDevice, whatFollowsAnErrorComesAfterWhatWasBeforeIt) {
  Queue& q = queue();
  Event& gate = userEvent();
  enqueue(q, 1);
  Event& failed = enqueue(q, 2, {gate});
  Event& follows = enqueue(q, 3);
  gate.setUserStatus(-5);
  EXPECT_FALSE(script.has(2));
  EXPECT_FALSE(script.has(3)) << "the first operation runs";
  EXPECT_GT(failed.status(), CL_COMPLETE);
  script.end(1);
  EXPECT_EQ(failed.status(), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  ASSERT_TRUE(script.has(3));
  script.end(3);
  EXPECT_EQ(follows.status(), CL_COMPLETE);
}

TEST_F(OrderingDevice, aLongChainNeedsNoDeepStack) {
  Queue& q = queue();
  Event& gate = userEvent();
  std::vector<Ref<Event>> waits{gate};
  constexpr std::size_t count = 50000;
  for (std::size_t i = 0; i < count; ++i) {
    auto command = Command::of(CL_COMMAND_COPY_BUFFER, device::Copy{.to = {}, .from = {}, .bytes = i}, {});
    q.enqueue(std::move(command), waits).release();
    waits.clear();
  }
  gate.setUserStatus(CL_COMPLETE);
  ASSERT_EQ(script.all.size(), count);
  for (auto& each : script.all) std::exchange(each.submission, nullptr)->complete({}, {});
}

}  // namespace
}  // namespace clarity::test
