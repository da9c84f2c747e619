; Written by 'make golden': scripts/lower 16 gpu test/mlir/matmul-tiled.mlir matmul-tiled.lowered.mlir
;   and mlir-translate-16 --mlir-to-llvmir matmul-tiled.lowered.mlir
; ModuleID = 'LLVMDialectModule'
source_filename = "LLVMDialectModule"

%0 = type { ptr, ptr, i64, i64, i64, i64, i64, ptr, ptr, i64, i64, i64, i64, i64, ptr, ptr, i64, i64, i64, i64, i64 }

@kernels_matmul_kernel_name = internal constant [7 x i8] c"matmul\00"
@kernels_gpubin_cst = internal constant [4952 x i8] c"\7FELF\02\01\01@\02\00\00\00\00\00\00\00\03\00\E0\00\01\00\00\00\00\00\00\00\00\00\00\00@\00\00\00\00\00\00\00\18\10\00\00\00\00\00\00/\05\00\00@\008\00\08\00@\00\0D\00\0B\00\06\00\00\00\04\00\00\00@\00\00\00\00\00\00\00@\00\00\00\00\00\00\00@\00\00\00\00\00\00\00\C0\01\00\00\00\00\00\00\C0\01\00\00\00\00\00\00\08\00\00\00\00\00\00\00\01\00\00\00\04\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00@\08\00\00\00\00\00\00@\08\00\00\00\00\00\00\00\10\00\00\00\00\00\00\01\00\00\00\05\00\00\00\00\09\00\00\00\00\00\00\00\19\00\00\00\00\00\00\00\19\00\00\00\00\00\00\A8\05\00\00\00\00\00\00\A8\05\00\00\00\00\00\00\00\10\00\00\00\00\00\00\01\00\00\00\06\00\00\00\A8\0E\00\00\00\00\00\00\A8.\00\00\00\00\00\00\A8.\00\00\00\00\00\00p\00\00\00\00\00\00\00p\00\00\00\00\00\00\00\00\10\00\00\00\00\00\00\02\00\00\00\06\00\00\00\A8\0E\00\00\00\00\00\00\A8.\00\00\00\00\00\00\A8.\00\00\00\00\00\00p\00\00\00\00\00\00\00p\00\00\00\00\00\00\00\08\00\00\00\00\00\00\00R\E5td\04\00\00\00\A8\0E\00\00\00\00\00\00\A8.\00\00\00\00\00\00\A8.\00\00\00\00\00\00p\00\00\00\00\00\00\00X\01\00\00\00\00\00\00\01\00\00\00\00\00\00\00Q\E5td\06\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\04\00\00\00\04\00\00\00\00\02\00\00\00\00\00\00\00\02\00\00\00\00\00\00\00\02\00\00\00\00\00\00,\05\00\00\00\00\00\00,\05\00\00\00\00\00\00\04\00\00\00\00\00\00\00\07\00\00\00\16\05\00\00 \00\00\00AMDGPU\00\00\83\AEamdhsa.kernels\91\8D\A5.args\DC\00\15\84\AE.address_space\A7generic\A7.offset\00\A5.size\08\AB.value_kind\ADglobal_buffer\84\AE.address_space\A7generic\A7.offset\08\A5.size\08\AB.value_kind\ADglobal_buffer\83\A7.offset\10\A5.size\08\AB.value_kind\A8by_value\83\A7.offset\18\A5.size\08\AB.value_kind\A8by_value\83\A7.offset \A5.size\08\AB.value_kind\A8by_value\83\A7.offset(\A5.size\08\AB.value_kind\A8by_value\83\A7.offset0\A5.size\08\AB.value_kind\A8by_value\84\AE.address_space\A7generic\A7.offset8\A5.size\08\AB.value_kind\ADglobal_buffer\84\AE.address_space\A7generic\A7.offset@\A5.size\08\AB.value_kind\ADglobal_buffer\83\A7.offsetH\A5.size\08\AB.value_kind\A8by_value\83\A7.offsetP\A5.size\08\AB.value_kind\A8by_value\83\A7.offsetX\A5.size\08\AB.value_kind\A8by_value\83\A7.offset`\A5.size\08\AB.value_kind\A8by_value\83\A7.offseth\A5.size\08\AB.value_kind\A8by_value\84\AE.address_space\A7generic\A7.offsetp\A5.size\08\AB.value_kind\ADglobal_buffer\84\AE.address_space\A7generic\A7.offsetx\A5.size\08\AB.value_kind\ADglobal_buffer\83\A7.offset\CC\80\A5.size\08\AB.value_kind\A8by_value\83\A7.offset\CC\88\A5.size\08\AB.value_kind\A8by_value\83\A7.offset\CC\90\A5.size\08\AB.value_kind\A8by_value\83\A7.offset\CC\98\A5.size\08\AB.value_kind\A8by_value\83\A7.offset\CC\A0\A5.size\08\AB.value_kind\A8by_value\B9.group_segment_fixed_size\CD\08\00\B6.kernarg_segment_align\08\B5.kernarg_segment_size\CC\A8\B8.max_flat_workgroup_size\CD\01\00\A5.name\A6matmul\BB.private_segment_fixed_size\00\AB.sgpr_count\0E\B1.sgpr_spill_count\00\A7.symbol\A9matmul.kd\AB.vgpr_count \B1.vgpr_spill_count\00\AF.wavefront_size@\ADamdhsa.target\B9amdgcn-amd-amdhsa--gfx906\AEamdhsa.version\92\01\01\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\01\00\00\00\12\03\07\00\00\19\00\00\00\00\00\00\A8\05\00\00\00\00\00\00\08\00\00\00\11\00\06\00\00\08\00\00\00\00\00\00@\00\00\00\00\00\00\00\01\00\00\00\01\00\00\00\01\00\00\00\1A\00\00\00\08\00$\00\00\00\00@\01\00\00\00T\15>\0D\13c1\F8\03\00\00\00\03\00\00\00\02\00\00\00\00\00\00\00\01\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00matmul\00matmul.kd\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\08\00\00\00\00\00\00\A8\00\00\00\00\00\00\00\00\11\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00G\00\AF\00\8C\09\00\00\09\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\07\00\82\BE\02\9F\03\90\02\84\82\8E\06\9F\07\90\02\02\042\03\02\06~\80\06\068\06\84\82\8E\02\0062\03\02\08~\11\00\8F\D2\86\04\02\00\80\0888\11\01\042\02\02\06\C0\08\00\00\00\82\02\06\C0@\00\00\00\02\00\06\C0x\00\00\00\80$\068\84\02\08$\86\02<$\01\00\8F\D2\82\04\02\00\1D\00\FE\D1\00\09\0A\02\7F\C0\8C\BF\08\02&2\09\02\02~\01\05(8\1E7\022\808\048\01\00\8F\D2\82\02\02\00\00\80P\DC\13\00\7F\03\0A\02*2\0B\02\02~\01\05,8\00\80P\DC\15\00\7F\01\82\00\00$\FF\00>h\00\04\00\00\00 \02\B0p\0F\8C\BF\00\04\1E\D8\1D\03\01\00\7F\C0\8C\BF\00\00\8A\BF\7F\C0\8C\BF\00\00\FE\D9\1E\00\00\01\10\00\FE\D9\1E\00\00\05 \00\FE\D9\1E\00\00\090\00\FE\D9\1E\00\00\0D\00\10n\D8\1F\00\00\17\7F\C0\8C\BF\01/\00\0A\80\00\00\02\021\02\0A\00\03\04\02 0n\D8\1F\00\00\00\02*.2\80,08\7F\C0\8C\BF\03\01\00\0A\02\01\00\02\04\03\02\0A\00\03\04\02@Pn\D8\1F\00\00\00\000\02\B0\7F\C0\8C\BF\05\01\00\0A\02\01\00\02\06\03\02\0A\00\03\04\02`pn\D8\1F\00\00\00\7F\C0\8C\BF\07\01\00\0A\02\01\00\02\08\03\02\0A\00\03\04\02\80\90n\D8\1F\00\00\00\7F\C0\8C\BF\09\01\00\0A\02\01\00\02\0A\03\02\0A\00\03\04\02\A0\B0n\D8\1F\00\00\00\7F\C0\8C\BF\0B\01\00\0A\02\01\00\02\0C\03\02\0A\00\03\04\02\C0\D0n\D8\1F\00\00\00\7F\C0\8C\BF\0D\01\00\0A\02\01\00\02\0E\03\02\0A\00\03\04\02\E0\F0n\D8\1F\00\00\00\7F\C0\8C\BF\00\00\8A\BF\7F\C0\8C\BF\0F\01\00\0A\02\01\00\02\10\03\02\0A\00\03 \02@\80P\DC\13\00\7F\00\00\90P\DC\17\00\7F\01p\0F\8C\BF\00\04\1E\D8\1D\00\01\00\7F\C0\8C\BF\00\00\8A\BF\7F\C0\8C\BF\00\00\FE\D9\1E\00\00\00\10\00\FE\D9\1E\00\00\04 \00\FE\D9\1E\00\00\080\00\FE\D9\1E\00\00\0C\00\10n\D8\1F\00\00\19\7F\C0\8C\BF\003\00\0A\10\01\00\02\015\02\0A\00\03 \02 0n\D8\1F\00\00\00\7F\C0\8C\BF\02\01\00\0A\10\01\00\02\03\03\02\0A\00\03\04\02@Pn\D8\1F\00\00\00\7F\C0\8C\BF\04\01\00\0A\02\01\00\02\05\03\02\0A\00\03\04\02`pn\D8\1F\00\00\00\7F\C0\8C\BF\06\01\00\0A\02\01\00\02\07\03\02\0A\00\03\04\02\80\90n\D8\1F\00\00\00\7F\C0\8C\BF\08\01\00\0A\02\01\00\02\09\03\02\0A\00\03\04\02\A0\B0n\D8\1F\00\00\00\7F\C0\8C\BF\0A\01\00\0A\02\01\00\02\0B\03\02\0A\00\03\04\02\C0\D0n\D8\1F\00\00\00\7F\C0\8C\BF\0C\01\00\0A\02\01\00\02\0D\03\02\0A\00\03\04\02\E0\F0n\D8\1F\00\00\00\7F\C0\8C\BF\00\00\8A\BF\7F\C0\8C\BF\0E\01\00\0A\02\01\00\02\0F\03\02\0A\00\03 \02\80\80P\DC\13\00\7F\00\00\80P\DC\17\00\7F\01p\0F\8C\BF\00\04\1E\D8\1D\00\01\00\7F\C0\8C\BF\00\00\8A\BF\7F\C0\8C\BF\00\00\FE\D9\1E\00\00\00\10\00\FE\D9\1E\00\00\04 \00\FE\D9\1E\00\00\080\00\FE\D9\1E\00\00\0C\00\10n\D8\1F\00\00\17\7F\C0\8C\BF\00/\00\0A\10\01\00\02\011\02\0A\00\03 \02 0n\D8\1F\00\00\00\7F\C0\8C\BF\02\01\00\0A\10\01\00\02\03\03\02\0A\00\03\04\02@Pn\D8\1F\00\00\00\7F\C0\8C\BF\04\01\00\0A\02\01\00\02\05\03\02\0A\00\03\04\02`pn\D8\1F\00\00\00\7F\C0\8C\BF\06\01\00\0A\02\01\00\02\07\03\02\0A\00\03\04\02\80\90n\D8\1F\00\00\00\7F\C0\8C\BF\08\01\00\0A\02\01\00\02\09\03\02\0A\00\03\04\02\A0\B0n\D8\1F\00\00\00\7F\C0\8C\BF\0A\01\00\0A\02\01\00\02\0B\03\02\0A\00\03\04\02\C0\D0n\D8\1F\00\00\00\7F\C0\8C\BF\0C\01\00\0A\02\01\00\02\0D\03\02\0A\00\03\04\02\E0\F0n\D8\1F\00\00\00\7F\C0\8C\BF\00\00\8A\BF\7F\C0\8C\BF\0E\01\00\0A\02\01\00\02\0F\03\02\0A\00\03 \02\02*\002\80,\028\C0\80P\DC\13\00\7F\02\00\00\80\BF\00\80P\DC\00\00\7F\00p\0F\8C\BF\00\04\1E\D8\1D\02\00\00\7F\C0\8C\BF\00\00\8A\BF\7F\C0\8C\BF\00\00\FE\D9\1E\00\00\00\10\00\FE\D9\1E\00\00\04 \00\FE\D9\1E\00\00\080\00\FE\D9\1E\00\00\0C\00\10n\D8\1F\00\00\13\7F\C0\8C\BF\00'\00\0A\10\01\00\02\01)\02\0A\00\03 \02 0n\D8\1F\00\00\00\7F\C0\8C\BF\02\01\00\0A\10\01\00\02\03\03\02\0A\00\03\04\02@Pn\D8\1F\00\00\00\01\02\06~\7F\C0\8C\BF\04\01\00\0A\02\01\00\02\05\03\02\0A\00\03\04\02`pn\D8\1F\00\00\00\7F\C0\8C\BF\06\01\00\0A\02\01\00\02\07\03\02\0A\00\03\04\02\80\90n\D8\1F\00\00\00\7F\C0\8C\BF\08\01\00\0A\02\01\00\02\09\03\02\0A\00\03\04\02\A0\B0n\D8\1F\00\00\00\7F\C0\8C\BF\0A\01\00\0A\02\01\00\02\0B\03\02\0A\00\03\04\02\C0\D0n\D8\1F\00\00\00\7F\C0\8C\BF\0C\01\00\0A\02\01\00\02\0D\03\02\0A\00\03\04\02\E0\F0n\D8\1F\00\00\00\7F\C0\8C\BF\00\00\8A\BF\7F\C0\8C\BF\0E\01\00\0A\02\01\00\02\0F\03\02\0A\00\03\04\02\117\002\129\028\00\00\8F\D2\82\00\02\00\00\00\002\03\03\028\00\80p\DC\00\02\7F\00\00\00\81\BF\06\00\00\00\00\00\00\000\07\00\00\00\00\00\00\0B\00\00\00\00\00\00\00\18\00\00\00\00\00\00\00\05\00\00\00\00\00\00\00\BC\07\00\00\00\00\00\00\0A\00\00\00\00\00\00\00\12\00\00\00\00\00\00\00\F5\FE\FFo\00\00\00\00x\07\00\00\00\00\00\00\04\00\00\00\00\00\00\00\9C\07\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00Linker: Debian LLD 16.0.6\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\12\00\00\00\00\02\08\00\A8.\00\00\00\00\00\00\00\00\00\00\00\00\00\00\01\00\00\00\12\03\07\00\00\19\00\00\00\00\00\00\A8\05\00\00\00\00\00\00\08\00\00\00\11\00\06\00\00\08\00\00\00\00\00\00@\00\00\00\00\00\00\00\00.note\00.dynsym\00.gnu.hash\00.hash\00.dynstr\00.rodata\00.text\00.dynamic\00.comment\00.symtab\00.shstrtab\00.strtab\00\00matmul\00matmul.kd\00_DYNAMIC\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\01\00\00\00\07\00\00\00\02\00\00\00\00\00\00\00\00\02\00\00\00\00\00\00\00\02\00\00\00\00\00\00,\05\00\00\00\00\00\00\00\00\00\00\00\00\00\00\04\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\07\00\00\00\0B\00\00\00\02\00\00\00\00\00\00\000\07\00\00\00\00\00\000\07\00\00\00\00\00\00H\00\00\00\00\00\00\00\05\00\00\00\01\00\00\00\08\00\00\00\00\00\00\00\18\00\00\00\00\00\00\00\0F\00\00\00\F6\FF\FFo\02\00\00\00\00\00\00\00x\07\00\00\00\00\00\00x\07\00\00\00\00\00\00$\00\00\00\00\00\00\00\02\00\00\00\00\00\00\00\08\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\19\00\00\00\05\00\00\00\02\00\00\00\00\00\00\00\9C\07\00\00\00\00\00\00\9C\07\00\00\00\00\00\00 \00\00\00\00\00\00\00\02\00\00\00\00\00\00\00\04\00\00\00\00\00\00\00\04\00\00\00\00\00\00\00\1F\00\00\00\03\00\00\00\02\00\00\00\00\00\00\00\BC\07\00\00\00\00\00\00\BC\07\00\00\00\00\00\00\12\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\01\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00'\00\00\00\01\00\00\00\02\00\00\00\00\00\00\00\00\08\00\00\00\00\00\00\00\08\00\00\00\00\00\00@\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00@\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00/\00\00\00\01\00\00\00\06\00\00\00\00\00\00\00\00\19\00\00\00\00\00\00\00\09\00\00\00\00\00\00\A8\05\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\01\00\00\00\00\00\00\00\00\00\00\00\00\00\005\00\00\00\06\00\00\00\03\00\00\00\00\00\00\00\A8.\00\00\00\00\00\00\A8\0E\00\00\00\00\00\00p\00\00\00\00\00\00\00\05\00\00\00\00\00\00\00\08\00\00\00\00\00\00\00\10\00\00\00\00\00\00\00>\00\00\00\01\00\00\000\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\18\0F\00\00\00\00\00\00\1A\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\01\00\00\00\00\00\00\00\01\00\00\00\00\00\00\00G\00\00\00\02\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\008\0F\00\00\00\00\00\00`\00\00\00\00\00\00\00\0C\00\00\00\02\00\00\00\08\00\00\00\00\00\00\00\18\00\00\00\00\00\00\00O\00\00\00\03\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\98\0F\00\00\00\00\00\00a\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\01\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00Y\00\00\00\03\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\F9\0F\00\00\00\00\00\00\1B\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\01\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00"

