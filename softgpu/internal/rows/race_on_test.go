//go:build race

package rows

// raceEnabled tells that the race detector is in the build, which makes all slow.
const raceEnabled = true
