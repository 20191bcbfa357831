; SPDX-License-Identifier: Apache-2.0
; Command-queues and events of the device become numbers, also in what a block has captured.
; RUN: %clarity opt --passes=lower-images %s -o - | FileCheck %s

target triple = "spir64-unknown-unknown"

; CHECK-NOT: target(
; CHECK: define spir_kernel void @k(ptr byval(<{ i32, i64, [2 x i64] }>) align 8 %literal, i64 %queue)
define spir_kernel void @k(ptr byval(<{ i32, target("spirv.Queue"), [2 x target("spirv.DeviceEvent")] }>) align 8 %literal, target("spirv.Queue") %queue) {
; CHECK: %copy = alloca <{ i32, i64, [2 x i64] }>
  %copy = alloca <{ i32, target("spirv.Queue"), [2 x target("spirv.DeviceEvent")] }>
; CHECK: %q = getelementptr inbounds <{ i32, i64, [2 x i64] }>, ptr %copy, i32 0, i32 1
  %q = getelementptr inbounds <{ i32, target("spirv.Queue"), [2 x target("spirv.DeviceEvent")] }>, ptr %copy, i32 0, i32 1
; CHECK: store i64 %queue, ptr %q
  store target("spirv.Queue") %queue, ptr %q
; CHECK: %event = call i64 @_Z17create_user_eventv()
  %event = call target("spirv.DeviceEvent") @_Z17create_user_eventv()
; CHECK: call void @_Z13release_event12ocl_clkevent(i64 %event)
  call void @_Z13release_event12ocl_clkevent(target("spirv.DeviceEvent") %event)
; CHECK: store i64 0, ptr %q
  store target("spirv.Queue") zeroinitializer, ptr %q
  ret void
}

declare target("spirv.DeviceEvent") @_Z17create_user_eventv()
declare void @_Z13release_event12ocl_clkevent(target("spirv.DeviceEvent"))
