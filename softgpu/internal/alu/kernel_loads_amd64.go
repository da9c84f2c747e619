package alu

//go:noescape
func loadsCode(code *uintptr)

// LoadsAhead returns an op that goes before the first n of ops, which load pairs of words of LDS from the offsets in one
// register. It looks at the offsets once, does what these ops do, and goes on after them. If a word is out of range, they
// run after it. n is 0 if fewer than two such ops follow each other.
func LoadsAhead(ops []Op) (ahead Op, n int) {
	const result, offsets, lds = 0, 1, 4
	load := nearOps()[Code(OpLoadLDS2)].near
	if len(ops) == 0 || ops[0].Code != load || load == 0 {
		return ahead, 0
	}
	ahead = ops[0]
	end := uintptr(0) // of the farthest word
	for _, op := range ops {
		overwrites := op.At[offsets]-op.At[result] <= Extent64 // offsets that other ops need
		if op.Code != load || op.At[offsets] != ahead.At[offsets] || op.At[lds] != ahead.At[lds] || overwrites {
			break
		}
		end = max(end, op.At[3]+4, op.At[5]+4)
		n++
	}
	if n < 2 {
		return ahead, 0
	}
	loadsCode(&ahead.Code)
	ahead.At[LoadsCount], ahead.At[LoadsEnd] = uintptr(n), end
	return ahead, n
}
