package gcn

import "math"

// How products are added up is not in AMD's manuals, but has been measured: the
// chips round to nearest, whatever MODE says, and
//   - singles and doubles are a chain of fused multiply-adds in the order of k;
//   - halves and bfloats on gfx908 and gfx90a are multiplied and added pairwise,
//     as many as a lane holds, and their sum is added to the result so far, each
//     sum rounded to a single; gfx90a takes denormals for zeros in all of that;
//   - on gfx942 they are added in fixed point: see fused.
//
// Integers are exact, modulo 2^32.
func (m *matrix) arithmetic(chip Chip) func(*matrix, *matrixRoom) {
	switch {
	case m.a == entryF64:
		return (*matrix).doubles
	case m.a == entryI8:
		return (*matrix).integers
	case m.a == entryF32:
		return (*matrix).singles
	case m.fused:
		return (*matrix).fusedSums
	case chip == Gfx90a:
		return (*matrix).flushedPairs
	}
	return (*matrix).pairs
}

// each calls f for every register of the result and every product, with the factors in room.x and room.y.
func (m *matrix) each(room *matrixRoom, k int, f func(r int)) {
	for r := range m.count {
		m.rowsOfA(room, &room.x, r, k)
		if !m.sameB[r] {
			m.columnsOfB(room, &room.y, r, k)
		}
		f(r)
	}
}

func (m *matrix) singles(room *matrixRoom) {
	for k := range m.depth {
		m.each(room, k, func(r int) { fmaF32(&room.d[r], &room.x, &room.y, &room.d[r]) })
	}
}

func (m *matrix) integers(room *matrixRoom) {
	for k := range m.depth {
		m.each(room, k, func(r int) {
			d := &room.d[r]
			for l := range d {
				d[l] += room.x[l] * room.y[l]
			}
		})
	}
}

func (m *matrix) doubles(room *matrixRoom) {
	for r := range m.count {
		lo, hi := &room.d[2*r], &room.d[2*r+1]
		for l := range lo {
			p := m.places[r][l/m.n]
			sum := double(join(lo[l], hi[l]) ^ uint64(m.negate>>2&1)<<63)
			for k := range m.k {
				a, b := room.aw[k*m.rowsA+int(p.row)], room.bw[k*m.rowsB+int(p.from)+l%m.n]
				sum = math.FMA(double(a), double(b), sum)
			}
			x := math.Float64bits(sum)
			lo[l], hi[l] = uint32(x), uint32(x>>32)
		}
	}
}

// pairs adds as many products as a lane holds, two or four, pairwise.
func (m *matrix) pairs(room *matrixRoom) {
	p := &room.partial
	for r := range m.count {
		d := &room.d[r]
		for k := 0; k < m.depth; k += m.perA {
			for n := range m.perA {
				m.rowsOfA(room, &room.x, r, k+n)
				m.columnsOfB(room, &room.y, r, k+n)
				fmaF32(&p[n], &room.x, &room.y, &zeros)
			}
			if m.perA == 4 {
				addF32(&p[2], &p[2], &p[3])
			}
			addF32(&p[0], &p[0], &p[1])
			if m.perA == 4 {
				addF32(&p[0], &p[0], &p[2])
			}
			addF32(d, d, &p[0])
		}
	}
}

// flushedPairs is pairs without denormals: those of A, B and C become +0, those of sums keep their sign.
func (m *matrix) flushedPairs(room *matrixRoom) {
	noDenormals(room.a[:m.depth*m.rowsA])
	noDenormals(room.b[:m.depth*m.rowsB])
	p := &room.partial
	add := func(d, a, b *Lanes) {
		addF32(d, a, b)
		flushDenorms(d)
	}
	for r := range m.count {
		d := &room.d[r]
		noDenormals(d[:])
		for k := 0; k < m.depth; k += m.perA {
			for n := range m.perA {
				m.rowsOfA(room, &room.x, r, k+n)
				m.columnsOfB(room, &room.y, r, k+n)
				fmaF32(&p[n], &room.x, &room.y, &zeros)
				flushDenorms(&p[n])
			}
			if m.perA == 4 {
				add(&p[2], &p[2], &p[3])
			}
			add(&p[0], &p[0], &p[1])
			if m.perA == 4 {
				add(&p[0], &p[0], &p[2])
			}
			add(d, d, &p[0])
		}
	}
}

func noDenormals(x []uint32) {
	for n, v := range x {
		if v&0x7f800000 == 0 {
			x[n] = 0
		}
	}
}
