; Loops that step by sizes take one turn for all work-items, then the next; what a work-item takes along has a place of its own.
; RUN: %clarity opt --passes='loop-simplify,interchange-loops<group-agnostic>' %s -o - | FileCheck %s
; RUN: %clarity opt --passes='loop-simplify,interchange-loops<group-agnostic>,prepare-barriers,save-live-values,work-item-loops<group-agnostic>,narrow-indices,fold-guards' %s -o - | FileCheck %s --check-prefix=LOOPS
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_global_id(i32) nounwind speculatable willreturn memory(none)
declare i64 @__clarity_global_size(i32) nounwind speculatable willreturn memory(none)

; As LLVM writes `for (uint i = global_id; i < n; i += global_size) c[i] = a[i];`: the counter is one of 32 bits again.
; CHECK-LABEL: define void @copy
; CHECK: iterations:
; CHECK: [[AT:%.*]] = phi i64 [ 0, %entry ], [ [[NEXT:%.*]], %iterations.next ]
; CHECK: icmp ult i64 [[AT]], {{.*}}
; CHECK: br i1 {{.*}}, label %loop, label %iterations.done
; CHECK: loop:
; CHECK: [[EXACT:%.*]] = add nuw nsw i64 %id, [[AT]]
; CHECK: [[MORE:%.*]] = icmp ult i64 [[EXACT]], {{.*}}
; CHECK: add nuw i32
; CHECK: br i1 [[MORE]], label %body, label %iterations.next
; CHECK: iterations.next:
; CHECK: [[NEXT]] = add nuw nsw i64 [[AT]], {{.*}}
; CHECK: call void @__clarity_barrier
; The box is taken piece by piece.
; LOOPS-LABEL: define void @copy
; LOOPS: piece.x:
define void @copy(ptr addrspace(1) %a, ptr addrspace(1) %c, i32 %n) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  br label %loop
loop:
  %i.wide = phi i64 [ %id, %entry ], [ %i.next, %body ]
  %i = trunc i64 %i.wide to i32
  %more = icmp ugt i32 %n, %i
  br i1 %more, label %body, label %end
body:
  %index = and i64 %i.wide, 4294967295
  %from = getelementptr inbounds float, ptr addrspace(1) %a, i64 %index
  %value = load float, ptr addrspace(1) %from
  %to = getelementptr inbounds float, ptr addrspace(1) %c, i64 %index
  store float %value, ptr addrspace(1) %to
  %items = call i64 @__clarity_global_size(i32 0)
  %i.next = add i64 %index, %items
  br label %loop
end:
  ret void
}

; A second counter follows from the number of the turn, a sum is kept.
; CHECK-LABEL: define void @sum
; CHECK: [[PLACE:%.*]] = alloca float
; CHECK: store float 0.0{{.*}}, ptr [[PLACE]]
; CHECK: [[TURN:%.*]] = phi i64 [ 0, %entry ]
; CHECK: loop:
; CHECK: mul i32 {{.*}}, 3
; CHECK: load float, ptr [[PLACE]]
; CHECK: body:
; CHECK: store float {{.*}}, ptr [[PLACE]]
; CHECK: iterations.done:
; CHECK: load float, ptr [[PLACE]]
; LOOPS-LABEL: define void @sum
; LOOPS: call ptr @__clarity_barrier_spill_area
define void @sum(ptr addrspace(1) %a, ptr addrspace(1) %out, i64 %n) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %items = call i64 @__clarity_global_size(i32 0)
  br label %loop
loop:
  %i = phi i64 [ %id, %entry ], [ %i.next, %body ]
  %k = phi i32 [ 1, %entry ], [ %k.next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %added, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %end
body:
  %from = getelementptr inbounds float, ptr addrspace(1) %a, i64 %i
  %value = load float, ptr addrspace(1) %from
  %factor = uitofp i32 %k to float
  %product = fmul float %value, %factor
  %added = fadd float %sum, %product
  %k.next = add i32 %k, 3
  %i.next = add i64 %i, %items
  br label %loop
end:
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %id
  store float %sum, ptr addrspace(1) %to
  ret void
}

; An argument may be anything, 0xffffffff for one.
; CHECK-LABEL: define void @any_step
; CHECK-NOT: iterations
; CHECK: ret void
define void @any_step(ptr addrspace(1) %a, i32 %n, i32 %step) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %start = trunc i64 %id to i32
  br label %loop
loop:
  %i = phi i32 [ %start, %entry ], [ %i.next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %end
body:
  %index = zext i32 %i to i64
  %to = getelementptr inbounds float, ptr addrspace(1) %a, i64 %index
  store float 1.0, ptr addrspace(1) %to
  %i.next = add i32 %i, %step
  br label %loop
end:
  ret void
}

; Work-items that do not all come to the loop, and rows of their own, stay as they are.
; CHECK-LABEL: define void @some
; CHECK-NOT: iterations
; CHECK: ret void
define void @some(ptr addrspace(1) %a, i64 %n) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %items = call i64 @__clarity_global_size(i32 0)
  %odd = trunc i64 %id to i1
  br i1 %odd, label %ahead, label %end
ahead:
  br label %loop
loop:
  %i = phi i64 [ %id, %ahead ], [ %i.next, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %end
body:
  %to = getelementptr inbounds float, ptr addrspace(1) %a, i64 %i
  store float 1.0, ptr addrspace(1) %to
  %i.next = add i64 %i, %items
  br label %loop
end:
  ret void
}
; CHECK-LABEL: define void @rows
; CHECK-NOT: iterations
; CHECK: ret void
define void @rows(ptr addrspace(1) %a, i64 %n) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %items = call i64 @__clarity_global_size(i32 0)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %end
body:
  %row = mul i64 %id, %n
  %place = add i64 %row, %i
  %to = getelementptr inbounds float, ptr addrspace(1) %a, i64 %place
  store float 1.0, ptr addrspace(1) %to
  %i.next = add i64 %i, %items
  br label %loop
end:
  ret void
}
