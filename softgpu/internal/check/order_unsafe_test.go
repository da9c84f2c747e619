package check

import (
	"bytes"
	"encoding/binary"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/emu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/rows"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/watch"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// The instructions of a look-back: a workgroup stores a value and exchanges a flag, another
// one adds nothing to the flag and loads the value. v[2:3] is the address.
var lookBack = map[string]struct {
	at   uint32 // in the code, in bytes
	code [2]uint32
}{
	"store":    {0, [2]uint32{0xdc708000, 0x007f0402}},  // global_store_dword v[2:3], v4, off
	"exchange": {8, [2]uint32{0xdd018000, 0x017f0402}},  // global_atomic_swap v1, v[2:3], v4, off glc
	"ask":      {16, [2]uint32{0xdd098000, 0x017f0402}}, // global_atomic_add v1, v[2:3], v4, off glc
	"load":     {24, [2]uint32{0xdc508000, 0x017f0002}}, // global_load_dword v1, v[2:3], off
}

// everything is memory that a test has.
type everything struct{}

func (everything) Window(uint64, bool) (lo, hi uint64, ok bool) { return 0, 1 << 47, true }

type nowhere struct{}

func (nowhere) Find(uint64) (b Block, ok bool) { return b, false }
func (nowhere) Describe(uint64) string         { return "" }

// pair is two workgroups of one launch, which share a value and a flag.
type pair struct {
	*testing.T
	said   bytes.Buffer
	code   []byte
	launch *Launch
	shared *[2]uint32 // the value, the flag
}

func newPair(t *testing.T) *pair {
	t.Helper()
	p := &pair{T: t, code: make([]byte, 36), shared: new([2]uint32)}
	for _, i := range lookBack {
		binary.LittleEndian.PutUint32(p.code[i.at:], i.code[0])
		binary.LittleEndian.PutUint32(p.code[i.at+4:], i.code[1])
	}
	binary.LittleEndian.PutUint32(p.code[32:], 0xbf810000) // s_endpgm
	c := New(Modes{Race: true}, nowhere{}, &p.said, nil)
	program, err := c.NewProgram(emu.Text{Chip: encoding.Gfx906, Code: p.code, Base: 0x1000})
	require.NoError(t, err)
	kernel, err := emu.NewKernel(program, "look_back", &codeobj.Descriptor{VGPRs: 8}, 0x1000)
	require.NoError(t, err)
	p.launch = c.NewLaunch(kernel, nil, [3]uint32{2, 1, 1}, nil, 0)
	return p
}

// member is one wave of the pair's, with one work-item.
type member struct {
	*pair
	wave *wave.Wave
}

func (p *pair) member(number uint64) member {
	w := &wave.Wave{V: make([]alu.Lanes, 8), Mem: everything{}}
	w.Watch = p.launch.Workgroup(emu.Workgroup{Kernel: p.launch.kernel, ID: [3]uint32{uint32(number)}, Number: number, Groups: 2, Block: [3]uint32{1, 1, 1}, Waves: 1})
	w.SetExec(1)
	return member{p, w}
}

// do executes an instruction on a word with an operand, with before called between what is
// noted of it and its effect.
func (m member) do(name string, word int, operand uint32, before func()) (result uint32) {
	i, err := rows.Decode(m.code, lookBack[name].at, encoding.Gfx906)
	require.NoError(m, err)
	step := watch.Watched(&i, func(w *wave.Wave) { before(); rows.Bind(&i, false)(w) }, 0)
	w, at := m.wave, uint64(uintptr(unsafe.Pointer(&m.shared[word])))
	w.V[2][0], w.V[3][0], w.V[4][0] = uint32(at), uint32(at>>32), operand
	w.PC = i.Offset/4 + uint32(i.Size)/4
	step(w)
	require.NotEqual(m, wave.Faulted, w.Status)
	return w.V[1][0]
}

func nothing() {}

// publish is what the first workgroup does.
func (p *pair) publish(before func()) {
	m := p.member(0)
	m.do("store", 0, 42, nothing)
	m.do("exchange", 1, 1, before)
}

// whileOther starts other and lets it get as far as it can.
func whileOther(other func()) (before func(), wait func()) {
	over := make(chan struct{})
	return func() {
			go func() { defer close(over); other() }()
			select {
			case <-over:
			case <-time.After(20 * time.Millisecond):
			}
		}, func() {
			<-over
		}
}

func TestAnExchangeIsSeenByTheAtomicThatReadsItsValue(t *testing.T) {
	p := newPair(t)
	m := p.member(1)
	before, wait := whileOther(func() { p.publish(nothing) })
	flag := m.do("ask", 1, 0, before)
	wait()
	for flag == 0 {
		flag = m.do("ask", 1, 0, nothing)
	}
	require.EqualValues(t, 42, m.do("load", 0, 0, nothing))
	require.Empty(t, p.said.String())
}

func TestAnExchangeIsNotLearnedOfBeforeItHappens(t *testing.T) {
	p := newPair(t)
	m := p.member(1)
	var flag uint32
	before, wait := whileOther(func() {
		flag = m.do("ask", 1, 0, nothing)
		m.do("load", 0, 0, nothing)
	})
	p.publish(before)
	wait()
	require.Equal(t, flag == 0, p.said.Len() > 0, "the flag was %d: %s", flag, p.said.String())

	p = newPair(t)
	m = p.member(1)
	require.Zero(t, m.do("ask", 1, 0, nothing))
	p.publish(nothing)
	m.do("load", 0, 0, nothing)
	require.Contains(t, p.said.String(), "no atomic orders it after the write at")
}
