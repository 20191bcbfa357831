// SPDX-License-Identifier: Apache-2.0
// This file is how a program sets what is modelled and learns the times. The driver with modelled nodes exports it.
#pragma once

extern "C" {

struct ClarityClusterModel {
  double latency;           ///< nanoseconds from one rank to another below the same switch
  double hop;               ///< more of them for each switch on the way above
  double bandwidth;         ///< bytes a nanosecond of each rank's link, in each direction
  double oversubscription;  ///< ranks below a switch share so many times less than all of their links
  unsigned ranksBelow;      ///< a switch of the lowest level
  double frame;             ///< nanoseconds of MPI for a message, at each end
  double kernel;            ///< nanoseconds of a launch
};
void clarityClusterModel(const struct ClarityClusterModel*);

struct ClarityClusterCounts {
  unsigned long long clock;     ///< nanoseconds of rank 0's clock
  unsigned long long computed;  ///< the part of these in which its code ran
  unsigned long long nodes;     ///< in which the code of nodes ran, of all
  unsigned long long frames, bytes, pieces, pieceBytes, fromHost;
};
void clarityClusterCounts(struct ClarityClusterCounts*);

}  // extern "C"
