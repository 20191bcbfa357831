; Loads a row further on with every iteration are prefetched as many iterations ahead as a memory access lasts; not those that
; processors fetch ahead, not in iterations so short that many are under way, and not in local memory.
; RUN: %clarity opt --passes=prefetch-strides %s -o - | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: define float @rows
; CHECK: %[[AHEAD:.*]] = mul i64 %w, 76
; CHECK: loop:
; CHECK: %[[PLACE:.*]] = getelementptr i8, ptr addrspace(1) %q, i64 %[[AHEAD]]
; CHECK: call void @llvm.prefetch.p1(ptr addrspace(1) %[[PLACE]], i32 0, i32 2, i32 1)
; CHECK: load float
define float @rows(ptr addrspace(1) %p, i64 %w, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %at = mul nsw i64 %i, %w
  %q = getelementptr inbounds float, ptr addrspace(1) %p, i64 %at
  %v = load float, ptr addrspace(1) %q
  %c0 = fmul float %v, 0x3FF0040000000000
  %c1 = fmul float %c0, 0x3FF0040000000000
  %c2 = fmul float %c1, 0x3FF0040000000000
  %c3 = fmul float %c2, 0x3FF0040000000000
  %c4 = fmul float %c3, 0x3FF0040000000000
  %c5 = fmul float %c4, 0x3FF0040000000000
  %c6 = fmul float %c5, 0x3FF0040000000000
  %c7 = fmul float %c6, 0x3FF0040000000000
  %c8 = fmul float %c7, 0x3FF0040000000000
  %c9 = fmul float %c8, 0x3FF0040000000000
  %c10 = fmul float %c9, 0x3FF0040000000000
  %c11 = fmul float %c10, 0x3FF0040000000000
  %c12 = fmul float %c11, 0x3FF0040000000000
  %c13 = fmul float %c12, 0x3FF0040000000000
  %c14 = fmul float %c13, 0x3FF0040000000000
  %c15 = fmul float %c14, 0x3FF0040000000000
  %c16 = fmul float %c15, 0x3FF0040000000000
  %c17 = fmul float %c16, 0x3FF0040000000000
  %c18 = fmul float %c17, 0x3FF0040000000000
  %c19 = fmul float %c18, 0x3FF0040000000000
  %c20 = fmul float %c19, 0x3FF0040000000000
  %c21 = fmul float %c20, 0x3FF0040000000000
  %more = fadd float %sum, %c21
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret float %more
}

; A known step, of several lines but not of a page: the same, further than 1024 bytes.
; CHECK-LABEL: define float @far
; CHECK: call void @llvm.prefetch
define float @far(ptr addrspace(1) %p, i64 %w, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %at = mul nsw i64 %i, 512
  %q = getelementptr inbounds float, ptr addrspace(1) %p, i64 %at
  %v = load float, ptr addrspace(1) %q
  %c0 = fmul float %v, 0x3FF0040000000000
  %c1 = fmul float %c0, 0x3FF0040000000000
  %c2 = fmul float %c1, 0x3FF0040000000000
  %c3 = fmul float %c2, 0x3FF0040000000000
  %c4 = fmul float %c3, 0x3FF0040000000000
  %c5 = fmul float %c4, 0x3FF0040000000000
  %c6 = fmul float %c5, 0x3FF0040000000000
  %c7 = fmul float %c6, 0x3FF0040000000000
  %c8 = fmul float %c7, 0x3FF0040000000000
  %c9 = fmul float %c8, 0x3FF0040000000000
  %c10 = fmul float %c9, 0x3FF0040000000000
  %c11 = fmul float %c10, 0x3FF0040000000000
  %c12 = fmul float %c11, 0x3FF0040000000000
  %c13 = fmul float %c12, 0x3FF0040000000000
  %c14 = fmul float %c13, 0x3FF0040000000000
  %c15 = fmul float %c14, 0x3FF0040000000000
  %c16 = fmul float %c15, 0x3FF0040000000000
  %c17 = fmul float %c16, 0x3FF0040000000000
  %c18 = fmul float %c17, 0x3FF0040000000000
  %c19 = fmul float %c18, 0x3FF0040000000000
  %c20 = fmul float %c19, 0x3FF0040000000000
  %c21 = fmul float %c20, 0x3FF0040000000000
  %more = fadd float %sum, %c21
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret float %more
}

