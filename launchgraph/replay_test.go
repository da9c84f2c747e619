package launchgraph

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

var params = []driver.Param{{Offset: 0, Size: 4}, {Offset: 8, Size: 8}, {Offset: 16, Size: 1}}

// randomCall makes a random call that can be recorded.
func randomCall(r *rand.Rand, into *Recording, value uint32) {
	s, e := driver.Stream(1+r.IntN(3)), driver.Event(1+r.IntN(3))
	switch r.IntN(12) {
	case 0:
		into.Copy(s, driver.Copy{Dst: 1, Src: 2, Bytes: 3})
	case 1:
		into.Fill(s, driver.Fill{Dst: 1, Value: uint32(r.IntN(3)), Size: 4, Count: 3})
	case 2:
		into.Synchronize(s)
	case 3:
		into.Record(e, s)
	case 4:
		into.Wait(s, e)
	case 5:
		into.WaitFor(s, driver.Stream(1+r.IntN(3)))
	case 6:
		into.SynchronizeEvent(e)
	case 7:
		into.Forget(e)
	case 8:
		into.Created(s)
	case 9:
		into.Free()
	default:
		used := params[:r.IntN(4)]
		values := into.Launch(s, driver.Function(100+len(used)), driver.Launch{Grid: driver.Dim3{X: 1 + value%3, Y: 1, Z: 1}}, used)
		for _, p := range used {
			values[p.Offset+p.Size-1] = byte(value + p.Offset)
		}
	}
}

// Wherever a replay ends, the recording is what it would have been without a comparison.
func TestADepartureLeavesWhatIsRecordedAnyway(t *testing.T) {
	same := 0
	for seed := range uint64(300) {
		like := &Recording{}
		n := 1 + int(seed%40)
		record := func(into *Recording, values, other uint64, calls int) {
			r, v := rand.New(rand.NewPCG(seed, 1)), rand.New(rand.NewPCG(seed, values))
			for i := range calls {
				if i == calls-1 && other != 0 {
					r = rand.New(rand.NewPCG(seed, other))
				}
				randomCall(r, into, v.Uint32())
			}
		}
		record(like, 2, 0, n)
		if !like.Repeatable() {
			continue
		}
		spare := &Recording{}
		for end := range n + 1 {
			for _, other := range []uint64{0, 7} {
				spare.Reset()
				spare.Repeat(like)
				plain := &Recording{}
				record(spare, 3, other, end)
				record(plain, 3, other, end)
				require.Equal(t, plain.Len(), spare.Len(), "seed %d", seed)
				for s := range driver.Stream(4) {
					require.Equal(t, plain.Knows(s), spare.Knows(s), "seed %d, stream %d after %d", seed, s, end)
				}
				if other == 0 && spare.Like() != nil { // a wait for an event from before the recording ends the replay
					require.True(t, end < n || spare.Complete())
					same++
				}
				spare.Depart()
				require.True(t, slices.Equal(plain.edges, spare.edges), "seed %d", seed)
				require.True(t, slices.Equal(plain.values, spare.values), "seed %d", seed)
				require.True(t, slices.Equal(plain.calls, spare.calls), "seed %d", seed)
				require.True(t, plain.sameShape(spare))
				for i := range plain.nodes {
					require.True(t, plain.sameNode(spare, i))
				}
				require.True(t, slices.Equal(plain.host.nodes, spare.host.nodes), "seed %d", seed)
				require.Equal(t, plain.waited, spare.waited)
			}
		}
	}
	require.Greater(t, same, 1000)
}

// Streams that a recording creates come from the pool in any order. The calls match all the same, and wherever the
// replay ends, the recording is what it would have been without a replay.
func TestStreamsThatAreCreatedMayBeOthers(t *testing.T) {
	complete := 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 3))
		const streams = 4
		// Handle 9 is a stream from before; the others are created before or between the calls.
		record := func(into *Recording, handles []int, calls int) {
			r := rand.New(rand.NewPCG(seed, 4))
			created := 0
			stream := func() driver.Stream {
				if n := r.IntN(streams + 1); n < created {
					return driver.Stream(1 + handles[n])
				}
				return 9
			}
			for range calls {
				if created < streams && r.IntN(3) == 0 {
					into.Created(driver.Stream(1 + handles[created]))
					created++
					continue
				}
				switch s := stream(); r.IntN(6) {
				case 0:
					into.Fill(s, driver.Fill{Dst: 1, Value: 1, Size: 4, Count: 3})
				case 1:
					into.Record(1, s)
				case 2:
					into.Wait(s, 1)
				case 3:
					into.WaitFor(s, stream())
				case 4:
					into.Synchronize(s)
				default:
					values := into.Launch(s, 100, driver.Launch{Grid: driver.Dim3{X: 1, Y: 1, Z: 1}}, params)
					values[8] = byte(handles[0])
				}
			}
		}
		n := 5 + int(seed%40)
		like := &Recording{}
		record(like, []int{0, 1, 2, 3}, n)
		if !like.Repeatable() {
			continue
		}
		spare := &Recording{}
		for end := range n + 1 {
			// The first one is sometimes a stream that did not exist before.
			handles := r.Perm(streams + 1)[:streams]
			spare.Reset()
			spare.Repeat(like)
			plain := &Recording{}
			record(spare, handles, end)
			record(plain, handles, end)
			for s := range driver.Stream(10) {
				require.Equal(t, plain.Knows(s), spare.Knows(s), "seed %d, stream %d after %d", seed, s, end)
			}
			if spare.Like() != nil && spare.Complete() {
				complete++
				var left, right []driver.Stream
				spare.Like().Streams(func(s driver.Stream) { left = append(left, s) })
				plain.Streams(func(s driver.Stream) { right = append(right, s) })
				require.Equal(t, right, left, "seed %d", seed)
			}
			spare.Depart()
			require.True(t, slices.Equal(plain.calls, spare.calls), "seed %d", seed)
			require.True(t, slices.Equal(plain.edges, spare.edges), "seed %d", seed)
			require.True(t, slices.Equal(plain.values, spare.values), "seed %d", seed)
			require.True(t, plain.sameShape(spare))
		}
	}
	require.Greater(t, complete, 100)
}
