package settings

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// forms has, by placeholder, the function that checks values which are not words.
var forms = map[string]func(text string) bool{
	"MGPU_DEVICE":        reads(ParseDevice),
	"MGPU_MEM_LIMIT":     reads(ParseLimit),
	"MGPU_STATS":         reads(ParseFile),
	"MGPU_TRACE":         reads(ParseFile),
	"MGPU_TRACE_LIMIT":   reads(ParseTraceLimit),
	"MGPU_ON_ERROR":      reads(ParseOnError),
	"MGPU_REPORT":        reads(ParseFile),
	"MGPU_SOFT_DEVICES":  reads(ParseDevices),
	"MGPU_SOFT_MEMORY":   reads(ParseSize),
	"MGPU_SOFT_TIMEOUT":  reads(ParseTime),
	"MGPU_SOFT_SCHEDULE": reads(ParseSeed),
}

func reads[T any](parse func(text string) (T, bool)) func(text string) bool {
	return func(text string) bool {
		_, ok := parse(text)
		return ok
	}
}

// readByDrivers are the settings whose wrong values keep the driver from opening. The first call reports them.
var readByDrivers = []string{"MGPU_DRIVER", "MGPU_DEVICE", "MGPU_SOFT_CHIP", "MGPU_SOFT_DEVICES", "MGPU_SOFT_MEMORY", "MGPU_SOFT_TIMEOUT", "MGPU_SOFT_SCHEDULE", "MGPU_CHECK", "MGPU_PROFILE"}

// Removed has the names of former settings, with their replacements.
var Removed = map[string]string{"MGPU_HOSTCALLS": "MGPU_STATS=1 and mgpu inspect name kernels that call the host"}

// removedValues has the former values of settings: see CHANGELOG.md.
var removedValues = map[string][]string{"MGPU_MEM_CACHE": {"stream"}}

// files are the settings whose value is the name of a file.
var files = []string{"MGPU_STATS", "MGPU_TRACE", "MGPU_REPORT"}

// ParseFile reads the name of a file; empty for words that mean no file. Words that only switch something on are not
// accepted as names; use ./on.
func ParseFile(text string) (name string, ok bool) {
	switch strings.ToLower(text) {
	case "", "0", "off":
		return "", true
	case "1", "on", "yes", "true", "no", "false":
		return "", false
	}
	return text, true
}

// ParseSeed reads the seed of random choices; 0 means no random choices.
func ParseSeed(text string) (seed uint64, ok bool) {
	seed, err := strconv.ParseUint(text, 10, 64)
	return seed, err == nil
}

// ParseDevice reads the number of a device.
func ParseDevice(text string) (device int, ok bool) {
	n, err := strconv.ParseUint(text, 10, 31)
	return int(n), err == nil
}

// Limit is a number of bytes, or a share of the free memory.
type Limit struct {
	Bytes uint64
	Share float64 // 0 to 1
}

// ParseLimit reads a limit, as "4GiB" or "50%".
func ParseLimit(text string) (l Limit, ok bool) {
	percent, share := strings.CutSuffix(text, "%")
	if !share {
		l.Bytes, ok = ParseSize(text)
		return l, ok
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(percent), 64)
	if err != nil || !(n >= 0 && n <= 100) {
		return Limit{}, false
	}
	return Limit{Share: n / 100}, true
}

// TraceLimit is the limit of a timeline's records.
type TraceLimit struct {
	Bytes uint64
	Last  bool // the newest events are kept, not the oldest
}

// ParseTraceLimit reads the limit of a timeline, such as "1GiB" or "last:64MiB". Zero is invalid: a timeline has
// records.
func ParseTraceLimit(text string) (l TraceLimit, ok bool) {
	text, l.Last = strings.CutPrefix(text, "last:")
	if l.Bytes, ok = ParseSize(text); !ok || l.Bytes == 0 {
		return TraceLimit{}, false
	}
	return l, true
}

// OnError is the value of MGPU_ON_ERROR.
type OnError struct {
	Abort  bool // the process aborts at the first failure
	Status int  // exit status of the process after a failure; zero: the process's own
}

// ParseOnError reads what to do on an error: "abort", "exit" or "exit:2".
func ParseOnError(text string) (o OnError, ok bool) {
	switch n, exits := strings.CutPrefix(text, "exit:"); {
	case text == "abort":
		return OnError{Abort: true}, true
	case text == "exit":
		return OnError{Status: 1}, true
	case exits:
		if status, err := strconv.ParseUint(n, 10, 8); err == nil && status != 0 {
			return OnError{Status: int(status)}, true
		}
	}
	return OnError{}, false
}

// mostDevices is the highest number of software GPUs.
const mostDevices = 64

// ParseDevices reads the number of software GPUs.
func ParseDevices(text string) (n int, ok bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 1 && n <= mostDevices
}

// ParseTime reads a time in seconds, or in Go's notation.
func ParseTime(text string) (time.Duration, bool) {
	d, err := time.ParseDuration(text)
	if seconds, e := strconv.ParseFloat(text, 64); e == nil && seconds < math.MaxInt32 {
		d, err = time.Duration(seconds*float64(time.Second)), nil
	}
	return d, err == nil && d >= 0
}
