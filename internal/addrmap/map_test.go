package addrmap

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMapAgreesWithBuiltinUnderRandomOperations(t *testing.T) {
	var m Map[int]
	want := map[uintptr]*int{}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 50000 {
		key := uintptr(r.IntN(700)+1) << 4
		switch r.IntN(3) {
		case 0, 1:
			v := i
			require.Same(t, deref(want, key), deref2(m.Store(key, &v)))
			want[key] = &v
		case 2:
			require.Equal(t, want[key] != nil, m.Delete(key, m.Find(key)))
			delete(want, key)
		}
		require.Equal(t, len(want), m.Len())
	}
	for key := uintptr(1); key < 702<<4; key++ {
		require.Same(t, deref(want, key), deref2(m.Find(key)))
	}
}

var none int

func deref(m map[uintptr]*int, k uintptr) *int { return deref2(m[k]) }

func deref2(p *int) *int {
	if p == nil {
		return &none
	}
	return p
}

func TestZeroKeyIsNeverThere(t *testing.T) {
	var m Map[int]
	v := 1
	require.Nil(t, m.Find(0))
	m.Store(0, &v)
	require.Nil(t, m.Find(0))
	m.Store(8, &v)
	require.True(t, m.Delete(8, &v))
	require.Nil(t, m.Find(0), "a grave must not be found under the key zero")
	require.False(t, m.Delete(0, nil))
}

func TestDeleteLeavesAReplacedValueAlone(t *testing.T) {
	var m Map[int]
	a, b := 1, 2
	m.Store(16, &a)
	require.Same(t, &a, m.Store(16, &b))
	require.False(t, m.Delete(16, &a))
	require.Same(t, &b, m.Find(16))
}

func TestReadersSeeStableKeysWhileOthersComeAndGo(t *testing.T) {
	var m Map[uintptr]
	for k := uintptr(1); k <= 50; k++ {
		v := k
		m.Store(k<<12, &v)
	}
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				select {
				case <-stop:
					return
				default:
				}
				for k := uintptr(1); k <= 50; k++ {
					if v := m.Find(k << 12); v == nil || *v != k {
						t.Errorf("key %d lost", k)
						return
					}
				}
			}
		}()
	}
	for i := uintptr(0); i < 20000; i++ {
		v := i
		k := (i%997)<<12 | 8
		m.Store(k, &v)
		m.Delete(k, &v)
	}
	close(stop)
	wg.Wait()
}

func TestFindAllocatesNothing(t *testing.T) {
	var m Map[int]
	v := 3
	m.Store(64, &v)
	require.Zero(t, testing.AllocsPerRun(1000, func() { m.Find(64); m.Find(65) }))
}

func BenchmarkFind(b *testing.B) {
	var m Map[int]
	v := 3
	for k := uintptr(1); k < 40; k++ {
		m.Store(0x7f0000000000+k*64, &v)
	}
	for i := 0; i < b.N; i++ {
		if m.Find(0x7f0000000000+uintptr(i&31+1)*64) == nil {
			b.Fatal("lost")
		}
	}
}
