// SPDX-License-Identifier: Apache-2.0
// This file is the requests that MPI has not ended yet.
#pragma once

#include "device/cluster/transport.h"

#include <mpi.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace clarity::device::cluster::mpi {

/// For one thread at a time.
class Requests {
public:
  /// A request that has begun. `piece` is null for a frame, whose bytes are kept until it has gone.
  void add(MPI_Request request, unsigned peer, bool isSend, cluster::Piece* piece, cluster::Bytes frame) {
    // Small frames are copied at once; but not behind others, and MPI would lose time looking.
    if (!piece && frames(peer) == 0) {
      int isDone = 0;
      if (MPI_Test(&request, &isDone, MPI_STATUS_IGNORE) == MPI_SUCCESS && isDone) return;
    }
    requests_.push_back(request);
    jobs_.push_back({peer, isSend, piece, std::move(frame)});
    count(jobs_.back());
  }
  /// Frames to a rank that have not gone yet.
  std::size_t frames(unsigned peer) const { return peer < frames_.size() ? frames_[peer] : 0; }

  /// Calls with each piece that has moved, and with the rank and the code of each request that failed.
  template <class Moved, class Failed>
  bool test(Moved&& moved, Failed&& failed) {
    if (requests_.empty()) return false;
    int count = 0;
    indices_.resize(requests_.size());
    statuses_.resize(requests_.size());
    const int code =
        MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count, indices_.data(), statuses_.data());
    if (count == MPI_UNDEFINED || count <= 0) return false;
    std::vector<Job> ended;
    for (int i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(indices_[static_cast<std::size_t>(i)]);
      Job& job = jobs_[at];
      const int own = code == MPI_ERR_IN_STATUS ? statuses_[static_cast<std::size_t>(i)].MPI_ERROR : MPI_SUCCESS;
      if (own != MPI_SUCCESS && own != MPI_ERR_PENDING) {
        failed(job.peer, own);
        requests_[at] = MPI_REQUEST_NULL;
        failed_.push_back(std::move(job));
      } else {
        ended.push_back(std::move(job));
      }
      job.isOver = true;
    }
    removeOver();
    for (const Job& job : ended)
      if (job.piece) moved(*job.piece);
    return true;
  }

  /// Ends the pieces from and to a rank. MPI may still have their memory, and that of frames, in use.
  template <class Moved>
  void giveUp(unsigned rank, Moved&& notMoved) {
    std::vector<cluster::Piece*> pieces;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      Job& job = jobs_[i];
      if (job.peer != rank) continue;
      if (requests_[i] != MPI_REQUEST_NULL) {
        if (!job.isSend) MPI_Cancel(&requests_[i]);
        MPI_Request_free(&requests_[i]);
      }
      if (job.piece) pieces.push_back(job.piece);
      job.isOver = true;
      if (!job.frame.empty()) abandoned_.push_back(std::move(job.frame));
    }
    for (Job& job : failed_)
      if (job.peer == rank && job.piece) pieces.push_back(std::exchange(job.piece, nullptr));
    removeOver();
    for (cluster::Piece* const piece : pieces) notMoved(*piece);
  }

  std::size_t sends() const { return sends_; }
  std::size_t pieces() const { return pieces_; }

private:
  struct Job {
    unsigned peer = 0;
    bool isSend = false;
    cluster::Piece* piece = nullptr;
    cluster::Bytes frame{};
    bool isOver = false;
  };

  void count(const Job& job) {
    sends_ += job.isSend ? 1 : 0;
    pieces_ += job.piece ? 1 : 0;
    if (frames_.size() <= job.peer) frames_.resize(job.peer + 1);
    frames_[job.peer] += job.piece ? 0 : 1;
  }
  void removeOver() {
    std::size_t kept = 0;
    sends_ = pieces_ = 0;
    frames_.assign(frames_.size(), 0);
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      if (jobs_[i].isOver) continue;
      if (kept != i) {
        jobs_[kept] = std::move(jobs_[i]);
        requests_[kept] = requests_[i];
      }
      count(jobs_[kept]);
      ++kept;
    }
    jobs_.resize(kept);
    requests_.resize(kept);
  }

  std::vector<MPI_Request> requests_;
  std::vector<Job> jobs_;    ///< of each request
  std::vector<Job> failed_;  ///< until their rank is given up
  std::size_t sends_ = 0, pieces_ = 0;
  std::vector<std::size_t> frames_;  ///< by rank
  std::vector<int> indices_;
  std::vector<MPI_Status> statuses_;
  std::vector<cluster::Bytes> abandoned_;
};

}  // namespace clarity::device::cluster::mpi
