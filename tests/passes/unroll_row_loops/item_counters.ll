; LLVM counts the work-items of the interior from 0 on, and all of them in 64 bits where a row's start has so many. The
; loops over work-items keep one counter for each dimension all the same.
; RUN: %clarity opt --passes='specialize-shape<256>,work-item-loops,split-interior,loop-simplify,unroll-row-loops,verify' %s -o - | FileCheck %s
; RUN: %clarity opt --passes='specialize-shape<256>,work-item-loops,split-interior,loop-simplify,unroll-row-loops,lcssa,packets<4x1x1>,verify' %s -o - | FileCheck %s --check-prefix=VECTORS
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_global_id(i32)
declare i64 @__clarity_local_id(i32)
declare i32 @llvm.umin.i32(i32, i32)
declare i64 @llvm.umin.i64(i64, i64)

; CHECK-LABEL: define void @narrow
; CHECK: region0.x.inner:
; CHECK-NEXT: %[[X:.*]] = phi i32 {{.*}}, !clarity.counter
; CHECK-NOT: phi
; CHECK: region0.begin.inner:
; CHECK: sub i32 %[[X]], %
; CHECK-COUNT-8: load double
; VECTORS-LABEL: define void @narrow
; VECTORS: <4 x double>
define void @narrow(ptr addrspace(1) %a, ptr addrspace(1) %out, i32 %n) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %first = shl nuw nsw i32 %x, 4
  %last = add nuw nsw i32 %first, 16
  %end = call i32 @llvm.umin.i32(i32 %n, i32 %last)
  br label %for.cond
for.cond:
  %i = phi i32 [ %first, %entry ], [ %i.next, %for.body ]
  %sum = phi double [ 0.0, %entry ], [ %more, %for.body ]
  %c = icmp ult i32 %i, %end
  br i1 %c, label %for.body, label %done
for.body:
  %wide = zext i32 %i to i64
  %p = getelementptr inbounds double, ptr addrspace(1) %a, i64 %wide
  %v = load double, ptr addrspace(1) %p
  %more = fadd double %sum, %v
  %i.next = add nuw nsw i32 %i, 1
  br label %for.cond
done:
  %o = getelementptr inbounds double, ptr addrspace(1) %out, i64 %id
  store double %sum, ptr addrspace(1) %o
  ret void
}

; CHECK-LABEL: define void @wide
; CHECK: region0.x.inner:
; CHECK-NEXT: %[[X:.*]] = phi i32 {{.*}}, !clarity.counter
; CHECK-NOT: phi
; CHECK: region0.begin.inner:
; CHECK: zext i32 %[[X]] to i64
; CHECK-COUNT-8: load double
; VECTORS-LABEL: define void @wide
; VECTORS: <4 x double>
define void @wide(ptr addrspace(1) %a, ptr addrspace(1) %out, i64 %n, i64 %base) {
entry:
  %id = call i64 @__clarity_local_id(i32 0)
  %own = shl nuw nsw i64 %id, 4
  %first = add nuw nsw i64 %base, %own
  %own.last = add nuw nsw i64 %own, 16
  %last = add nuw nsw i64 %base, %own.last
  %end = call i64 @llvm.umin.i64(i64 %n, i64 %last)
  br label %for.cond
for.cond:
  %i = phi i64 [ %first, %entry ], [ %i.next, %for.body ]
  %sum = phi double [ 0.0, %entry ], [ %more, %for.body ]
  %c = icmp ult i64 %i, %end
  br i1 %c, label %for.body, label %done
for.body:
  %p = getelementptr inbounds double, ptr addrspace(1) %a, i64 %i
  %v = load double, ptr addrspace(1) %p
  %more = fadd double %sum, %v
  %i.next = add nuw nsw i64 %i, 1
  br label %for.cond
done:
  %o = getelementptr inbounds double, ptr addrspace(1) %out, i64 %id
  store double %sum, ptr addrspace(1) %o
  ret void
}
