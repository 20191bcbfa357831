// SPDX-License-Identifier: Apache-2.0
// This file holds the costs, thresholds and limits that the compiler decides by, one namespace for each decision.
//
// Where a number comes from stands behind its meaning:
//   derived     from the processor, the ABI or another number, as the line says
//   counted     from the instructions that x86-64 processors execute for it
//   chosen      a round number for the reason given; how sharp it is has not been measured
//   build time  a bound on what one kernel, or one query of an analysis, costs the compile
#pragma once

#include "compiler/ir/cost_of_compiles.h"
#include "compiler/ir/cost_of_memory.h"
#include "compiler/ir/cost_of_packets.h"
#include "compiler/ir/cost_of_searches.h"
#include "compiler/ir/cost_of_threads.h"
#include "compiler/ir/cost_of_versions.h"
