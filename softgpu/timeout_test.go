package softgpu

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

func TestAKernelThatNeverEndsIsEnded(t *testing.T) {
	d := open(t, Options{Timeout: time.Second})
	// Of each workgroup's two waves the first waits at a barrier, or ends if the
	// workgroup is the third; the second runs in a circle, asleep most of the time.
	spins := text(t, `
  v_readfirstlane_b32 s0, v0
  s_cmp_lg_u32 s0, 0
  s_cbranch_scc1 .Lspin
  s_cmp_eq_u32 s2, 2
  s_cbranch_scc1 .Lover
  s_barrier
.Lover:
  s_endpgm
.Lspin:
  s_sleep 1
  s_branch .Lspin`)
	s := newTestStream(t, d)
	f := kernel(t, d, spins, "k")
	require.NoError(t, d.LaunchKernel(f, driver.Launch{Grid: d1(3), Block: d1(128), Stream: s}))
	err := d.StreamSynchronize(s)
	var e *driver.Error
	require.True(t, errors.As(err, &e), "%v", err)
	assert.ErrorIs(t, err, driver.LaunchFailure)
	assert.Equal(t, "'hipModuleLaunchKernel(k)' failed with 'hipErrorLaunchTimeOut': kernel k did not end within 1s: "+
		"of 3 workgroups 0 were over, 3 ran and 0 had not begun", err.Error())
	require.Len(t, e.Lines, 5)
	barrier := regexp.MustCompile("^  workgroup \\(([01]),0,0\\) wave 0 at k\\+0x18: `s_endpgm`, waiting at a barrier$")
	spin := regexp.MustCompile("^  workgroup \\(([012]),0,0\\) wave 1 at k\\+0x(1c|20): `s_(sleep 1|branch 65534)`$")
	for i, form := range []*regexp.Regexp{barrier, spin, barrier, spin, spin} {
		assert.Regexp(t, form, e.Lines[i])
	}
	require.NoError(t, d.StreamSynchronize(s), "reported once")
	p, v := buffer[uint32](t, d, 64)
	require.NoError(t, d.LaunchKernel(kernel(t, d, image(t), "poke"), driver.Launch{Grid: d1(1), Block: d1(64), Stream: s,
		Params: arguments(t, p, uint32(3), uint32(9))}))
	require.NoError(t, d.StreamSynchronize(s), "the stream goes on")
	assert.Equal(t, uint32(9), v[3])
}

func TestAReportOfManyWavesIsBounded(t *testing.T) {
	d := open(t, Options{Timeout: time.Second})
	err := run(t, d, text(t, ".Lspin:\n  s_branch .Lspin"), "k", driver.Dim3{X: 2, Y: 3, Z: 1000}, d1(256))
	var e *driver.Error
	require.True(t, errors.As(err, &e), "%v", err)
	assert.Regexp(t, `of 6000 workgroups 0 were over, \d+ ran and \d+ had not begun$`, err.Error())
	assert.GreaterOrEqual(t, len(e.Lines), 4)
	assert.LessOrEqual(t, len(e.Lines), 33)
	assert.Equal(t, "  workgroup (0,0,0) wave 0 at k+0x0: `s_branch 65535`", e.Lines[0])
}

// No workgroup of these grids runs for as long as a turn.
func TestAGridOfShortWorkgroupsIsEnded(t *testing.T) {
	ends := text(t, "  s_endpgm")
	for block, groups := range map[uint32]uint32{1: math.MaxInt32, 256: math.MaxUint32 / 256} {
		d := open(t, Options{Timeout: 200 * time.Millisecond})
		err := run(t, d, ends, "k", d1(groups), d1(block))
		require.ErrorIs(t, err, driver.LaunchFailure)
		assert.Regexp(t, fmt.Sprintf(`kernel k did not end within 200ms: of %d workgroups \d+ were over, 0 ran and \d+ had not begun$`, groups), err.Error())
		require.NoError(t, run(t, d, ends, "k", d1(1), d1(1)), "the device goes on")
	}
}

func TestKernelsThatEndInTimeAreLeftAlone(t *testing.T) {
	d := open(t, Options{Timeout: time.Hour})
	p, v := buffer[uint32](t, d, 64)
	require.NoError(t, run(t, d, image(t), "poke", d1(1), d1(64), p, uint32(3), uint32(9)))
	assert.Equal(t, uint32(9), v[3])
}

func TestAKernelInAHostcallIsEndedToo(t *testing.T) {
	out := new(page)
	d := open(t, Options{Timeout: time.Second, Stdout: out})
	image := hipImage(t, "-O2", "-mcode-object-version=5")
	err := run(t, d, image, "prints_for_ever", d1(4), d1(64))
	require.ErrorIs(t, err, driver.LaunchFailure)
	assert.Contains(t, err.Error(), "kernel prints_for_ever did not end within 1s")
	assert.Contains(t, out.drain(), "again\n")
	require.NoError(t, run(t, d, image, "each", d1(1), d1(64), uint32(1)), "the buffer is as new")
	assert.Contains(t, out.drain(), "item 63 of group 0: 1\n")
}
