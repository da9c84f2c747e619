; Written by 'make golden': scripts/lower 16 gpu test/mlir/vector-add.mlir vector-add.lowered.mlir
;   and mlir-translate-16 --mlir-to-llvmir vector-add.lowered.mlir
; ModuleID = 'LLVMDialectModule'
source_filename = "LLVMDialectModule"

%0 = type { i64, ptr, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64 }

@add_kernel_add_kernel_kernel_name = internal constant [11 x i8] c"add_kernel\00"
@add_kernel_gpubin_cst = internal constant [3424 x i8] c"\7FELF\02\01\01@\02\00\00\00\00\00\00\00\03\00\E0\00\01\00\00\00\00\00\00\00\00\00\00\00@\00\00\00\00\00\00\00 \0A\00\00\00\00\00\00/\05\00\00@\008\00\08\00@\00\0D\00\0B\00\06\00\00\00\04\00\00\00@\00\00\00\00\00\00\00@\00\00\00\00\00\00\00@\00\00\00\00\00\00\00\C0\01\00\00\00\00\00\00\C0\01\00\00\00\00\00\00\08\00\00\00\00\00\00\00\01\00\00\00\04\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\80\07\00\00\00\00\00\00\80\07\00\00\00\00\00\00\00\10\00\00\00\00\00\00\01\00\00\00\05\00\00\00\00\08\00\00\00\00\00\00\00\18\00\00\00\00\00\00\00\18\00\00\00\00\00\00\A8\00\00\00\00\00\00\00\A8\00\00\00\00\00\00\00\00\10\00\00\00\00\00\00\01\00\00\00\06\00\00\00\A8\08\00\00\00\00\00\00\A8(\00\00\00\00\00\00\A8(\00\00\00\00\00\00p\00\00\00\00\00\00\00p\00\00\00\00\00\00\00\00\10\00\00\00\00\00\00\02\00\00\00\06\00\00\00\A8\08\00\00\00\00\00\00\A8(\00\00\00\00\00\00\A8(\00\00\00\00\00\00p\00\00\00\00\00\00\00p\00\00\00\00\00\00\00\08\00\00\00\00\00\00\00R\E5td\04\00\00\00\A8\08\00\00\00\00\00\00\A8(\00\00\00\00\00\00\A8(\00\00\00\00\00\00p\00\00\00\00\00\00\00X\07\00\00\00\00\00\00\01\00\00\00\00\00\00\00Q\E5td\06\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\04\00\00\00\04\00\00\00\00\02\00\00\00\00\00\00\00\02\00\00\00\00\00\00\00\02\00\00\00\00\00\00\88\04\00\00\00\00\00\00\88\04\00\00\00\00\00\00\04\00\00\00\00\00\00\00\07\00\00\00t\04\00\00 \00\00\00AMDGPU\00\00\83\AEamdhsa.kernels\91\8E\A5.args\DC\00\10\83\A7.offset\00\A5.size\08\AB.value_kind\A8by_value\84\AE.address_space\A7generic\A7.offset\08\A5.size\08\AB.value_kind\ADglobal_buffer\84\AE.address_space\A7generic\A7.offset\10\A5.size\08\AB.value_kind\ADglobal_buffer\83\A7.offset\18\A5.size\08\AB.value_kind\A8by_value\83\A7.offset \A5.size\08\AB.value_kind\A8by_value\83\A7.offset(\A5.size\08\AB.value_kind\A8by_value\84\AE.address_space\A7generic\A7.offset0\A5.size\08\AB.value_kind\ADglobal_buffer\84\AE.address_space\A7generic\A7.offset8\A5.size\08\AB.value_kind\ADglobal_buffer\83\A7.offset@\A5.size\08\AB.value_kind\A8by_value\83\A7.offsetH\A5.size\08\AB.value_kind\A8by_value\83\A7.offsetP\A5.size\08\AB.value_kind\A8by_value\84\AE.address_space\A7generic\A7.offsetX\A5.size\08\AB.value_kind\ADglobal_buffer\84\AE.address_space\A7generic\A7.offset`\A5.size\08\AB.value_kind\ADglobal_buffer\83\A7.offseth\A5.size\08\AB.value_kind\A8by_value\83\A7.offsetp\A5.size\08\AB.value_kind\A8by_value\83\A7.offsetx\A5.size\08\AB.value_kind\A8by_value\B9.group_segment_fixed_size\00\B6.kernarg_segment_align\08\B5.kernarg_segment_size\CC\80\B8.max_flat_workgroup_size\CD\01\00\A5.name\AAadd_kernel\BB.private_segment_fixed_size\00\B4.reqd_workgroup_size\93\CD\01\00\01\01\AB.sgpr_count\0B\B1.sgpr_spill_count\00\A7.symbol\ADadd_kernel.kd\AB.vgpr_count\08\B1.vgpr_spill_count\00\AF.wavefront_size@\ADamdhsa.target\B9amdgcn-amd-amdhsa--gfx906\AEamdhsa.version\92\01\01\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\01\00\00\00\12\03\07\00\00\18\00\00\00\00\00\00\A8\00\00\00\00\00\00\00\0C\00\00\00\11\00\06\00@\07\00\00\00\00\00\00@\00\00\00\00\00\00\00\01\00\00\00\01\00\00\00\01\00\00\00\1A\00\00\00@\08\00\08\00@\00\00\01\00\00\00n\BF\DA\19\8B\82\93l\03\00\00\00\03\00\00\00\01\00\00\00\00\00\00\00\02\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00add_kernel\00add_kernel.kd\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\80\00\00\00\00\00\00\00\C0\10\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00A\00\AF\00\90\00\00\00\0B\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\82\00\02\C0\0C\00\00\00\03\00\06\C0\00\00\00\00\08\88\03\8E\80\02\02~\7F\C0\8C\BF\02\03\82\81\02\FF\82\83\00\01\00\00\02\08\02\92\02\00\00h\00\00\D8}j \80\BE\1A\00\88\BF\03\00\06\C08\00\00\00\83\00\06\C0\10\00\00\00\03\01\06\C0`\00\00\00\00\00\8F\D2\82\00\02\00\7F\C0\8C\BF\01\02\06~\00\00\042\03\03\068\03\02\0A~\02\00\082\05\03\0A8\00\80P\DC\04\00\7F\06\00\80P\DC\02\00\7F\07\05\02\04~\04\00\002\02\03\028p\0F\8C\BF\06\0F\04\02\00\80p\DC\00\02\7F\00\00\00\81\BF\06\00\00\00\00\00\00\00\88\06\00\00\00\00\00\00\0B\00\00\00\00\00\00\00\18\00\00\00\00\00\00\00\05\00\00\00\00\00\00\00\14\07\00\00\00\00\00\00\0A\00\00\00\00\00\00\00\1A\00\00\00\00\00\00\00\F5\FE\FFo\00\00\00\00\D0\06\00\00\00\00\00\00\04\00\00\00\00\00\00\00\F4\06\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00Linker: Debian LLD 16.0.6\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\1A\00\00\00\00\02\08\00\A8(\00\00\00\00\00\00\00\00\00\00\00\00\00\00\01\00\00\00\12\03\07\00\00\18\00\00\00\00\00\00\A8\00\00\00\00\00\00\00\0C\00\00\00\11\00\06\00@\07\00\00\00\00\00\00@\00\00\00\00\00\00\00\00.note\00.dynsym\00.gnu.hash\00.hash\00.dynstr\00.rodata\00.text\00.dynamic\00.comment\00.symtab\00.shstrtab\00.strtab\00\00add_kernel\00add_kernel.kd\00_DYNAMIC\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\01\00\00\00\07\00\00\00\02\00\00\00\00\00\00\00\00\02\00\00\00\00\00\00\00\02\00\00\00\00\00\00\88\04\00\00\00\00\00\00\00\00\00\00\00\00\00\00\04\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\07\00\00\00\0B\00\00\00\02\00\00\00\00\00\00\00\88\06\00\00\00\00\00\00\88\06\00\00\00\00\00\00H\00\00\00\00\00\00\00\05\00\00\00\01\00\00\00\08\00\00\00\00\00\00\00\18\00\00\00\00\00\00\00\0F\00\00\00\F6\FF\FFo\02\00\00\00\00\00\00\00\D0\06\00\00\00\00\00\00\D0\06\00\00\00\00\00\00$\00\00\00\00\00\00\00\02\00\00\00\00\00\00\00\08\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\19\00\00\00\05\00\00\00\02\00\00\00\00\00\00\00\F4\06\00\00\00\00\00\00\F4\06\00\00\00\00\00\00 \00\00\00\00\00\00\00\02\00\00\00\00\00\00\00\04\00\00\00\00\00\00\00\04\00\00\00\00\00\00\00\1F\00\00\00\03\00\00\00\02\00\00\00\00\00\00\00\14\07\00\00\00\00\00\00\14\07\00\00\00\00\00\00\1A\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\01\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00'\00\00\00\01\00\00\00\02\00\00\00\00\00\00\00@\07\00\00\00\00\00\00@\07\00\00\00\00\00\00@\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00@\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00/\00\00\00\01\00\00\00\06\00\00\00\00\00\00\00\00\18\00\00\00\00\00\00\00\08\00\00\00\00\00\00\A8\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\01\00\00\00\00\00\00\00\00\00\00\00\00\00\005\00\00\00\06\00\00\00\03\00\00\00\00\00\00\00\A8(\00\00\00\00\00\00\A8\08\00\00\00\00\00\00p\00\00\00\00\00\00\00\05\00\00\00\00\00\00\00\08\00\00\00\00\00\00\00\10\00\00\00\00\00\00\00>\00\00\00\01\00\00\000\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\18\09\00\00\00\00\00\00\1A\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\01\00\00\00\00\00\00\00\01\00\00\00\00\00\00\00G\00\00\00\02\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\008\09\00\00\00\00\00\00`\00\00\00\00\00\00\00\0C\00\00\00\02\00\00\00\08\00\00\00\00\00\00\00\18\00\00\00\00\00\00\00O\00\00\00\03\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\98\09\00\00\00\00\00\00a\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\01\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00Y\00\00\00\03\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\F9\09\00\00\00\00\00\00#\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\01\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00"

