package bind

import "github.com/mgpu-runtime/mgpu/softgpu/internal/wave"

// SMovk computes s_movk_i32.
func SMovk(_ *wave.Wave, _, k uint32) uint32 { return k }

// SMulk computes s_mulk_i32.
func SMulk(_ *wave.Wave, d, k uint32) uint32 { return d * k }

// SCmovk computes s_cmovk_i32.
func SCmovk(w *wave.Wave, d, k uint32) uint32 { return SCselect32(w, k, d) }
