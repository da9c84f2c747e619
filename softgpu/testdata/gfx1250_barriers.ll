; Kernels for gfx1250 with barriers that have numbers.
target triple = "amdgcn-amd-amdhsa"

@first = internal addrspace(3) global target("amdgcn.named.barrier", 0) poison
@more = internal addrspace(3) global [4 x target("amdgcn.named.barrier", 0)] poison
@shared = internal addrspace(3) global [128 x i32] poison

declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.s.barrier.init(ptr addrspace(3), i32)
declare void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3), i32)
declare void @llvm.amdgcn.s.barrier.join(ptr addrspace(3))
declare void @llvm.amdgcn.s.barrier.wait(i16)
declare i32 @llvm.amdgcn.s.get.named.barrier.state(ptr addrspace(3))

; Four waves in two pairs: each exchanges its words with the other one of its pair, three times.
define amdgpu_kernel void @pairs(ptr addrspace(1) %p) "amdgpu-flat-work-group-size"="128,128" {
entry:
  %l = call i32 @llvm.amdgcn.workitem.id.x()
  %w = lshr i32 %l, 5
  %wave = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %w)
  %pair = lshr i32 %wave, 1
  %lead = icmp eq i32 %wave, 0
  br i1 %lead, label %init, label %meet
init:
  call void @llvm.amdgcn.s.barrier.init(ptr addrspace(3) @first, i32 2)
  call void @llvm.amdgcn.s.barrier.init(ptr addrspace(3) getelementptr ([4 x target("amdgcn.named.barrier", 0)], ptr addrspace(3) @more, i32 0, i32 3), i32 2)
  br label %meet
meet:
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %is0 = icmp eq i32 %pair, 0
  br i1 %is0, label %join0, label %join1
join0:
  call void @llvm.amdgcn.s.barrier.join(ptr addrspace(3) @first)
  br label %loop
join1:
  call void @llvm.amdgcn.s.barrier.join(ptr addrspace(3) getelementptr ([4 x target("amdgcn.named.barrier", 0)], ptr addrspace(3) @more, i32 0, i32 3))
  br label %loop
loop:
  %n = phi i32 [ 0, %join0 ], [ 0, %join1 ], [ %next, %again ]
  %v = phi i32 [ %l, %join0 ], [ %l, %join1 ], [ %sum, %again ]
  %mine = getelementptr [128 x i32], ptr addrspace(3) @shared, i32 0, i32 %l
  store i32 %v, ptr addrspace(3) %mine
  fence syncscope("workgroup") release
  br i1 %is0, label %signal0, label %signal1
signal0:
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) @first, i32 0)
  call void @llvm.amdgcn.s.barrier.wait(i16 1)
  br label %read
signal1:
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) getelementptr ([4 x target("amdgcn.named.barrier", 0)], ptr addrspace(3) @more, i32 0, i32 3), i32 0)
  call void @llvm.amdgcn.s.barrier.wait(i16 1)
  br label %read
read:
  fence syncscope("workgroup") acquire
  %other = xor i32 %l, 63
  %at = getelementptr [128 x i32], ptr addrspace(3) @shared, i32 0, i32 %other
  %got = load i32, ptr addrspace(3) %at
  %t = mul i32 %v, 3
  %sum = add i32 %t, %got
  fence syncscope("workgroup") release
  br i1 %is0, label %leave0, label %leave1
leave0:
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) @first, i32 0)
  call void @llvm.amdgcn.s.barrier.wait(i16 1)
  br label %again
leave1:
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) getelementptr ([4 x target("amdgcn.named.barrier", 0)], ptr addrspace(3) @more, i32 0, i32 3), i32 0)
  call void @llvm.amdgcn.s.barrier.wait(i16 1)
  br label %again
again:
  fence syncscope("workgroup") acquire
  %next = add i32 %n, 1
  %end = icmp eq i32 %next, 3
  br i1 %end, label %done, label %loop
done:
  %to = getelementptr i32, ptr addrspace(1) %p, i32 %l
  store i32 %sum, ptr addrspace(1) %to
  ret void
}

; One wave produces for another without waiting for it: it signals, and has not joined.
define amdgpu_kernel void @oneway(ptr addrspace(1) %p) "amdgpu-flat-work-group-size"="64,64" {
entry:
  %l = call i32 @llvm.amdgcn.workitem.id.x()
  %w = lshr i32 %l, 5
  %wave = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %w)
  %lead = icmp eq i32 %wave, 0
  br i1 %lead, label %join, label %meet
join:
  call void @llvm.amdgcn.s.barrier.init(ptr addrspace(3) @first, i32 1)
  call void @llvm.amdgcn.s.barrier.join(ptr addrspace(3) @first)
  br label %meet
meet:
  call void @llvm.amdgcn.s.barrier()
  %mine = getelementptr [128 x i32], ptr addrspace(3) @shared, i32 0, i32 %l
  br i1 %lead, label %consume, label %produce
produce:
  %square = mul i32 %l, %l
  store i32 %square, ptr addrspace(3) %mine
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) @first, i32 1)
  ret void
consume:
  call void @llvm.amdgcn.s.barrier.wait(i16 1)
  fence syncscope("workgroup") acquire
  %other = add i32 %l, 32
  %at = getelementptr [128 x i32], ptr addrspace(3) @shared, i32 0, i32 %other
  %got = load i32, ptr addrspace(3) %at
  %state = call i32 @llvm.amdgcn.s.get.named.barrier.state(ptr addrspace(3) @first)
  %to = getelementptr i32, ptr addrspace(1) %p, i32 %l
  store i32 %got, ptr addrspace(1) %to
  %end = getelementptr i32, ptr addrspace(1) %p, i32 32
  store i32 %state, ptr addrspace(1) %end
  ret void
}

; The waves wait for signals that nobody gives.
define amdgpu_kernel void @stuck(ptr addrspace(1) %p) "amdgpu-flat-work-group-size"="64,64" {
  call void @llvm.amdgcn.s.barrier.init(ptr addrspace(3) @first, i32 3)
  call void @llvm.amdgcn.s.barrier.join(ptr addrspace(3) @first)
  call void @llvm.amdgcn.s.barrier()
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) @first, i32 0)
  call void @llvm.amdgcn.s.barrier.wait(i16 1)
  ret void
}

; A signal that no initialization went before.
define amdgpu_kernel void @unknown(ptr addrspace(1) %p) "amdgpu-flat-work-group-size"="64,64" {
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) getelementptr ([4 x target("amdgcn.named.barrier", 0)], ptr addrspace(3) @more, i32 0, i32 1), i32 0)
  ret void
}
