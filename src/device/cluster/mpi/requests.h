// SPDX-License-Identifier: Apache-2.0
// This file is the requests that MPI has not ended yet.
#pragma once

#include "device/cluster/transport.h"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace clarity::device::cluster::mpi {

/// For one thread at a time.
class Requests {
public:
  /// A frame that is being sent; its bytes are kept until it has gone.
  void addFrame(MPI_Request request, unsigned peer, cluster::Bytes frame) {
    // Small frames are copied at once; but not behind others, and MPI would lose time looking.
    if (frames(peer) == 0) {
      int isDone = 0;
      if (MPI_Test(&request, &isDone, MPI_STATUS_IGNORE) == MPI_SUCCESS && isDone) return;
    }
    add(request, {.peer = peer, .isSend = true, .frame = std::move(frame)});
  }
  /// A piece of so many bytes that is being sent or received.
  void addPiece(MPI_Request request, unsigned peer, bool isSend, cluster::Piece& piece, std::size_t bytes) {
    add(request, {.peer = peer, .isSend = isSend, .piece = &piece, .bytes = bytes});
  }
  /// Frames to a rank that have not gone yet.
  std::size_t frames(unsigned peer) const { return peer < frames_.size() ? frames_[peer] : 0; }

  /// Looks at some of the requests, at the next ones each time. Calls with each piece that has moved and whether it has
  /// as a whole, and with the rank and the code of each request that failed.
  template <class Moved, class Failed>
  bool test(Moved&& moved, Failed&& failed) {
    if (requests_.empty()) return false;
    if (next_ >= requests_.size()) next_ = 0;
    const std::size_t first = next_, looked = std::min(mostLooked, requests_.size() - first);
    next_ += looked;
    int count = 0;
    indices_.resize(looked);
    statuses_.resize(looked);
    const int code =
        MPI_Testsome(static_cast<int>(looked), &requests_[first], &count, indices_.data(), statuses_.data());
    if (count == MPI_UNDEFINED || count <= 0) return false;
    std::vector<std::pair<cluster::Piece*, bool>> ended;
    for (int i = 0; i < count; ++i) {
      const MPI_Status& status = statuses_[static_cast<std::size_t>(i)];
      const std::size_t at = first + static_cast<std::size_t>(indices_[static_cast<std::size_t>(i)]);
      Job& job = jobs_[at];
      const int own = code == MPI_ERR_IN_STATUS ? status.MPI_ERROR : MPI_SUCCESS;
      if (own != MPI_SUCCESS && own != MPI_ERR_PENDING) {
        failed(job.peer, own);
        failed_.push_back(std::move(job));
      } else if (job.piece) {
        ended.emplace_back(job.piece, job.isSend || bytesOf(status) == job.bytes);
      }
      job.isOver = true;
    }
    removeOver(first, looked);
    for (const auto& [piece, whole] : ended) moved(*piece, whole);
    return true;
  }

  /// Ends the pieces from and to a rank. MPI may still have their memory, and that of frames, in use.
  template <class NotMoved>
  void giveUp(unsigned rank, NotMoved&& notMoved) {
    std::vector<cluster::Piece*> pieces;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      Job& job = jobs_[i];
      if (job.peer != rank) continue;
      if (!job.isSend) MPI_Cancel(&requests_[i]);
      MPI_Request_free(&requests_[i]);
      if (job.piece) pieces.push_back(job.piece);
      job.isOver = true;
      if (!job.frame.empty()) abandoned_.push_back(std::move(job.frame));
    }
    for (Job& job : failed_)
      if (job.peer == rank && job.piece) pieces.push_back(std::exchange(job.piece, nullptr));
    std::erase_if(failed_, [&](const Job& job) { return job.peer == rank; });
    removeOver(0, jobs_.size());
    for (cluster::Piece* const piece : pieces) notMoved(*piece);
  }

  std::size_t sends() const { return sends_; }
  std::size_t pieces() const { return pieces_; }

private:
  struct Job {
    unsigned peer = 0;
    bool isSend = false, isOver = false;
    cluster::Piece* piece = nullptr;
    std::size_t bytes = 0;  ///< bytes of the piece
    cluster::Bytes frame{};
  };
  /// MPI looks at each request that it is asked for; transfers may be many thousands.
  static constexpr std::size_t mostLooked = 128;

  static std::size_t bytesOf(const MPI_Status& status) {
    int count = 0;
    return MPI_Get_count(&status, MPI_BYTE, &count) == MPI_SUCCESS && count > 0 ? static_cast<std::size_t>(count) : 0;
  }

  void add(MPI_Request request, Job job) {
    if (frames_.size() <= job.peer) frames_.resize(job.peer + 1);
    jobs_.push_back(std::move(job));
    requests_.push_back(request);
    const Job& added = jobs_.back();
    sends_ += added.isSend ? 1 : 0;
    ++(added.piece ? pieces_ : frames_[added.peer]);
  }
  /// Takes out what is over among so many; others come into their places.
  void removeOver(std::size_t first, std::size_t count) {
    for (std::size_t at = first + count; at-- > first;) {
      const Job& over = jobs_[at];
      if (!over.isOver) continue;
      sends_ -= over.isSend ? 1 : 0;
      --(over.piece ? pieces_ : frames_[over.peer]);
      if (at + 1 != jobs_.size()) {
        jobs_[at] = std::move(jobs_.back());
        requests_[at] = requests_.back();
      }
      jobs_.pop_back();
      requests_.pop_back();
    }
  }

  std::vector<MPI_Request> requests_;
  std::vector<Job> jobs_;    ///< the job of each request
  std::vector<Job> failed_;  ///< until their rank is given up
  std::size_t next_ = 0;     ///< the first one that is looked at next
  std::size_t sends_ = 0, pieces_ = 0;
  std::vector<std::size_t> frames_;  ///< by rank
  std::vector<int> indices_;
  std::vector<MPI_Status> statuses_;
  std::vector<cluster::Bytes> abandoned_;
};

}  // namespace clarity::device::cluster::mpi
