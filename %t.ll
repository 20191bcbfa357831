; ModuleID = '<string>'
source_filename = "<string>"
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%node = type { i8, i32, ptr addrspace(1), [2 x double] }

@cl.counter = external addrspace(1) global i32, align 4
@cl.aligned = external addrspace(1) global i8, align 128
@cl.sparse = external addrspace(1) global <{ i32, [298 x i32], i32 }>, align 64
@cl.node = external addrspace(1) global %node, align 8
@cl.next = external addrspace(1) global ptr addrspace(1), align 8
@cl.generic = external addrspace(1) global ptr addrspace(4), align 8
@cl.behind = external addrspace(1) global i64, align 8
@cl.fixed = available_externally addrspace(1) constant i32 42, align 4
@cl.words = external addrspace(1) global [2 x ptr addrspace(2)], align 16
@cl.zeros = external addrspace(1) global [64 x i32], align 64
@cl.text = available_externally addrspace(2) constant [5 x i8] c"word\00", align 1
@table = private addrspace(2) constant [2 x i32] [i32 1, i32 2]
@shared = private addrspace(3) global i32 undef

define void @k(ptr addrspace(1) %out) {
  %v = load i32, ptr addrspace(1) @cl.counter, align 4
  store i32 %v, ptr addrspace(1) %out, align 4
  ret void
}
