; Loops along a row of every work-item's own take a line of the cache at once; others stay as they are.
; RUN: %clarity opt --passes='work-item-loops<group-agnostic>,loop-simplify,unroll-row-loops' %s -o - | FileCheck %s
; RUN: %clarity opt --passes='work-item-loops<group-agnostic>,loop-simplify,unroll-row-loops,lcssa,packets<4x1x1>' %s -o - | FileCheck %s --check-prefix=VECTORS
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @__clarity_global_id(i32)

; What all turns share is computed ahead of the loop; 16 floats fill a line. In packets they are read as vectors and transposed.
; CHECK-LABEL: define void @row
; CHECK: %start = mul nsw i32 %x, %n
; CHECK: for.body
; CHECK-COUNT-16: load float
; CHECK: .epil:
; CHECK-COUNT-4: load float
; CHECK-NOT: load float
; CHECK: .epil.epil:
; CHECK: load float
; CHECK-NOT: load float
; VECTORS-LABEL: define void @row
; VECTORS-COUNT-16: load <4 x float>, ptr addrspace(1)
; VECTORS: shufflevector <4 x float>
; VECTORS: packet.for.body.epil
; VECTORS-COUNT-4: load <4 x float>, ptr addrspace(1)
define void @row(ptr addrspace(1) %a, ptr addrspace(1) %out, i32 %n) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  br label %for.cond
for.cond:
  %k = phi i32 [ 0, %entry ], [ %k.next, %for.body ]
  %sum = phi float [ 0.0, %entry ], [ %more, %for.body ]
  %c = icmp slt i32 %k, %n
  br i1 %c, label %for.body, label %end
for.body:
  %start = mul nsw i32 %x, %n
  %index = add nsw i32 %start, %k
  %wide = sext i32 %index to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %wide
  %v = load float, ptr addrspace(1) %p
  %more = fadd float %sum, %v
  %k.next = add nuw nsw i32 %k, 1
  br label %for.cond
end:
  %o = getelementptr inbounds float, ptr addrspace(1) %out, i64 %id
  store float %sum, ptr addrspace(1) %o
  ret void
}

; A pointer of every work-item's own that walks by doubles: 8 of them fill a line.
; CHECK-LABEL: define void @pointer
; CHECK-COUNT-8: load double
; CHECK: .epil:
define void @pointer(ptr addrspace(1) %a, ptr addrspace(1) %out, i64 %n) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %start = mul i64 %id, %n
  %first = getelementptr double, ptr addrspace(1) %a, i64 %start
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %p = phi ptr addrspace(1) [ %first, %entry ], [ %p.next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %more, %loop ]
  %v = load double, ptr addrspace(1) %p
  %more = fadd double %sum, %v
  %p.next = getelementptr double, ptr addrspace(1) %p, i64 1
  %k.next = add nuw i64 %k, 1
  %c = icmp ult i64 %k.next, %n
  br i1 %c, label %loop, label %end
end:
  %o = getelementptr double, ptr addrspace(1) %out, i64 %id
  store double %more, ptr addrspace(1) %o
  ret void
}

; Neighbours that stand side by side need no help, and work-items that leave in different turns would not stay together.
; CHECK-LABEL: define void @column
; CHECK-COUNT-1: load float
; CHECK-NOT: load float
; CHECK-LABEL: define void @apart
; CHECK-COUNT-2: load
; CHECK-NOT: load
define void @column(ptr addrspace(1) %a, ptr addrspace(1) %out, i64 %n) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %row = mul i64 %k, %n
  %index = add i64 %row, %id
  %p = getelementptr float, ptr addrspace(1) %a, i64 %index
  %v = load float, ptr addrspace(1) %p
  %more = fadd float %sum, %v
  %k.next = add nuw i64 %k, 1
  %c = icmp ult i64 %k.next, %n
  br i1 %c, label %loop, label %end
end:
  %o = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %more, ptr addrspace(1) %o
  ret void
}
define void @apart(ptr addrspace(1) %a, ptr addrspace(1) %ends, ptr addrspace(1) %out) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %e = getelementptr i64, ptr addrspace(1) %ends, i64 %id
  %n = load i64, ptr addrspace(1) %e
  %start = mul i64 %id, 1000
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %index = add i64 %start, %k
  %p = getelementptr float, ptr addrspace(1) %a, i64 %index
  %v = load float, ptr addrspace(1) %p
  %more = fadd float %sum, %v
  %k.next = add nuw i64 %k, 1
  %c = icmp ult i64 %k.next, %n
  br i1 %c, label %loop, label %end
end:
  %o = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %more, ptr addrspace(1) %o
  ret void
}

