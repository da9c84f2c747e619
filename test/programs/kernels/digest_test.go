package kernels

import (
	"crypto/aes"
	"crypto/md5"
	"crypto/sha256"
	"hash/crc32"
	"hash/fnv"
	"math/bits"
)

// each calls f for every part of n bytes.
func each(in []byte, n int, f func(part []byte) []byte) []byte {
	var all []byte
	for i := 0; i < len(in); i += n {
		all = append(all, f(in[i:i+n])...)
	}
	return all
}

var digests = []Row{
	{"digest.cl", "sha256", func(x *Exam) {
		in := x.Bytes(70 * 32)
		out, got := Out[byte](x, len(in))
		x.Launch(2, 35, In(x, in), out)
		Equal(x, each(in, 32, func(b []byte) []byte { s := sha256.Sum256(b); return s[:] }), got)
	}},
	{"digest.cl", "md5", func(x *Exam) {
		in := x.Bytes(64 * 16)
		out, got := Out[byte](x, len(in))
		x.Launch(1, 64, In(x, in), out)
		Equal(x, each(in, 16, func(b []byte) []byte { s := md5.Sum(b); return s[:] }), got)
	}},
	{"digest.cl", "crc32", func(x *Exam) {
		const n = 37
		in := x.Bytes(96 * n)
		out, got := Out[uint32](x, 96)
		x.Launch(2, 48, In(x, in), out, uint32(n))
		Equal(x, Make(96, func(i int) uint32 { return crc32.ChecksumIEEE(in[i*n : i*n+n]) }), got)
	}},
	{"digest.cl", "aes128", func(x *Exam) {
		in, key := x.Bytes(64*16), x.Bytes(16)
		out, got := Out[byte](x, len(in))
		x.Launch(1, 64, In(x, in), In(x, key), out)
		cipher, err := aes.NewCipher(key)
		if err != nil {
			x.Fatal(err)
		}
		Equal(x, each(in, 16, func(b []byte) []byte {
			to := make([]byte, 16)
			cipher.Encrypt(to, b)
			return to
		}), got)
	}},
	{"digest.cl", "siphash", func(x *Exam) {
		in := x.Longs(80)
		out, got := Out[uint64](x, len(in))
		k0, k1 := x.Uint64(), x.Uint64()
		x.Launch(2, 40, In(x, in), out, k0, k1)
		Equal(x, Make(len(in), func(i int) uint64 { return sip(in[i], k0, k1) }), got)
	}},
	{"digest.cl", "fnv", func(x *Exam) {
		text := x.Bytes(1000)
		start := []uint32{0}
		for start[len(start)-1] < 900 {
			start = append(start, start[len(start)-1]+uint32(x.IntN(50)))
		}
		n := len(start) - 1
		out, got := Out[uint64](x, n)
		x.Launch(1, n, In(x, text), In(x, start), out)
		Equal(x, Make(n, func(i int) uint64 {
			h := fnv.New64a()
			h.Write(text[start[i]:start[i+1]])
			return h.Sum64()
		}), got)
	}},
}

// sip is SipHash-2-4 of eight bytes.
func sip(m, k0, k1 uint64) uint64 {
	v := [4]uint64{0x736f6d6570736575 ^ k0, 0x646f72616e646f6d ^ k1, 0x6c7967656e657261 ^ k0, 0x7465646279746573 ^ k1}
	mix := func(a, b, by int) {
		v[a] += v[b]
		v[b] = bits.RotateLeft64(v[b], by) ^ v[a]
	}
	rounds := func(n int) {
		for range n {
			mix(0, 1, 13)
			v[0] = bits.RotateLeft64(v[0], 32)
			mix(2, 3, 16)
			mix(0, 3, 21)
			mix(2, 1, 17)
			v[2] = bits.RotateLeft64(v[2], 32)
		}
	}
	for _, w := range []uint64{m, 8 << 56} {
		v[3] ^= w
		rounds(2)
		v[0] ^= w
	}
	v[2] ^= 0xff
	rounds(4)
	return v[0] ^ v[1] ^ v[2] ^ v[3]
}
