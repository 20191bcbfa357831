// SPDX-License-Identifier: Apache-2.0
// This file is the queue of a CUDA stream: operations that run one after the other, from submit() to complete().
#pragma once

#include "device/cuda/completions.h"
#include "device/cuda/end_signals.h"
#include "device/cuda/operations.h"
#include "device/stream.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace clarity::device::cuda {

/// A CUDA stream and the operations that are in it, each with a place: they are given to the GPU, run and are
/// reported in this order.
///
/// Most operations have no event of the driver of their own, which would take half as long as a launch: that the stream
/// is empty, or one event in many operations, tells that all up to a place have run. A thread that waits has the GPU
/// write to memory that it reads, as each question takes the driver as long as a part of a launch; a kernel of one
/// block that is given to a stream in which all has ended writes there itself. Whoever waits reports what ends
/// meanwhile; a thread that submits reports every now and then; the thread of Completions reports the rest.
///
/// Launches that follow each other quickly, while no thread waits, are held until there are several, which are given to
/// the GPU at once (launch_chain.h): when there are enough of them, anything else comes, a thread waits or flushes, or,
/// at the latest, when the thread of Completions comes for the second time.
class StreamQueue final : public std::enable_shared_from_this<StreamQueue> {
public:
  /// Operations of another stream queue up to a place.
  struct Earlier {
    std::shared_ptr<StreamQueue> queue;
    std::uint64_t place;
  };

  StreamQueue(std::shared_ptr<const Gpu>, std::shared_ptr<Completions>, const std::shared_ptr<Staging>&,
              std::size_t printfBytes, bool profiled);
  ~StreamQueue();
  /// Success, or why the driver has made no stream: then all operations end with that.
  const Result& made() const { return made_; }
  /// Nothing will be submitted any more, and everything has ended.
  void close();

  /// The stream queue of a submission; null before submit().
  static StreamQueue* of(const Submission& submission) {
    return static_cast<StreamQueue*>(submission.link.owner.load(std::memory_order_acquire));
  }

  /// std::bad_alloc, and nothing has happened, if there is no memory; what goes wrong later is the operation's result.
  void submit(Submission&, std::vector<Earlier> after);
  /// Gives the launches that are held to the GPU. Not inside submit(). When anything was submitted for the last time.
  std::chrono::steady_clock::time_point flush();
  /// The same if the one of this place is among them.
  void flush(std::uint64_t place) {
    if (given_.load(std::memory_order_acquire) < place) (void)flush();
  }
  std::uint64_t lastSubmitted() const { return submitted_.load(std::memory_order_acquire); }
  /// complete() of all up to this place has returned.
  bool hasEnded(std::uint64_t place) const { return ended_.load(std::memory_order_acquire) >= place; }
  bool isIdle() const { return hasEnded(lastSubmitted()); }
  /// Returns when all up to this place have ended, or when `awaited` has.
  void wait(std::uint64_t place, const Submission& awaited);
  /// Reports what has ended, if no other thread is about to. True if there was any.
  bool poll();
  /// Adds the names of the kernels that may be running.
  void addKernels(std::vector<std::string>& names);

private:
  /// What few operations need: Submission::link.data.
  struct Extra {
    EventRef begin, end;          ///< where times are wanted
    std::uint64_t submitted = 0;  ///< nanoseconds of the host's clock
    Result failure{};             ///< what went wrong before the GPU had it
    Afterwards afterwards;
    std::vector<Earlier> after;
  };
  /// When this event is done, this number was written, or without either the stream is empty, all up to the place have
  /// run.
  struct Marker {
    EventRef event;
    std::uint64_t place = 0;
    EndSignal end{};
  };
  /// Launches in a row before one is held. Measured (H100): rows of 20 gain nothing from graphs.
  static constexpr unsigned longRow = 32;
  /// Submission::link.flags: it has failed, and there is no memory to say more.
  static constexpr std::uint32_t failedWithoutMemory = 1;
  static Extra* extraOf(const Submission& submission) { return static_cast<Extra*>(submission.link.data); }