; What LLVM computes once for all turns from a work-item's id belongs to its run, not to where the id is counted.
; CHECK-LABEL: define void @parity
; CHECK: region0.x:
; CHECK-NEXT: phi i32
; CHECK-NEXT: br label %region0.begin
; CHECK: region0.begin:
; CHECK: mul nsw i32 %{{.*}}, -1
; CHECK-COUNT-16: load i32
; VECTORS-LABEL: define void @parity
; VECTORS: trunc <4 x i32> %{{.*}} to <4 x i1>
define void @parity(ptr addrspace(1) %a, ptr addrspace(1) %out, i64 %n) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %x = trunc i64 %id to i32
  %start = mul i64 %id, %n
  %row = getelementptr i32, ptr addrspace(1) %a, i64 %start
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %p = getelementptr i32, ptr addrspace(1) %row, i64 %k
  %v = load i32, ptr addrspace(1) %p
  %narrow = trunc nuw nsw i64 %k to i32
  %half = lshr i32 %narrow, 1
  %sum = add nsw i32 %half, %x
  %odd = and i32 %sum, 1
  %wide = zext nneg i32 %odd to i64
  %at = mul nuw nsw i64 %n, %wide
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %at
  %o = getelementptr i32, ptr addrspace(1) %q, i64 %id
  store i32 %v, ptr addrspace(1) %o
  %k.next = add nuw nsw i64 %k, 1
  %c = icmp samesign ult i64 %k.next, 333
  br i1 %c, label %loop, label %end
end:
  ret void
}

; Indices are numbers modulo 2^64: 8 times 2^62 + 1 is 8. Whether there is another turn is asked in each.
; CHECK-LABEL: define void @around
; CHECK-COUNT-8: load i64
; CHECK-NOT: load i64
; CHECK: ret void
define void @around(ptr addrspace(1) %a, ptr addrspace(1) %out, i64 %n) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %start = mul i64 %id, %n
  br label %for.cond
for.cond:
  %k = phi i64 [ 0, %entry ], [ %k.next, %for.body ]
  %sum = phi i64 [ 0, %entry ], [ %more, %for.body ]
  %c = icmp ult i64 %k, %n
  br i1 %c, label %for.body, label %end
for.body:
  %row = add i64 %start, 4611686018427387905
  %index = add i64 %row, %k
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %index
  %v = load i64, ptr addrspace(1) %p
  %more = add i64 %sum, %v
  %k.next = add i64 %k, 4611686018427387905
  br label %for.cond
end:
  %o = getelementptr inbounds i64, ptr addrspace(1) %out, i64 %id
  store i64 %sum, ptr addrspace(1) %o
  ret void
}

; Elements of several components, each loaded by itself: a line of 8 pairs.
; CHECK-LABEL: define void @pairs
; CHECK-COUNT-16: load float
; CHECK: .epil:
; VECTORS-LABEL: define void @pairs
; VECTORS-COUNT-16: load <4 x float>, ptr addrspace(1)
; VECTORS: shufflevector <4 x float>
define void @pairs(ptr addrspace(1) %a, ptr addrspace(1) %out, i64 %n) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %start = mul i64 %id, %n
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %both, %loop ]
  %index = add i64 %start, %k
  %p = getelementptr <2 x float>, ptr addrspace(1) %a, i64 %index
  %v = load float, ptr addrspace(1) %p
  %q = getelementptr i8, ptr addrspace(1) %p, i64 4
  %w = load float, ptr addrspace(1) %q
  %more = fadd float %sum, %v
  %both = fadd float %more, %w
  %k.next = add i64 %k, 1
  %c = icmp ult i64 %k.next, %n
  br i1 %c, label %loop, label %end
end:
  %o = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %both, ptr addrspace(1) %o
  ret void
}

; One component of each pair: half of a line is not read.
; CHECK-LABEL: define void @first_of_pairs
; CHECK: load float
; CHECK-NOT: load float
; CHECK: {{^}$}}
define void @first_of_pairs(ptr addrspace(1) %a, ptr addrspace(1) %out, i64 %n) {
entry:
  %id = call i64 @__clarity_global_id(i32 0)
  %start = mul i64 %id, %n
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %index = add i64 %start, %k
  %p = getelementptr <2 x float>, ptr addrspace(1) %a, i64 %index
  %v = load float, ptr addrspace(1) %p
  %more = fadd float %sum, %v
  %k.next = add i64 %k, 1
  %c = icmp ult i64 %k.next, %n
  br i1 %c, label %loop, label %end
end:
  %o = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %more, ptr addrspace(1) %o
  ret void
}
