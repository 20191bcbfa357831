; Atomic operations keep their order and scope in what the code generator makes of them, for each generation of GPUs.
; RUN: %clarity opt --processor sm_90 --passes=lower-atomics %s -o - | FileCheck %s --check-prefixes=CHECK,ORDERS
; RUN: %clarity opt --processor sm_70 --passes=lower-atomics %s -o - | FileCheck %s --check-prefixes=CHECK,ORDERS
; RUN: %clarity opt --processor sm_60 --passes=lower-atomics %s -o - | FileCheck %s --check-prefixes=CHECK,SCOPES,FENCES
; RUN: %clarity opt --processor sm_50 --passes=lower-atomics %s -o - | FileCheck %s --check-prefixes=CHECK,PLAIN,FENCES
target triple = "nvptx64-nvidia-cuda"

; From 7.0 on an instruction has its order. Sequentially consistent: a fence, and acquiring.
; CHECK-LABEL: define i32 @lock
; ORDERS-NEXT: fence syncscope("block") seq_cst
; ORDERS-NEXT: %{{.*}} = call i32 asm sideeffect "atom.acquire.cta.global.exch.b32 $0, [$1], $2;", "=r,l,r,~{memory}"(ptr addrspace(1) %lock, i32 1)
; ORDERS-NEXT: ret i32
; SCOPES-NEXT: fence syncscope("block") seq_cst
; SCOPES-NEXT: %{{.*}} = call i32 asm sideeffect "atom.cta.global.exch.b32 $0, [$1], $2;", "=r,l,r,~{memory}"(ptr addrspace(1) %lock, i32 1)
; SCOPES-NEXT: fence syncscope("block") acquire
; PLAIN-NEXT: fence syncscope("block") seq_cst
; PLAIN-NEXT: atomicrmw xchg ptr addrspace(1) %lock, i32 1 syncscope("block") monotonic
; PLAIN-NEXT: fence syncscope("block") acquire
define i32 @lock(ptr addrspace(1) %lock) {
  %old = atomicrmw xchg ptr addrspace(1) %lock, i32 1 syncscope("block") seq_cst, align 4
  ret i32 %old
}

; Without a result: no value comes back. A subtraction is the sum with the negative.
; CHECK-LABEL: define void @unlock
; ORDERS-NEXT: %[[NEGATIVE:.*]] = sub i32 0, %x
; ORDERS-NEXT: call void asm sideeffect "red.release.gpu.global.add.u32 [$0], $1;", "l,r,~{memory}"(ptr addrspace(1) %p, i32 %[[NEGATIVE]])
; FENCES-NEXT: fence syncscope("device") release
; FENCES-NEXT: atomicrmw sub ptr addrspace(1) %p, i32 %x syncscope("device") monotonic
; CHECK-NEXT: ret void
define void @unlock(ptr addrspace(1) %p, i32 %x) {
  %old = atomicrmw sub ptr addrspace(1) %p, i32 %x syncscope("device") release, align 4
  ret void
}

; That of the system, of floats and of 64 bits; a generic address.
; CHECK-LABEL: define float @wider
; ORDERS-NEXT: call void asm sideeffect "red.relaxed.sys.max.s64 [$0], $1;", "l,l,~{memory}"(ptr %p, i64 %x)
; ORDERS: call i32 asm sideeffect "atom.acq_rel.gpu.global.exch.b32 $0, [$1], $2;"
; SCOPES-NEXT: call void asm sideeffect "red.sys.max.s64 [$0], $1;", "l,l,~{memory}"(ptr %p, i64 %x)
; SCOPES: atomicrmw xchg ptr addrspace(1) %q, float %f syncscope("device") monotonic
; PLAIN-NEXT: atomicrmw max ptr %p, i64 %x monotonic
; PLAIN-NEXT: fence syncscope("device") release
; PLAIN-NEXT: atomicrmw xchg ptr addrspace(1) %q, float %f syncscope("device") monotonic
; PLAIN-NEXT: fence syncscope("device") acquire
define float @wider(ptr %p, i64 %x, ptr addrspace(1) %q, float %f) {
  %a = atomicrmw max ptr %p, i64 %x monotonic, align 8
  %b = atomicrmw xchg ptr addrspace(1) %q, float %f syncscope("device") acq_rel, align 4
  ret float %b
}

; A relaxed operation of the device's scope is what the code generator takes every one for.
; CHECK-LABEL: define void @relaxed
; CHECK-NEXT: atomicrmw add ptr addrspace(1) %p, i32 1 syncscope("device") monotonic
; CHECK-NEXT: ret void
define void @relaxed(ptr addrspace(1) %p) {
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 syncscope("device") monotonic, align 4
  ret void
}

