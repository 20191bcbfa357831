; SPDX-License-Identifier: Apache-2.0
; What a work-item leaves open becomes 0, of any type; other values stay.
; RUN: %clarity opt %s --passes=define-phis | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

; CHECK: %number = phi i32 [ %x, %then ], [ 0, %entry ]
; CHECK: %vector = phi <2 x float> [ zeroinitializer, %then ], [ splat (float 1.000000e+00), %entry ]
; CHECK: %address = phi ptr addrspace(3) [ %local, %then ], [ null, %entry ]
define void @k(i1 %c, i32 %x, ptr addrspace(3) %local, ptr addrspace(1) %out) {
entry:
  br i1 %c, label %then, label %end

then:
  br label %end

end:
  %number = phi i32 [ %x, %then ], [ undef, %entry ]
  %vector = phi <2 x float> [ poison, %then ], [ splat (float 1.0), %entry ]
  %address = phi ptr addrspace(3) [ %local, %then ], [ poison, %entry ]
  %converted = bitcast <2 x float> %vector to i64
  store i32 %number, ptr addrspace(1) %out
  store i64 %converted, ptr addrspace(1) %out
  store ptr addrspace(3) %address, ptr addrspace(1) %out
  ret void
}