; CHECK-LABEL: define float @near
; CHECK-NOT: llvm.prefetch
; CHECK: ret
define float @near(ptr addrspace(1) %p, i64 %w, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %at = mul nsw i64 %i, 16
  %q = getelementptr inbounds float, ptr addrspace(1) %p, i64 %at
  %v = load float, ptr addrspace(1) %q
  %c0 = fmul float %v, 0x3FF0040000000000
  %c1 = fmul float %c0, 0x3FF0040000000000
  %c2 = fmul float %c1, 0x3FF0040000000000
  %c3 = fmul float %c2, 0x3FF0040000000000
  %c4 = fmul float %c3, 0x3FF0040000000000
  %c5 = fmul float %c4, 0x3FF0040000000000
  %c6 = fmul float %c5, 0x3FF0040000000000
  %c7 = fmul float %c6, 0x3FF0040000000000
  %c8 = fmul float %c7, 0x3FF0040000000000
  %c9 = fmul float %c8, 0x3FF0040000000000
  %c10 = fmul float %c9, 0x3FF0040000000000
  %c11 = fmul float %c10, 0x3FF0040000000000
  %c12 = fmul float %c11, 0x3FF0040000000000
  %c13 = fmul float %c12, 0x3FF0040000000000
  %c14 = fmul float %c13, 0x3FF0040000000000
  %c15 = fmul float %c14, 0x3FF0040000000000
  %c16 = fmul float %c15, 0x3FF0040000000000
  %c17 = fmul float %c16, 0x3FF0040000000000
  %c18 = fmul float %c17, 0x3FF0040000000000
  %c19 = fmul float %c18, 0x3FF0040000000000
  %c20 = fmul float %c19, 0x3FF0040000000000
  %c21 = fmul float %c20, 0x3FF0040000000000
  %more = fadd float %sum, %c21
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret float %more
}

; CHECK-LABEL: define float @short
; CHECK-NOT: llvm.prefetch
; CHECK: ret
define float @short(ptr addrspace(1) %p, i64 %w, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %at = mul nsw i64 %i, %w
  %q = getelementptr inbounds float, ptr addrspace(1) %p, i64 %at
  %v = load float, ptr addrspace(1) %q
  %c0 = fmul float %v, 0x3FF0040000000000
  %c1 = fmul float %c0, 0x3FF0040000000000
  %c2 = fmul float %c1, 0x3FF0040000000000
  %c3 = fmul float %c2, 0x3FF0040000000000
  %more = fadd float %sum, %c3
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret float %more
}

; CHECK-LABEL: define float @local
; CHECK-NOT: llvm.prefetch
; CHECK: ret
define float @local(ptr addrspace(3) %p, i64 %w, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %at = mul nsw i64 %i, %w
  %q = getelementptr inbounds float, ptr addrspace(3) %p, i64 %at
  %v = load float, ptr addrspace(3) %q
  %c0 = fmul float %v, 0x3FF0040000000000
  %c1 = fmul float %c0, 0x3FF0040000000000
  %c2 = fmul float %c1, 0x3FF0040000000000
  %c3 = fmul float %c2, 0x3FF0040000000000
  %c4 = fmul float %c3, 0x3FF0040000000000
  %c5 = fmul float %c4, 0x3FF0040000000000
  %c6 = fmul float %c5, 0x3FF0040000000000
  %c7 = fmul float %c6, 0x3FF0040000000000
  %c8 = fmul float %c7, 0x3FF0040000000000
  %c9 = fmul float %c8, 0x3FF0040000000000
  %c10 = fmul float %c9, 0x3FF0040000000000
  %c11 = fmul float %c10, 0x3FF0040000000000
  %c12 = fmul float %c11, 0x3FF0040000000000
  %c13 = fmul float %c12, 0x3FF0040000000000
  %c14 = fmul float %c13, 0x3FF0040000000000
  %c15 = fmul float %c14, 0x3FF0040000000000
  %c16 = fmul float %c15, 0x3FF0040000000000
  %c17 = fmul float %c16, 0x3FF0040000000000
  %c18 = fmul float %c17, 0x3FF0040000000000
  %c19 = fmul float %c18, 0x3FF0040000000000
  %c20 = fmul float %c19, 0x3FF0040000000000
  %c21 = fmul float %c20, 0x3FF0040000000000
  %more = fadd float %sum, %c21
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret float %more
}

