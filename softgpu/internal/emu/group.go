package emu

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// group is one resident workgroup. Its storage is reused.
type group struct {
	d     *Dispatch
	id    [3]uint32
	block [3]uint32 // work-items
	waves []wave.Wave
	vgprs []alu.Lanes // of all waves; a wave's accumulators follow its other registers
	lds   []byte

	scratch     uint64 // address of the waves' private memory; zero: none
	scratchSize uint64

	barrier wave.Barrier
	current int // index of the running wave
	asleep  bool
	naps    int
	seen    uint64 // number of the run whose memory windows the waves have
	at      cursor // where the dispatch's wave that ran last stopped
	ids     itemIDs
	files   []alu.Files // of the waves
	routes  [256]*route // by program counter; nil where none was needed
	learned bool        // one of them is of the dispatch
	abreast bool        // all waves are where the first is, run and have its MODE
	watch   Watch       // nil: the dispatch is not watched
	profile Profile
}

// takeStorage returns storage for a workgroup.
func (m *Machine) takeStorage() *group {
	m.mu.Lock()
	defer m.mu.Unlock()
	last := len(m.free) - 1
	if last < 0 {
		return new(group)
	}
	g := m.free[last]
	m.free[last] = nil
	m.free = m.free[:last]
	return g
}

// start sets g up as the workgroup with number n of d.
func (m *Machine) start(d *Dispatch, n uint64, g *group) (*group, error) {
	g.id = d.groupID(n)
	g.block = d.block(g.id)
	if err := m.provide(g, d); err != nil {
		m.keep(g)
		return nil, err
	}
	g.d = d
	g.barrier, g.naps, g.asleep = wave.Barrier{Members: len(g.waves), NamedCount: d.Kernel.named}, 0, false
	g.startWatch(n)
	g.ids.provide(d.Kernel, g.block)
	for i := range g.waves {
		g.startWave(i)
	}
	g.seen, g.abreast = d.serial, d.order == nil
	return g, nil
}

// alignedWaves is a number of waves that Go's allocator puts at the start of a page, as all of more than 32 KiB. Before
// less it puts 8 bytes of its own, and half of the vectors in a wave's temporary memory would lie in two cache lines.
const alignedWaves = 8

// provide makes g's storage large enough for a workgroup of d, and clears it, so that a kernel does not see the data of
// another one.
func (m *Machine) provide(g *group, d *Dispatch) error {
	k := d.Kernel
	waves := k.wavesOf(g.block)
	if len(g.waves) != waves {
		g.seen = 0 // further waves may have windows of an older run
	}
	if cap(g.waves) < waves {
		g.waves = make([]wave.Wave, max(waves, alignedWaves))
	}
	if g.waves = g.waves[:waves]; cap(g.files) < waves {
		g.files = make([]alu.Files, cap(g.waves))
	}
	if n := waves * (k.vgprs + k.agprs); cap(g.vgprs) < n {
		g.vgprs = make([]alu.Lanes, n)
	} else {
		g.vgprs = g.vgprs[:n]
		k.clear(g.vgprs)
	}
	if n := int(k.LDS + d.LDS); cap(g.lds) < n {
		g.lds = makeLDS(n)
	} else {
		g.lds = g.lds[:n]
		clear(g.lds)
	}
	need := uint64(k.Private) * rowLanes * uint64(waves)
	if need <= g.scratchSize {
		return nil
	}
	if g.scratchSize > 0 {
		m.backing.Free(g.scratch)
		g.scratch, g.scratchSize = 0, 0
	}
	addr, err := m.backing.Alloc(need)
	if err != nil {
		return fmt.Errorf("%d bytes of scratch for a workgroup of kernel %s: %w", need, k.Name, err)
	}
	g.scratch, g.scratchSize = addr, need
	return nil
}

// clear makes the lanes of k's waves in registers 0. The other lanes of waves of 32 have any values at all times.
func (k *Kernel) clear(registers []alu.Lanes) {
	if k.lanes == 64 {
		clear(registers)
		return
	}
	for r := range registers {
		clear(registers[r][:32])
	}
}

// spare is the number of workgroups whose storage a machine keeps.
const spare = 64

// finish ends the workgroup.
func (g *group) finish() {
	g.endWatch()
	g.d = nil
}