; Only the work-group sees shared memory, by whatever address: its scope is that of the block.
; CHECK-LABEL: define i32 @shared
; CHECK-NEXT: atomicrmw add ptr addrspace(3) %s, i32 1 syncscope("block") monotonic
; CHECK-NEXT: %any = addrspacecast ptr addrspace(3) %s to ptr
; ORDERS: call i32 asm sideeffect "atom.acquire.cta.shared.add.u32 $0, [$1], $2;"
; FENCES-NEXT: atomicrmw add ptr %any, i32 2 syncscope("block") monotonic
; FENCES-NEXT: fence syncscope("block") acquire
define i32 @shared(ptr addrspace(3) %s) {
  %a = atomicrmw add ptr addrspace(3) %s, i32 1 monotonic, align 4
  %any = addrspacecast ptr addrspace(3) %s to ptr
  %b = atomicrmw add ptr %any, i32 2 acquire, align 4
  ret i32 %b
}

; No other thread sees private memory.
; CHECK-LABEL: define i32 @private
; CHECK-NOT: {{atomic|fence|asm|cmpxchg}}
; CHECK: ret i32
define i32 @private(i32 %x) {
  %v = alloca i32, align 4
  store atomic i32 %x, ptr %v release, align 4
  %a = atomicrmw add ptr %v, i32 1 seq_cst, align 4
  %b = cmpxchg ptr %v, i32 %x, i32 5 seq_cst seq_cst
  %c = load atomic i32, ptr %v acquire, align 4
  ret i32 %c
}

; The code generator keeps orders of loads, stores and exchanges from 7.0 on; below it refuses or drops them.
; CHECK-LABEL: define i32 @accesses
; ORDERS-NEXT: load atomic i32, ptr addrspace(1) %p syncscope("device") acquire
; ORDERS-NEXT: store atomic i32 1, ptr addrspace(1) %p syncscope("block") seq_cst
; ORDERS-NEXT: cmpxchg ptr addrspace(1) %p, i32 1, i32 2 syncscope("device") acq_rel monotonic
; FENCES-NEXT: load atomic i32, ptr addrspace(1) %p syncscope("device") monotonic
; FENCES-NEXT: fence syncscope("device") acquire
; FENCES-NEXT: fence syncscope("block") seq_cst
; FENCES-NEXT: store atomic i32 1, ptr addrspace(1) %p syncscope("block") monotonic
; FENCES-NEXT: fence syncscope("device") release
; FENCES-NEXT: cmpxchg ptr addrspace(1) %p, i32 1, i32 2 syncscope("device") monotonic monotonic
; FENCES-NEXT: fence syncscope("device") acquire
; CHECK-NEXT: ret i32
define i32 @accesses(ptr addrspace(1) %p) {
  %a = load atomic volatile i32, ptr addrspace(1) %p syncscope("device") acquire, align 4
  store atomic i32 1, ptr addrspace(1) %p syncscope("block") seq_cst, align 4
  %c = cmpxchg ptr addrspace(1) %p, i32 1, i32 2 syncscope("device") acq_rel monotonic
  ret i32 %a
}

; There is no instruction: LLVM makes a loop of it, to which order and scope are left.
; CHECK-LABEL: define i32 @without
; ORDERS-NEXT: atomicrmw nand ptr addrspace(1) %p, i32 %x syncscope("device") acquire
; FENCES-NEXT: atomicrmw nand ptr addrspace(1) %p, i32 %x syncscope("device") monotonic
; FENCES-NEXT: fence syncscope("device") acquire
; CHECK-NEXT: ret i32
define i32 @without(ptr addrspace(1) %p, i32 %x) {
  %old = atomicrmw nand ptr addrspace(1) %p, i32 %x syncscope("device") acquire, align 4
  ret i32 %old
}

; Doubles have been added by an instruction since 6.0, halves since 7.0.
; CHECK-LABEL: define void @sums
; ORDERS-NEXT: call void asm sideeffect "red.relaxed.sys.global.add.f64 [$0], $1;", "l,d,~{memory}"
; ORDERS: call void asm sideeffect "red.relaxed.sys.global.add.noftz.f16 [$0], $1;", "l,h,~{memory}"
; SCOPES-NEXT: call void asm sideeffect "red.sys.global.add.f64 [$0], $1;", "l,d,~{memory}"
; SCOPES-NEXT: atomicrmw fadd ptr addrspace(1) %h, half %y monotonic
; PLAIN-NEXT: atomicrmw fadd ptr addrspace(1) %d, double %x monotonic
; PLAIN-NEXT: atomicrmw fadd ptr addrspace(1) %h, half %y monotonic
define void @sums(ptr addrspace(1) %d, double %x, ptr addrspace(1) %h, half %y) {
  %a = atomicrmw fadd ptr addrspace(1) %d, double %x monotonic, align 8
  %b = atomicrmw fadd ptr addrspace(1) %h, half %y monotonic, align 2
  ret void
}

; A fence for the work-item alone has done its work; the others stay, that of an unknown scope is the system's.
; CHECK-LABEL: define void @fences
; CHECK-NEXT: fence syncscope("block") acq_rel
; CHECK-NEXT: fence seq_cst
; CHECK-NEXT: ret void
define void @fences() {
  fence syncscope("singlethread") acq_rel
  fence syncscope("block") acq_rel
  fence syncscope("other") seq_cst
  ret void
}
