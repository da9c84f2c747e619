package emu

import (
	"fmt"
	"regexp"
	"strconv"
	"sync"
)

// vectors matches vector registers in assembly: one, or a range.
var vectors = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b([va])(?:(\d+)|\[\d+:(\d+)\])`)
})

// lacking returns the register that the instruction at the word pc uses and that the kernel did not ask for; empty if
// there is none.
func (g *group) lacking(pc uint32) string {
	k := g.d.Kernel
	have := map[string]int{"v": k.vgprs, "a": k.agprs}
	for _, m := range vectors().FindAllStringSubmatch(k.program.text(pc), -1) {
		if n, err := strconv.Atoi(m[2] + m[3]); err == nil && n >= have[m[1]] {
			return fmt.Sprintf("register %s%d does not exist: the kernel has %d", m[1], n, have[m[1]])
		}
	}
	return ""
}