// keep takes back the storage of a workgroup.
func (m *Machine) keep(g *group) {
	g.at = cursor{}
	g.forgetRoutes()
	m.mu.Lock()
	if len(m.free) < spare {
		m.free = append(m.free, g)
		g = nil
	}
	m.mu.Unlock()
	if g != nil && g.scratchSize > 0 {
		m.backing.Free(g.scratch)
	}
}

// rounds gives every wave that can run turns, until they have executed budget instructions, sleep or are to stop. It
// returns the number of executed instructions, and whether the workgroup has ended, by the end of all its waves or by a
// fault.
func (g *group) rounds(budget int) (used int, over bool) {
	defer func() {
		if r := recover(); r != nil {
			g.failed(r)
			over = true
		}
	}()
	for {
		n, over := g.round()
		if used += n; over || used >= budget || g.asleep || g.d.stop.Load() {
			return used, over
		}
	}
}

// round gives every wave that can run one turn. It returns what rounds does.
func (g *group) round() (used int, over bool) {
	g.asleep = true
	d := g.d
	if r := g.route(); r != nil {
		return g.follow(r)
	}
	first, ran := d.order.rotation(len(g.waves)), false
	for i := range g.waves {
		if i += first; i >= len(g.waves) {
			i -= len(g.waves)
		}
		w := &g.waves[i]
		switch w.Status {
		case wave.Ended:
			continue
		case wave.AtBarrier:
			if w.Pass(); w.Status == wave.AtBarrier {
				continue
			}
		case wave.Yielded:
			w.Status = wave.Running
		}
		ran = true
		from := w.PC
		used += g.turn(i)
		g.learn(w, from)
		if g.settle(i) {
			return used, true
		}
	}
	if g.barrier.Members > 0 && !ran {
		g.stuck()
		return used, true
	}
	return used, g.barrier.Members == 0
}

// turn lets the wave with index i run, and returns the number of executed instructions.
func (g *group) turn(i int) int {
	g.current, g.abreast = i, false
	return g.d.Kernel.program.run(&g.waves[i], g.d.order.turn(waveTurn), g.d, &g.at)
}

// settle does what follows from the status of the wave with index i after a turn. It reports whether the wave has
// faulted.
func (g *group) settle(i int) (faulted bool) {
	w := &g.waves[i]
	switch w.Status {
	case wave.Running:
		g.asleep = false
	case wave.Ended:
		g.asleep = false
		w.Leave()
	case wave.AtBarrier:
		g.asleep = false
		w.Pass()
	case wave.Faulted:
		g.faulted(i, w)
		return true
	}
	if g.barrier.Arrived > 0 && g.barrier.Arrived == g.barrier.Members {
		g.release()
		g.asleep = false
	}
	return false
}

// stuck ends the dispatch after a round in which no wave ran: all wait at barriers, which none of them can complete.
func (g *group) stuck() {
	for i := range g.waves {
		w := &g.waves[i]
		if w.Status != wave.AtBarrier {
			continue
		}
		pc := w.PC
		if !w.AtNamed() {
			pc = g.d.Kernel.program.before(pc)
		}
		w.Status = wave.Faulted
		w.Fault = &wave.Fault{Reason: "all waves of the workgroup wait at barriers", Lane: -1, PC: pc}
		g.d.fail(g.fault(i, w))
		return
	}
}

// release lets all waves continue after the barrier, where all have arrived.
func (g *group) release() {
	g.barrier.Arrived = 0
	g.barrier.Phase++
	if g.watch != nil {
		g.watch.Released()
	}
	for i := range g.waves {
		g.waves[i].Release()
	}
	g.abreast = g.alike()
}

// failed makes a panic inside an instruction of the wave that runs a fault of the wave.
func (g *group) failed(reason any) {
	if g.watch != nil {
		g.watch.Done()
	}
	w := &g.waves[g.current]
	pc := g.d.Kernel.program.before(w.PC)
	lacking := g.lacking(pc)
	if lacking == "" {
		lacking = fmt.Sprintf("instruction failed: %v", reason)
	}
	w.Status = wave.Faulted
	w.Fault = &wave.Fault{Reason: lacking, Lane: -1, PC: pc}
	g.faulted(g.current, w)
}

// faulted ends the dispatch with the fault of the wave with index i.
func (g *group) faulted(i int, w *wave.Wave) {
	f := g.fault(i, w)
	if g.watch != nil {
		g.watch.Faulted(f)
	}
	g.d.fail(f)
}