declare ptr @malloc(i64)

declare void @free(ptr)

define void @add(ptr %0, ptr %1, i64 %2, i64 %3, i64 %4, ptr %5, ptr %6, i64 %7, i64 %8, i64 %9, ptr %10, ptr %11, i64 %12, i64 %13, i64 %14) {
  %16 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } undef, ptr %0, 0
  %17 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } %16, ptr %1, 1
  %18 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } %17, i64 %2, 2
  %19 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } %18, i64 %3, 3, 0
  %20 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } %19, i64 %4, 4, 0
  %21 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } undef, ptr %5, 0
  %22 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } %21, ptr %6, 1
  %23 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } %22, i64 %7, 2
  %24 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } %23, i64 %8, 3, 0
  %25 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } %24, i64 %9, 4, 0
  %26 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } undef, ptr %10, 0
  %27 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } %26, ptr %11, 1
  %28 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } %27, i64 %12, 2
  %29 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } %28, i64 %13, 3, 0
  %30 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } %29, i64 %14, 4, 0
  %31 = call ptr @mgpuModuleLoad(ptr @add_kernel_gpubin_cst)
  %32 = call ptr @mgpuModuleGetFunction(ptr %31, ptr @add_kernel_add_kernel_kernel_name)
  %33 = call ptr @mgpuStreamCreate()
  %34 = alloca %0, align 8
  %35 = alloca ptr, i32 16, align 8
  %36 = getelementptr %0, ptr %34, i32 0, i32 0
  store i64 1000, ptr %36, align 4
  store ptr %36, ptr %35, align 8
  %37 = getelementptr %0, ptr %34, i32 0, i32 1
  store ptr %0, ptr %37, align 8
  %38 = getelementptr ptr, ptr %35, i32 1
  store ptr %37, ptr %38, align 8
  %39 = getelementptr %0, ptr %34, i32 0, i32 2
  store ptr %1, ptr %39, align 8
  %40 = getelementptr ptr, ptr %35, i32 2
  store ptr %39, ptr %40, align 8
  %41 = getelementptr %0, ptr %34, i32 0, i32 3
  store i64 %2, ptr %41, align 4
  %42 = getelementptr ptr, ptr %35, i32 3
  store ptr %41, ptr %42, align 8
  %43 = getelementptr %0, ptr %34, i32 0, i32 4
  store i64 %3, ptr %43, align 4
  %44 = getelementptr ptr, ptr %35, i32 4
  store ptr %43, ptr %44, align 8
  %45 = getelementptr %0, ptr %34, i32 0, i32 5
  store i64 %4, ptr %45, align 4
  %46 = getelementptr ptr, ptr %35, i32 5
  store ptr %45, ptr %46, align 8
  %47 = getelementptr %0, ptr %34, i32 0, i32 6
  store ptr %5, ptr %47, align 8
  %48 = getelementptr ptr, ptr %35, i32 6
  store ptr %47, ptr %48, align 8
  %49 = getelementptr %0, ptr %34, i32 0, i32 7
  store ptr %6, ptr %49, align 8
  %50 = getelementptr ptr, ptr %35, i32 7
  store ptr %49, ptr %50, align 8
  %51 = getelementptr %0, ptr %34, i32 0, i32 8
  store i64 %7, ptr %51, align 4
  %52 = getelementptr ptr, ptr %35, i32 8
  store ptr %51, ptr %52, align 8
  %53 = getelementptr %0, ptr %34, i32 0, i32 9
  store i64 %8, ptr %53, align 4
  %54 = getelementptr ptr, ptr %35, i32 9
  store ptr %53, ptr %54, align 8
  %55 = getelementptr %0, ptr %34, i32 0, i32 10
  store i64 %9, ptr %55, align 4
  %56 = getelementptr ptr, ptr %35, i32 10
  store ptr %55, ptr %56, align 8
  %57 = getelementptr %0, ptr %34, i32 0, i32 11
  store ptr %10, ptr %57, align 8
  %58 = getelementptr ptr, ptr %35, i32 11
  store ptr %57, ptr %58, align 8
  %59 = getelementptr %0, ptr %34, i32 0, i32 12
  store ptr %11, ptr %59, align 8
  %60 = getelementptr ptr, ptr %35, i32 12
  store ptr %59, ptr %60, align 8
  %61 = getelementptr %0, ptr %34, i32 0, i32 13
  store i64 %12, ptr %61, align 4
  %62 = getelementptr ptr, ptr %35, i32 13
  store ptr %61, ptr %62, align 8
  %63 = getelementptr %0, ptr %34, i32 0, i32 14
  store i64 %13, ptr %63, align 4
  %64 = getelementptr ptr, ptr %35, i32 14
  store ptr %63, ptr %64, align 8
  %65 = getelementptr %0, ptr %34, i32 0, i32 15
  store i64 %14, ptr %65, align 4
  %66 = getelementptr ptr, ptr %35, i32 15
  store ptr %65, ptr %66, align 8
  call void @mgpuLaunchKernel(ptr %32, i64 4, i64 1, i64 1, i64 256, i64 1, i64 1, i32 0, ptr %33, ptr %35, ptr null)
  call void @mgpuStreamSynchronize(ptr %33)
  call void @mgpuStreamDestroy(ptr %33)
  call void @mgpuModuleUnload(ptr %31)
  ret void
}

