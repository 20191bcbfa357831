// SPDX-License-Identifier: Apache-2.0
// This file writes the global and the local id of every work-item. ROWS and COLUMNS are given with -D.
__kernel void getGlobalId(__global uint globalId[2][ROWS][COLUMNS], __global uint localId[2][ROWS][COLUMNS]) {
  int id0 = get_global_id(0);
  int id1 = get_global_id(1);
  globalId[0][id0][id1] = get_global_id(0);
  globalId[1][id0][id1] = get_global_id(1);
  localId[0][id0][id1] = get_local_id(0);
  localId[1][id0][id1] = get_local_id(1);
}
