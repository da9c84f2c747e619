package programs

import (
	"io"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/test/model/device"
)

// Go's calls alone; test/model has C's too.
func TestNothingIsReusedWhileWorkFromBeforeItsFreeIsPending(t *testing.T) {
	operations := 20_000 // threads that wait for each other take a while
	if os.Getenv("MGPU_TEST_LONG") != "" {
		operations = 1_000_000
	}
	again, hot, run := 0, 0, 0
	for seed := uint64(1); run < operations; seed++ {
		d := device.New(1+int(seed/3%2), seed)
		config := mgpu.Config{Stderr: io.Discard, Drivers: []mgpu.Opener{{Name: d.Name(), Open: func() (driver.Driver, error) { return d, nil }}}}
		config.MaxIdle, config.MaxDraining = Bounds(seed)
		config.UncheckedStreams = seed%2 == 0
		lib := Go{mgpu.New(config)}
		all := &Programs{Runtime: lib.Runtime, Device: d, Seed: seed, Library: func(*rand.Rand) Library { return lib }, Destroys: config.UncheckedStreams}
		require.Empty(t, all.Run(1+int(seed%3), 3000), "seed %d", seed)
		run += 3000
		again, hot = again+all.Reused, hot+all.Hot
	}
	require.Greater(t, again, operations/50, "the programs reuse something")
	require.Greater(t, hot, operations/200, "also what had work pending when it was freed")
}
