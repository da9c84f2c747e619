package profile

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// mostListed bounds the kernels, and the places of one kernel, in a text.
const mostListed = 40

// Text is the report on all kernels, without a newline at the end; empty if none ran.
func (p *Profile) Text() string {
	var b strings.Builder
	all := p.Kernels()
	for n := range all {
		if n == mostListed {
			fmt.Fprintf(&b, "mgpu profile: and %d more kernels: MGPU_REPORT=FILE lists all\n", len(all)-n)
			break
		}
		all[n].write(&b)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// JSON is an object for each kernel.
func (p *Profile) JSON() (objects []json.RawMessage) {
	for _, k := range p.Kernels() {
		if object, err := json.Marshal(&k); err == nil { // it holds numbers and texts alone
			objects = append(objects, object)
		}
	}
	return objects
}

func (k *Kernel) write(b *strings.Builder) {
	fmt.Fprintf(b, "mgpu profile: kernel %s on %s: %s, %s, %s\n", k.Name, k.Chip,
		counted(k.Launches, "launch", "launches"), counted(k.Waves, "wave", "waves"), counted(k.Instructions, "instruction", "instructions"))
	if k.Counts != nil {
		k.Counts.write(b, k.Instructions)
	}
	if k.Fidelity != nil {
		k.Fidelity.write(b)
	}
}

func counted(n uint64, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

func (c *Counts) write(b *strings.Builder, all uint64) {
	var parts []string
	for _, class := range c.Classes {
		parts = append(parts, fmt.Sprintf("%s %d (%.1f %%)", class.Class, class.Instructions, 100*float64(class.Instructions)/float64(max(all, 1))))
	}
	fmt.Fprintf(b, "    instructions: %s\n", strings.Join(parts, ", "))
	if n := c.Lanes.Instructions; n != 0 {
		fmt.Fprintf(b, "    active lanes: %.1f of %d in %d vector instructions\n", float64(c.Lanes.Lanes)/float64(n), c.Lanes.Size, n)
	}
	for _, m := range []struct {
		where string
		Moved
	}{{"global", c.Bytes.Global}, {"scalar", c.Bytes.Scalar}, {"LDS", c.Bytes.LDS}, {"private", c.Bytes.Private}} {
		if m.Moved == (Moved{}) {
			continue
		}
		fmt.Fprintf(b, "    %s memory: %d bytes read, %d written, %d updated\n", m.where, m.Read, m.Written, m.Updated)
	}
	if l := c.LDS; l.Accesses != 0 {
		fmt.Fprintf(b, "    LDS: %d accesses, %d cycles, of them %d by conflicts of banks, %d by atomics on one word\n", l.Accesses, l.Cycles, l.BankConflicts, l.AtomicConflicts)
	}
	for n, s := range c.Shapes {
		if n == mostListed {
			fmt.Fprintf(b, "    and %d more shapes\n", len(c.Shapes)-n)
			break
		}
		o := s.Occupancy
		fmt.Fprintf(b, "    occupancy in workgroups of %d,%d,%d (%s): %s per SIMD, limited by %s; limits: chip %d, vector registers (%d) %d, scalar registers %d, LDS (%d bytes) %d, workgroup %d\n",
			s.Block[0], s.Block[1], s.Block[2], counted(s.Launches, "launch", "launches"), counted(uint64(o.Waves), "wave", "waves"), o.Limit,
			o.ByChip, s.VectorRegisters, o.ByVectorRegisters, o.ByScalarRegisters, s.LDS, o.ByLDS, o.ByWorkgroup)
	}
}

func (f *Fidelity) write(b *strings.Builder) {
	kinds, executed := map[encoding.Standing]int{}, map[encoding.Standing]uint64{}
	for n := range f.Instructions {
		i := &f.Instructions[n]
		kinds[i.Standing]++
		executed[i.Standing] += i.Executed
	}
	var parts []string
	for s := encoding.Exact; s <= encoding.Unlike; s++ {
		if kinds[s] != 0 {
			parts = append(parts, fmt.Sprintf("%s %d (%d executed)", s, kinds[s], executed[s]))
		}
	}
	fmt.Fprintf(b, "    fidelity, by instructions: %s\n", strings.Join(parts, ", "))
	for n := range f.Instructions {
		i := &f.Instructions[n]
		if i.Source == "" {
			continue
		}
		fmt.Fprintf(b, "        %s: %s, %d executed", i.Word, i.Name, i.Executed)
		if i.Bound != "" {
			fmt.Fprintf(b, ", bound %s", i.Bound)
		}
		fmt.Fprintf(b, " (%s)", i.Source)
		if i.Note != "" {
			fmt.Fprintf(b, "; %s", i.Note)
		}
		b.WriteByte('\n')
	}
	if len(f.Reached) == 0 {
		b.WriteString("    no approximate result reached an address or a branch\n")
	}
	for n, r := range f.Reached {
		if n == mostListed {
			fmt.Fprintf(b, "    and %d more addresses and branches\n", len(f.Reached)-n)
			break
		}
		fmt.Fprintf(b, "    approximate result reached %s: %s+%#x: `%s`, from %s, %s\n",
			map[string]string{"address": "an address", "branch": "a branch"}[r.Where], r.Function, r.Offset, r.Instruction, strings.Join(r.From, ", "), counted(r.Times, "time", "times"))
	}
}
