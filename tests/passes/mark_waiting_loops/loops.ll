; Each turn of a loop that may wait for another sub-group begins with an offer to go on with others.
; RUN: %clarity opt --passes='mark-waiting-loops' %s -o - | FileCheck %s
declare i32 @__clarity_sub_group_id()
declare void @__clarity_barrier(i32)

; What is read is what another sub-group writes.
; CHECK-LABEL: define void @waits
define void @waits(ptr addrspace(3) %flag) "clarity-sub-group-size"="8" {
entry:
  %id = call i32 @__clarity_sub_group_id()
  br label %wait
; CHECK:      wait:
; CHECK-NEXT:   call void @__clarity_sub_group_yield()
wait:
  %seen = load atomic i32, ptr addrspace(3) %flag seq_cst, align 4
  %mine = icmp eq i32 %seen, %id
  br i1 %mine, label %done, label %wait
done:
  ret void
}

; CHECK-LABEL: define void @lock
define void @lock(ptr addrspace(1) %lock) "clarity-sub-group-size"="8" {
entry:
  %id = call i32 @__clarity_sub_group_id()
  br label %attempt
; CHECK:      attempt:
; CHECK-NEXT:   %turn = phi
; CHECK-NEXT:   call void @__clarity_sub_group_yield()
attempt:
  %turn = phi i32 [ 0, %entry ], [ %next, %attempt ]
  %next = add i32 %turn, 1
  %pair = cmpxchg ptr addrspace(1) %lock, i32 0, i32 1 seq_cst monotonic, align 4
  %taken = extractvalue { i32, i1 } %pair, 1
  br i1 %taken, label %done, label %attempt
done:
  ret void
}

; CHECK-LABEL: define void @volatileFlag
define void @volatileFlag(ptr addrspace(1) %flag) "clarity-sub-group-size"="8" {
entry:
  %id = call i32 @__clarity_sub_group_id()
  br label %wait
; CHECK: call void @__clarity_sub_group_yield()
wait:
  %seen = load volatile i32, ptr addrspace(1) %flag, align 4
  %zero = icmp eq i32 %seen, 0
  br i1 %zero, label %wait, label %done
done:
  ret void
}

; A loop with a known trip count does not wait; nor does one that reads nothing that others write.
; CHECK-LABEL: define void @counts
; CHECK-NOT: call void @__clarity_sub_group_yield
define void @counts(ptr addrspace(3) %sum, ptr addrspace(1) %list, i32 %n) "clarity-sub-group-size"="8" {
entry:
  %id = call i32 @__clarity_sub_group_id()
  br label %count
count:
  %i = phi i32 [ 0, %entry ], [ %next, %count ]
  %old = atomicrmw add ptr addrspace(3) %sum, i32 1 seq_cst, align 4
  store i32 %old, ptr addrspace(1) %list
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %count, label %walk
walk:
  %node = phi i32 [ 0, %count ], [ %following, %walk ]
  %unused = atomicrmw add ptr addrspace(3) %sum, i32 1 seq_cst, align 4
  %address = getelementptr i32, ptr addrspace(1) %list, i32 %node
  %following = load i32, ptr addrspace(1) %address, align 4
  %end = icmp eq i32 %following, -1
  br i1 %end, label %done, label %walk
done:
  ret void
}

; No other work-item accesses private memory, volatile or not.
; CHECK-LABEL: define void @ownVolatile
; CHECK-NOT: call void @__clarity_sub_group_yield
define void @ownVolatile(ptr addrspace(1) %list) "clarity-sub-group-size"="8" {
entry:
  %x = alloca i32
  %id = call i32 @__clarity_sub_group_id()
  store volatile i32 %id, ptr %x
  br label %walk
walk:
  %node = load volatile i32, ptr %x
  %address = getelementptr i32, ptr addrspace(1) %list, i32 %node
  %following = load i32, ptr addrspace(1) %address, align 4
  store volatile i32 %following, ptr %x
  %end = icmp eq i32 %following, -1
  br i1 %end, label %done, label %walk
done:
  ret void
}

; All meet in each turn.
; CHECK-LABEL: define void @meets
; CHECK-NOT: call void @__clarity_sub_group_yield
define void @meets(ptr addrspace(3) %flag) "clarity-sub-group-size"="8" {
entry:
  %id = call i32 @__clarity_sub_group_id()
  br label %turn
turn:
  call void @__clarity_barrier(i32 1)
  %seen = load atomic i32, ptr addrspace(3) %flag seq_cst, align 4
  call void @__clarity_barrier(i32 1)
  %zero = icmp eq i32 %seen, 0
  br i1 %zero, label %turn, label %done
done:
  ret void
}

; A work-group of one sub-group, and a kernel that does not know of any.
; CHECK-LABEL: define void @alone
; CHECK-NOT: call void @__clarity_sub_group_yield
define void @alone(ptr addrspace(3) %flag) "clarity-sub-group-size"="8" "clarity-local-size-0"="8" "clarity-local-size-1"="1" "clarity-local-size-2"="1" {
entry:
  %id = call i32 @__clarity_sub_group_id()
  br label %wait
wait:
  %seen = load atomic i32, ptr addrspace(3) %flag seq_cst, align 4
  %zero = icmp eq i32 %seen, 0
  br i1 %zero, label %wait, label %done
done:
  ret void
}

; CHECK-LABEL: define void @none
; CHECK-NOT: call void @__clarity_sub_group_yield
define void @none(ptr addrspace(3) %flag) "clarity-sub-group-size"="8" {
entry:
  br label %wait
wait:
  %seen = load atomic i32, ptr addrspace(3) %flag seq_cst, align 4
  %zero = icmp eq i32 %seen, 0
  br i1 %zero, label %wait, label %done
done:
  ret void
}
