package modulecache

import (
	"encoding/binary"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/internal/hostmem"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

func testdata(t testing.TB, name string) []byte {
	b, err := os.ReadFile("../internal/codeobj/testdata/" + name)
	require.NoError(t, err)
	return b
}

// bundle is an offload bundle of one code object.
func bundle(object []byte) []byte {
	const id = "hipv4-amdgcn-amd-amdhsa--gfx906"
	b := []byte("__CLANG_OFFLOAD_BUNDLE__")
	for _, v := range []uint64{1, 4096, uint64(len(object)), uint64(len(id))} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	b = append(b, id...)
	return append(append(b, make([]byte, 4096-len(b))...), object...)
}

// compressed is a compressed offload bundle of n bytes, of which only the header is read.
func compressed(n int) []byte {
	b := append([]byte("CCOB"), 2, 0, 1, 0)
	b = binary.LittleEndian.AppendUint32(b, uint32(n))
	return append(b, make([]byte, n-len(b))...)
}

// fatbin is a fat binary of one entry: PTX that is compressed if flags say so.
func fatbin(contents []byte, flags uint64) []byte {
	head := make([]byte, 64)
	binary.LittleEndian.PutUint16(head, 1)
	binary.LittleEndian.PutUint32(head[4:], 64)
	binary.LittleEndian.PutUint64(head[8:], uint64(len(contents)))
	binary.LittleEndian.PutUint32(head[16:], uint32(len(contents)))
	binary.LittleEndian.PutUint64(head[40:], flags)
	binary.LittleEndian.PutUint64(head[56:], 4096)
	b := binary.LittleEndian.AppendUint64([]byte("\x50\xed\x55\xba\x01\x00\x10\x00"), uint64(len(head)+len(contents)))
	return append(append(b, head...), contents...)
}

// images are images of each kind, small and larger than a window.
func images(t testing.TB) map[string][]byte {
	object, ptx := testdata(t, "v5.hsaco"), append(testdata(t, "globals.ptx"), 0)
	return map[string][]byte{
		"code object": object, "cubin": testdata(t, "variables.cubin"),
		"bundle": bundle(object), "large bundle": bundle(append(object, make([]byte, 3*windowBytes)...)),
		"compressed bundle": compressed(777), "large compressed bundle": compressed(2*windowBytes + 1),
		"fat binary": fatbin(ptx, 0), "compressed fat binary": fatbin(ptx, 0x2000),
		"PTX": ptx, "large PTX": append([]byte(strings.Repeat("// a comment\n", windowBytes/10)), ptx...),
		"as long as a window": compressed(windowBytes), "a byte less": compressed(windowBytes - 1), "a byte more": compressed(windowBytes + 1),
	}
}

// ending is memory that ends with an image, in front of a page that can't be read.
func ending(t testing.TB, image []byte) []byte {
	size := (len(image) + 2*4096 - 1) &^ 4095
	mem := region(t, size)
	require.NoError(t, syscall.Mprotect(mem[size-4096:], syscall.PROT_NONE))
	at := mem[size-4096-len(image) : size-4096 : size-4096]
	copy(at, image)
	return at
}

func TestImagesThatEndBeforeAnUnreadablePageAreLoadedWhole(t *testing.T) {
	for name, img := range images(t) {
		d, c := new(recordingDriver), New(Config{})
		m, o, err := c.Load(d, 0, addressOf(ending(t, img)))
		require.NoError(t, err, name)
		require.Contains(t, []Result{Miss, Refused}, o.Result, name)
		require.Equal(t, string(img), d.text(m), name)
		require.Zero(t, viewOf(c.modules.Find(uintptr(m)).of.image[:len(img)+1])[len(img)], "%s: a zero byte follows", name)
	}
}

func TestImagesThatAreCutShortAreErrors(t *testing.T) {
	for name, img := range images(t) {
		d, c := new(recordingDriver), New(Config{})
		for n := 0; n < len(img); n += 1 + len(img)/37 {
			_, _, err := c.Load(d, 0, addressOf(ending(t, img[:n])))
			require.ErrorIs(t, err, driver.InvalidImage, "%s: %d of %d bytes", name, n, len(img))
		}
		require.Zero(t, d.loads, name)
	}
}

// Whatever the headers say, the result is that of reading each of them by itself.
func TestHeadersThatLieGiveTheErrorOfTheirOwn(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	values := []uint64{0, 1, 63, 4096, 1 << 14, windowBytes - 1, windowBytes, 1 << 20, 1 << 31, 1<<47 - 1, 1 << 47, 1 << 63, ^uint64(0)}
	failed, loaded := 0, 0
	for name, img := range images(t) {
		at := ending(t, img)
		for range 300 {
			copy(at, img)
			for range 1 + r.IntN(2) {
				field := r.IntN(64)
				if r.IntN(3) == 0 {
					field = r.IntN(len(img) - 8)
				}
				binary.LittleEndian.PutUint64(at[min(field, len(at)-8):], values[r.IntN(len(values))]>>(8*r.IntN(8)))
			}
			_, length, want := codeobj.Extent(func(dst []byte, off uint64) error {
				if addr := addressOf(at) + uintptr(off); addr >= addressOf(at) {
					return hostmem.Read(dst, addr)
				}
				return errWraps(off)
			})
			if want == nil && length > uint64(len(img)) {
				continue // the copy fails, as in the test before
			}
			d, c := new(recordingDriver), New(Config{})
			m, _, err := c.Load(d, 0, addressOf(at))
			if want != nil {
				failed++
				require.ErrorContains(t, err, want.Error(), name)
				continue
			}
			loaded++
			require.NoError(t, err, name)
			require.Equal(t, string(at[:length]), d.text(m), name)
		}
	}
	require.Greater(t, failed, 100)
	require.Greater(t, loaded, 100)
}

func TestAPageBetweenThatCannotBeReadIsAnError(t *testing.T) {
	img := testdata(t, "v5.hsaco")
	binary.LittleEndian.PutUint64(img[40:], 5*4096) // the section table
	mem := region(t, 8*4096)
	copy(mem, img[:4096])
	copy(mem[5*4096:], testdata(t, "v5.hsaco")[0x1fe0:])
	require.NoError(t, syscall.Mprotect(mem[3*4096:4*4096], syscall.PROT_NONE))
	_, _, err := New(Config{}).Load(new(recordingDriver), 0, addressOf(mem))
	require.ErrorIs(t, err, driver.InvalidImage)
	require.ErrorContains(t, err, "bytes long by its own headers")
	require.ErrorContains(t, err, "only the first 12288 are readable")
}

func TestASmallImageIsReadOnceOrTwice(t *testing.T) {
	for name, img := range images(t) {
		reads, bytes := 0, 0
		cfg := Config{Read: func(dst []byte, addr uintptr) error {
			reads, bytes = reads+1, bytes+len(dst)
			return hostmem.Read(dst, addr)
		}}
		mem := region(t, len(img)+4096)
		copy(mem, img)
		c := New(cfg)
		_, _, err := c.Load(new(recordingDriver), 0, addressOf(mem))
		require.NoError(t, err, name)
		if len(img) < windowBytes/2 {
			require.LessOrEqual(t, reads, 3, name)
			require.LessOrEqual(t, bytes, (len(img)+4095)&^4095, "%s: no page more than the image has", name)
		}
		reads, bytes = 0, 0
		mem[len(img)-1] ^= 0x20
		if name == "PTX" || name == "large PTX" {
			continue // it no longer ends there
		}
		_, _, err = c.Load(new(recordingDriver), 0, addressOf(mem))
		require.NoError(t, err, name)
		if len(img) < windowBytes/2 {
			require.LessOrEqual(t, reads, 2, "%s: what was compared is not read again", name)
		}
	}
}

// A program may write the memory while it is read. A small image is read once, so that its length fits its bytes.
func TestImagesThatChangeWhileTheyAreReadAreLoadedInOneState(t *testing.T) {
	short, long := compressed(3000), compressed(4000)
	mem := region(t, 8192)
	copy(mem, long)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				copy(mem[8:], [][]byte{short, long}[i%2][8:12]) // the length
			}
		}
	}()
	for range 300 {
		d, c := new(recordingDriver), New(Config{})
		m, _, err := c.Load(d, 0, addressOf(mem))
		if err != nil {
			require.ErrorIs(t, err, driver.InvalidImage) // a length of which half was written
			continue
		}
		text := d.text(m)
		require.EqualValues(t, len(text), binary.LittleEndian.Uint32([]byte(text)[8:]))
	}
	close(stop)
	wg.Wait()
}

func TestCopiesOfSmallImagesShareMappings(t *testing.T) {
	var cs chunks
	r := rand.New(rand.NewPCG(3, 4))
	type held struct {
		imageCopy
		text string
	}
	var all []held
	most := 0
	for i := range 5000 {
		if len(all) > 0 && (i > 4000 || r.IntN(2) == 0 && len(all) > 100) {
			k := r.IntN(len(all))
			require.Equal(t, all[k].text, string(all[k].image), "no other copy was written there")
			require.Zero(t, all[k].image[:len(all[k].image)+1][len(all[k].image)])
			all[k].free()
			all = append(all[:k], all[k+1:]...)
			continue
		}
		text := strings.Repeat(string(rune('a'+i%26)), 1+r.IntN(windowBytes-1))
		m, err := cs.copyOf([]byte(text))
		require.NoError(t, err)
		require.Zero(t, addressOf(m.image)%4096)
		all = append(all, held{m, text})
		most = max(most, len(cs.all))
	}
	require.Greater(t, most, 5)
	for _, h := range all {
		h.free()
	}
	require.Len(t, cs.all, 1, "one mapping stays")
	require.Zero(t, cs.all[0].used)
}