define i32 @main() {
  %1 = call ptr @malloc(i64 ptrtoint (ptr getelementptr (float, ptr null, i32 1000) to i64))
  %2 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } undef, ptr %1, 0
  %3 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } %2, ptr %1, 1
  %4 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } %3, i64 0, 2
  %5 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } %4, i64 1000, 3, 0
  %6 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } %5, i64 1, 4, 0
  %7 = call ptr @malloc(i64 ptrtoint (ptr getelementptr (float, ptr null, i32 1000) to i64))
  %8 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } undef, ptr %7, 0
  %9 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } %8, ptr %7, 1
  %10 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } %9, i64 0, 2
  %11 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } %10, i64 1000, 3, 0
  %12 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } %11, i64 1, 4, 0
  %13 = call ptr @malloc(i64 ptrtoint (ptr getelementptr (float, ptr null, i32 1000) to i64))
  %14 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } undef, ptr %13, 0
  %15 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } %14, ptr %13, 1
  %16 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } %15, i64 0, 2
  %17 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } %16, i64 1000, 3, 0
  %18 = insertvalue { ptr, ptr, i64, [1 x i64], [1 x i64] } %17, i64 1, 4, 0
  br label %19

19:                                               ; preds = %22, %0
  %20 = phi i64 [ %28, %22 ], [ 0, %0 ]
  %21 = icmp slt i64 %20, 1000
  br i1 %21, label %22, label %29