; A tile is loaded in a short loop, then there is much to do: its loads are prefetched for the next iteration of the outer loop.
; CHECK-LABEL: define float @tiles
; CHECK: row:
; CHECK: %[[NEXT:.*]] = getelementptr i8, ptr addrspace(1) %q, i64 %{{.*}}
; CHECK: call void @llvm.prefetch.p1(ptr addrspace(1) %[[NEXT]]
; CHECK: load float
define float @tiles(ptr addrspace(1) %p, ptr %t, i64 %w, i64 %n) {
entry:
  %big = mul nsw i64 %w, 16
  br label %tile
tile:
  %i = phi i64 [ 0, %entry ], [ %next, %end.tile ]
  %first = mul nsw i64 %i, %big
  br label %row
row:
  %y = phi i64 [ 0, %tile ], [ %y.next, %row ]
  %down = mul nsw i64 %y, %w
  %at = add nsw i64 %first, %down
  %q = getelementptr float, ptr addrspace(1) %p, i64 %at
  %l = load float, ptr addrspace(1) %q
  %own = getelementptr inbounds float, ptr %t, i64 %y
  store float %l, ptr %own
  %y.next = add nuw nsw i64 %y, 1
  %more.rows = icmp ne i64 %y.next, 16
  br i1 %more.rows, label %row, label %work
work:
  %k = phi i64 [ 0, %row ], [ %k.next, %work ]
  %sum = phi float [ 0.0, %row ], [ %more, %work ]
  %from = getelementptr inbounds float, ptr %t, i64 %k
  %v = load float, ptr %from
  %c0 = fmul float %v, 0x3FF0040000000000
  %c1 = fmul float %c0, 0x3FF0040000000000
  %c2 = fmul float %c1, 0x3FF0040000000000
  %c3 = fmul float %c2, 0x3FF0040000000000
  %c4 = fmul float %c3, 0x3FF0040000000000
  %c5 = fmul float %c4, 0x3FF0040000000000
  %c6 = fmul float %c5, 0x3FF0040000000000
  %c7 = fmul float %c6, 0x3FF0040000000000
  %c8 = fmul float %c7, 0x3FF0040000000000
  %c9 = fmul float %c8, 0x3FF0040000000000
  %c10 = fmul float %c9, 0x3FF0040000000000
  %c11 = fmul float %c10, 0x3FF0040000000000
  %c12 = fmul float %c11, 0x3FF0040000000000
  %c13 = fmul float %c12, 0x3FF0040000000000
  %c14 = fmul float %c13, 0x3FF0040000000000
  %c15 = fmul float %c14, 0x3FF0040000000000
  %c16 = fmul float %c15, 0x3FF0040000000000
  %c17 = fmul float %c16, 0x3FF0040000000000
  %c18 = fmul float %c17, 0x3FF0040000000000
  %c19 = fmul float %c18, 0x3FF0040000000000
  %c20 = fmul float %c19, 0x3FF0040000000000
  %c21 = fmul float %c20, 0x3FF0040000000000
  %c22 = fmul float %c21, 0x3FF0040000000000
  %more = fadd float %sum, %c22
  %k.next = add nuw nsw i64 %k, 1
  %more.work = icmp ne i64 %k.next, 16
  br i1 %more.work, label %work, label %end.tile
end.tile:
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %tile, label %end
end:
  ret float %more
}