  void submitNow(Submission&) noexcept;
  bool takesLong(const Submission&, LaunchCode&) const;
  bool mayGiveNow(const Submission&) const;
  /// Gives it to the GPU, or holds it; what is held already is given before. True if many operations have been given
  /// since any were reported. order_ is locked, or the feeder runs it.
  /// `isSimple`: it is a launch that can be held.
  bool give(Submission&, LaunchCode, bool mayHold, bool isSimple);
  /// Notes what became of giving it.
  void keep(Submission&, std::unique_ptr<Extra>, Result, Afterwards) const;
  /// Whether an operation, which is a launch that can be held or another one, is behind enough such launches; call with
  /// order_ locked.
  bool isInRow(bool canHold);
  /// Gives what is held. As give().
  bool giveHeld();
  void refuse(Submission&, CuResult answer);
  bool gave(std::uint64_t place);  ///< as give(); call with mutex_ locked
  void feedLater(Submission&);
  bool isFed() const { return feeding_ || firstFed_; }  ///< call with order_ locked
  /// For Completions: gives what has been held since it last came.
  void giveLate();
  /// Why the driver refused what it was given: `refusal`, or that the GPU is lost since a kernel failed, which the
  /// driver may report at any later call.
  Result withLoss(Result refusal, const Submission&);
  /// Makes the stream wait for what another stream queue has been given.
  void waitOnGpu(const Earlier&);
  void feed(const std::stop_token&);
  /// False if the system has no thread for it.
  bool startFeeder();
  /// Does what the feeder would do, if there is none.
  void feedHere();
  /// Gives the first of those that are fed, of which there is one and none is under way. The lock, of order_, is
  /// released meanwhile.
  void feedOne(std::unique_lock<std::mutex>&);
  CuResult ask(const Marker&) const;
  /// Has the GPU write a number to the host's memory when all that was given has run, if it can.
  EndSignal signalEnd();
  // The next ones: call with mutex_ locked.
  void mark();  ///< records an event behind all that was given
  Marker nextMarker() const;
  void learn(const Marker&, CuResult);
  bool mayReport(const Submission&) const;
  /// Reports all that may be reported; the lock is released meanwhile. False if there are none, or another thread does.
  bool reportReady(std::unique_lock<std::mutex>&);
  void report(Submission&);
  Result outcomeOf(const Submission&, Extra*);
  /// Reports what has ended without waiting.
  void collect();
  /// Returns when `marker` is done or `awaited` has ended. `isLikelyDone`: it is worth a question at first.
  CuResult waitFor(Marker& marker, bool isLikelyDone, bool isAwaited, const Submission& awaited);
  static void addKernel(const Submission&, std::vector<std::string>& names);

  std::shared_ptr<const Gpu> gpu_;
  std::shared_ptr<Completions> completions_;
  bool profiled_;
  Result made_;
  CuStream stream_ = nullptr;
  Operations operations_;
  std::atomic<std::uint64_t> submitted_{0}, given_{0}, ended_{0};  ///< places

  std::mutex order_;  ///< keeps the order of what is given to the GPU; guards what follows
  std::condition_variable_any fedChanged_;
  /// That the host has to do something long for first, by Submission::link.next.
  Submission *firstFed_ = nullptr, *lastFed_ = nullptr;
  bool feeding_ = false;
  std::jthread feeder_;
  std::vector<Submission*> held_;  ///< the launches that operations_ holds
  unsigned row_ = 0;               ///< launches, quickly one after the other, since anything else came
  std::chrono::steady_clock::time_point submittedAt_;  ///< when the last submit() had given or held it
  std::atomic<bool> holds_{false};                     ///< held_ has any
  std::uint64_t heldBefore_ = 0;  ///< for giveLate(): the first one that was held when Completions last came

  std::uint32_t lastTold_ = 0;  ///< number of the last launch that tells its end

  std::mutex signalMutex_;  ///< keeps the order of numbers; guards the next three
  bool signals_ = true;     ///< the driver can
  std::uint32_t lastSignal_ = 0;
  std::optional<EndSignals> signalMemory_;        ///< made when a thread first waits
  std::atomic<EndSignals*> endSignals_{nullptr};  ///< the same

  std::mutex mutex_;  ///< guards what follows, and changes of given_ and ended_
  std::condition_variable changed_;
  Submission *first_ = nullptr, *last_ = nullptr;  ///< given, not reported, by Submission::link.next
  std::deque<Marker> markers_;                     ///< by place
  std::uint64_t marked_ = 0;                       ///< place of the last marker
  Marker told_;                                    ///< of the last launch that tells its end
  std::uint64_t ran_ = 0;                          ///< the GPU has done its part of all up to this place
  std::atomic<CuResult> failure_{0};               ///< of the GPU, learnt with ran_
  bool reporting_ = false;
  std::thread::id reporter_;  ///< while reporting_
  unsigned waiting_ = 0;      ///< threads in wait()
  std::uint64_t polledAt_ = 0, polledFirst_ = 0;
  unsigned skipped_ = 0;
};

}  // namespace clarity::device::cuda