declare ptr @malloc(i64)

declare void @free(ptr)

define i32 @main() {
  %1 = call ptr @malloc(i64 ptrtoint (ptr getelementptr (float, ptr null, i32 4096) to i64))
  %2 = insertvalue { ptr, ptr, i64, [2 x i64], [2 x i64] } undef, ptr %1, 0
  %3 = insertvalue { ptr, ptr, i64, [2 x i64], [2 x i64] } %2, ptr %1, 1
  %4 = insertvalue { ptr, ptr, i64, [2 x i64], [2 x i64] } %3, i64 0, 2
  %5 = insertvalue { ptr, ptr, i64, [2 x i64], [2 x i64] } %4, i64 64, 3, 0
  %6 = insertvalue { ptr, ptr, i64, [2 x i64], [2 x i64] } %5, i64 64, 3, 1
  %7 = insertvalue { ptr, ptr, i64, [2 x i64], [2 x i64] } %6, i64 64, 4, 0
  %8 = insertvalue { ptr, ptr, i64, [2 x i64], [2 x i64] } %7, i64 1, 4, 1
  %9 = call ptr @malloc(i64 ptrtoint (ptr getelementptr (float, ptr null, i32 4096) to i64))
  %10 = insertvalue { ptr, ptr, i64, [2 x i64], [2 x i64] } undef, ptr %9, 0
  %11 = insertvalue { ptr, ptr, i64, [2 x i64], [2 x i64] } %10, ptr %9, 1
  %12 = insertvalue { ptr, ptr, i64, [2 x i64], [2 x i64] } %11, i64 0, 2
  %13 = insertvalue { ptr, ptr, i64, [2 x i64], [2 x i64] } %12, i64 64, 3, 0
  %14 = insertvalue { ptr, ptr, i64, [2 x i64], [2 x i64] } %13, i64 64, 3, 1
  %15 = insertvalue { ptr, ptr, i64, [2 x i64], [2 x i64] } %14, i64 64, 4, 0
  %16 = insertvalue { ptr, ptr, i64, [2 x i64], [2 x i64] } %15, i64 1, 4, 1
  %17 = call ptr @malloc(i64 ptrtoint (ptr getelementptr (float, ptr null, i32 4096) to i64))
  %18 = insertvalue { ptr, ptr, i64, [2 x i64], [2 x i64] } undef, ptr %17, 0
  %19 = insertvalue { ptr, ptr, i64, [2 x i64], [2 x i64] } %18, ptr %17, 1
  %20 = insertvalue { ptr, ptr, i64, [2 x i64], [2 x i64] } %19, i64 0, 2
  %21 = insertvalue { ptr, ptr, i64, [2 x i64], [2 x i64] } %20, i64 64, 3, 0
  %22 = insertvalue { ptr, ptr, i64, [2 x i64], [2 x i64] } %21, i64 64, 3, 1
  %23 = insertvalue { ptr, ptr, i64, [2 x i64], [2 x i64] } %22, i64 64, 4, 0
  %24 = insertvalue { ptr, ptr, i64, [2 x i64], [2 x i64] } %23, i64 1, 4, 1
  br label %25

25:                                               ; preds = %53, %0
  %26 = phi i64 [ %54, %53 ], [ 0, %0 ]
  %27 = icmp slt i64 %26, 64
  br i1 %27, label %28, label %55

28:                                               ; preds = %25
  br label %29

29:                                               ; preds = %32, %28
  %30 = phi i64 [ %52, %32 ], [ 0, %28 ]
  %31 = icmp slt i64 %30, 64
  br i1 %31, label %32, label %53

32:                                               ; preds = %29
  %33 = add i64 %30, %30
  %34 = add i64 %26, %33
  %35 = urem i64 %34, 7
  %36 = trunc i64 %35 to i32
  %37 = sub i32 %36, 3
  %38 = sitofp i32 %37 to float
  %39 = mul i64 %26, 64
  %40 = add i64 %39, %30
  %41 = getelementptr float, ptr %1, i64 %40
  store float %38, ptr %41, align 4
  %42 = add i64 %26, %26
  %43 = add i64 %42, %26
  %44 = add i64 %43, %30
  %45 = urem i64 %44, 7
  %46 = trunc i64 %45 to i32
  %47 = sub i32 %46, 3
  %48 = sitofp i32 %47 to float
  %49 = mul i64 %26, 64
  %50 = add i64 %49, %30
  %51 = getelementptr float, ptr %9, i64 %50
  store float %48, ptr %51, align 4
  %52 = add i64 %30, 1
  br label %29

53:                                               ; preds = %29
  %54 = add i64 %26, 1
  br label %25

55:                                               ; preds = %25
  %56 = call ptr @mgpuModuleLoad(ptr @kernels_gpubin_cst)
  %57 = call ptr @mgpuModuleGetFunction(ptr %56, ptr @kernels_matmul_kernel_name)
  %58 = call ptr @mgpuStreamCreate()
  %59 = alloca %0, align 8
  %60 = alloca ptr, i32 21, align 8
  %61 = getelementptr %0, ptr %59, i32 0, i32 0
  store ptr %1, ptr %61, align 8
  store ptr %61, ptr %60, align 8
  %62 = getelementptr %0, ptr %59, i32 0, i32 1
  store ptr %1, ptr %62, align 8
  %63 = getelementptr ptr, ptr %60, i32 1
  store ptr %62, ptr %63, align 8
  %64 = getelementptr %0, ptr %59, i32 0, i32 2
  store i64 0, ptr %64, align 4
  %65 = getelementptr ptr, ptr %60, i32 2
  store ptr %64, ptr %65, align 8
  %66 = getelementptr %0, ptr %59, i32 0, i32 3
  store i64 64, ptr %66, align 4
  %67 = getelementptr ptr, ptr %60, i32 3
  store ptr %66, ptr %67, align 8
  %68 = getelementptr %0, ptr %59, i32 0, i32 4
  store i64 64, ptr %68, align 4
  %69 = getelementptr ptr, ptr %60, i32 4
  store ptr %68, ptr %69, align 8
  %70 = getelementptr %0, ptr %59, i32 0, i32 5
  store i64 64, ptr %70, align 4
  %71 = getelementptr ptr, ptr %60, i32 5
  store ptr %70, ptr %71, align 8
  %72 = getelementptr %0, ptr %59, i32 0, i32 6
  store i64 1, ptr %72, align 4
  %73 = getelementptr ptr, ptr %60, i32 6
  store ptr %72, ptr %73, align 8
  %74 = getelementptr %0, ptr %59, i32 0, i32 7
  store ptr %9, ptr %74, align 8
  %75 = getelementptr ptr, ptr %60, i32 7
  store ptr %74, ptr %75, align 8
  %76 = getelementptr %0, ptr %59, i32 0, i32 8
  store ptr %9, ptr %76, align 8
  %77 = getelementptr ptr, ptr %60, i32 8
  store ptr %76, ptr %77, align 8
  %78 = getelementptr %0, ptr %59, i32 0, i32 9
  store i64 0, ptr %78, align 4
  %79 = getelementptr ptr, ptr %60, i32 9
  store ptr %78, ptr %79, align 8
  %80 = getelementptr %0, ptr %59, i32 0, i32 10
  store i64 64, ptr %80, align 4
  %81 = getelementptr ptr, ptr %60, i32 10
  store ptr %80, ptr %81, align 8
  %82 = getelementptr %0, ptr %59, i32 0, i32 11
  store i64 64, ptr %82, align 4
  %83 = getelementptr ptr, ptr %60, i32 11
  store ptr %82, ptr %83, align 8
  %84 = getelementptr %0, ptr %59, i32 0, i32 12
  store i64 64, ptr %84, align 4
  %85 = getelementptr ptr, ptr %60, i32 12
  store ptr %84, ptr %85, align 8
  %86 = getelementptr %0, ptr %59, i32 0, i32 13
  store i64 1, ptr %86, align 4
  %87 = getelementptr ptr, ptr %60, i32 13
  store ptr %86, ptr %87, align 8
  %88 = getelementptr %0, ptr %59, i32 0, i32 14
  store ptr %17, ptr %88, align 8
  %89 = getelementptr ptr, ptr %60, i32 14
  store ptr %88, ptr %89, align 8
  %90 = getelementptr %0, ptr %59, i32 0, i32 15
  store ptr %17, ptr %90, align 8
  %91 = getelementptr ptr, ptr %60, i32 15
  store ptr %90, ptr %91, align 8
  %92 = getelementptr %0, ptr %59, i32 0, i32 16
  store i64 0, ptr %92, align 4
  %93 = getelementptr ptr, ptr %60, i32 16
  store ptr %92, ptr %93, align 8
  %94 = getelementptr %0, ptr %59, i32 0, i32 17
  store i64 64, ptr %94, align 4
  %95 = getelementptr ptr, ptr %60, i32 17
  store ptr %94, ptr %95, align 8
  %96 = getelementptr %0, ptr %59, i32 0, i32 18
  store i64 64, ptr %96, align 4
  %97 = getelementptr ptr, ptr %60, i32 18
  store ptr %96, ptr %97, align 8
  %98 = getelementptr %0, ptr %59, i32 0, i32 19
  store i64 64, ptr %98, align 4
  %99 = getelementptr ptr, ptr %60, i32 19
  store ptr %98, ptr %99, align 8
  %100 = getelementptr %0, ptr %59, i32 0, i32 20
  store i64 1, ptr %100, align 4
  %101 = getelementptr ptr, ptr %60, i32 20
  store ptr %100, ptr %101, align 8
  call void @mgpuLaunchKernel(ptr %57, i64 4, i64 4, i64 1, i64 16, i64 16, i64 1, i32 0, ptr %58, ptr %60, ptr null)
  call void @mgpuStreamSynchronize(ptr %58)
  call void @mgpuStreamDestroy(ptr %58)
  call void @mgpuModuleUnload(ptr %56)
  br label %102

102:                                              ; preds = %137, %55
  %103 = phi i64 [ %138, %137 ], [ 0, %55 ]
  %104 = phi i32 [ %109, %137 ], [ 0, %55 ]
  %105 = icmp slt i64 %103, 64
  br i1 %105, label %106, label %139

106:                                              ; preds = %102
  br label %107

107:                                              ; preds = %128, %106
  %108 = phi i64 [ %136, %128 ], [ 0, %106 ]
  %109 = phi i32 [ %135, %128 ], [ %104, %106 ]
  %110 = icmp slt i64 %108, 64
  br i1 %110, label %111, label %137

111:                                              ; preds = %107
  br label %112

112:                                              ; preds = %116, %111
  %113 = phi i64 [ %127, %116 ], [ 0, %111 ]
  %114 = phi float [ %126, %116 ], [ 0.000000e+00, %111 ]
  %115 = icmp slt i64 %113, 64
  br i1 %115, label %116, label %128

116:                                              ; preds = %112
  %117 = mul i64 %103, 64
  %118 = add i64 %117, %113
  %119 = getelementptr float, ptr %1, i64 %118
  %120 = load float, ptr %119, align 4
  %121 = mul i64 %113, 64
  %122 = add i64 %121, %108
  %123 = getelementptr float, ptr %9, i64 %122
  %124 = load float, ptr %123, align 4
  %125 = fmul float %120, %124
  %126 = fadd float %114, %125
  %127 = add i64 %113, 1
  br label %112

128:                                              ; preds = %112
  %129 = mul i64 %103, 64
  %130 = add i64 %129, %108
  %131 = getelementptr float, ptr %17, i64 %130
  %132 = load float, ptr %131, align 4
  %133 = fcmp une float %132, %114
  %134 = add i32 %109, 1
  %135 = select i1 %133, i32 %134, i32 %109
  %136 = add i64 %108, 1
  br label %107

137:                                              ; preds = %107
  %138 = add i64 %103, 1
  br label %102

139:                                              ; preds = %102
  %140 = call i32 @llvm.umin.i32(i32 %104, i32 255)
  ret i32 %140
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
