package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Loads of RDNA4 that transpose, and transfers of many registers.

// GlobalLoadTransposed loads eight halves in each lane and transposes them within each eight lanes: element j of lane l
// is what lane j of its eight loaded as element l mod 8. Measured on gfx1201 and gfx1250 (docs/soft.md). All lanes of a
// wave of 32 have to be active; waves of 64 were not measured.
func GlobalLoadTransposed(i *encoding.Inst) encoding.Step {
	return transposed(i, BindGlobal(i), 2, ofHalves)
}

// blockRegisters is the greatest number of registers that a block instruction transfers: those with a bit set in M0.
// Each has its own word of memory, also if it is not transferred.
const blockRegisters = 32

// eachOfBlock calls the steps that have a bit set in M0.
func eachOfBlock(w *wave.Wave, steps *[blockRegisters]encoding.Step, done func(n int)) {
	for n, step := range steps {
		if w.S[wave.M0]>>n&1 == 0 {
			continue
		}
		if step(w); w.Status == wave.Faulted {
			return
		}
		if done != nil {
			done(n)
		}
	}
}

// blockStore binds a store of a block; space returns the memory of word n.
func blockStore(space func(n int) wave.Space, from wave.Registers) encoding.Step {
	var steps [blockRegisters]encoding.Step
	for n := range steps {
		steps[n] = stepStore(space(n), Dword, from.Word(n))
	}
	return func(w *wave.Wave) { eachOfBlock(w, &steps, nil) }
}

// blockLoad is blockStore for loads. Registers with the address, addr, are written last.
func blockLoad(space func(n int) wave.Space, d, addr wave.Registers) encoding.Step {
	var steps [blockRegisters]encoding.Step
	for n := range steps {
		steps[n] = stepLoad(space(n), Dword, d.Word(n))
	}
	first := addr.At - d.At // of the words that are loaded into registers with the address
	return func(w *wave.Wave) {
		var before, loaded [2]alu.Lanes
		var late [2]bool
		for n := range addr.Count {
			before[n] = *addr.Of(w, n)
		}
		eachOfBlock(w, &steps, func(word int) {
			if n := word - first; n >= 0 && n < addr.Count {
				late[n], loaded[n], *addr.Of(w, n) = true, *addr.Of(w, n), before[n]
			}
		})
		for n := range addr.Count {
			if late[n] {
				*addr.Of(w, n) = loaded[n]
			}
		}
	}
}

// wordsOf returns the memory of each word of a block, and the registers of its address.
func wordsOf(i *encoding.Inst) (word func(n int) wave.Space, addr wave.Registers) {
	if i.Seg == encoding.SegScratch {
		s := BindScratch(i)
		return func(n int) wave.Space {
			at := *s
			at.Offset += uint32(4 * n)
			return &at
		}, s.Addr
	}
	s := BindGlobal(i)
	return func(n int) wave.Space {
		at := *s
		at.Offset += uint64(4 * n)
		return &at
	}, s.Addr
}

// LoadBlock binds global_load_block and scratch_load_block.
func LoadBlock(i *encoding.Inst) encoding.Step {
	word, addr := wordsOf(i)
	return blockLoad(word, BindRegisters(&i.Dst), addr)
}

// StoreBlock binds global_store_block and scratch_store_block.
func StoreBlock(i *encoding.Inst) encoding.Step {
	word, _ := wordsOf(i)
	return blockStore(word, BindRegisters(&i.Src[1]))
}
