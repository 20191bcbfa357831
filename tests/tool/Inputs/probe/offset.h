// SPDX-License-Identifier: Apache-2.0
#define BEHIND 5