22:                                               ; preds = %19
  %23 = trunc i64 %20 to i32
  %24 = sitofp i32 %23 to float
  %25 = fmul float %24, 5.000000e-01
  %26 = getelementptr float, ptr %1, i64 %20
  store float %24, ptr %26, align 4
  %27 = getelementptr float, ptr %7, i64 %20
  store float %25, ptr %27, align 4
  %28 = add i64 %20, 1
  br label %19

29:                                               ; preds = %19
  call void @add(ptr %1, ptr %1, i64 0, i64 1000, i64 1, ptr %7, ptr %7, i64 0, i64 1000, i64 1, ptr %13, ptr %13, i64 0, i64 1000, i64 1)
  br label %30

30:                                               ; preds = %34, %29
  %31 = phi i64 [ %43, %34 ], [ 0, %29 ]
  %32 = phi i32 [ %42, %34 ], [ 0, %29 ]
  %33 = icmp slt i64 %31, 1000
  br i1 %33, label %34, label %44

34:                                               ; preds = %30
  %35 = trunc i64 %31 to i32
  %36 = sitofp i32 %35 to float
  %37 = fmul float %36, 1.500000e+00
  %38 = getelementptr float, ptr %13, i64 %31
  %39 = load float, ptr %38, align 4
  %40 = fcmp une float %39, %37
  %41 = add i32 %32, 1
  %42 = select i1 %40, i32 %41, i32 %32
  %43 = add i64 %31, 1
  br label %30

44:                                               ; preds = %30
  %45 = call i32 @llvm.umin.i32(i32 %32, i32 255)
  ret i32 %45
}

declare ptr @mgpuModuleLoad(ptr)

declare ptr @mgpuModuleGetFunction(ptr, ptr)

declare ptr @mgpuStreamCreate()

declare void @mgpuLaunchKernel(ptr, i64, i64, i64, i64, i64, i64, i32, ptr, ptr, ptr)

declare void @mgpuStreamSynchronize(ptr)

declare void @mgpuStreamDestroy(ptr)

declare void @mgpuModuleUnload(ptr)

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.umin.i32(i32, i32) #0

attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.module.flags = !{!0}

!0 = !{i32 2, !"Debug Info Version", i32 3}
