package settings

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// forms are what values in <> are read by, of settings where not everything is one.
var forms = map[string]func(text string) error{
	"MGPU_DEVICE": func(text string) error {
		_, err := strconv.ParseUint(text, 10, 31)
		return err
	},
	"MGPU_MEM_LIMIT": func(text string) error {
		_, _, err := ParseLimit(text)
		return err
	},
	"MGPU_TRACE_LIMIT": func(text string) error {
		_, _, err := ParseTraceLimit(text)
		return err
	},
	"MGPU_SOFT_DEVICES": func(text string) error {
		_, err := ParseDevices(text)
		return err
	},
	"MGPU_SOFT_MEMORY": func(text string) error {
		_, err := ParseSize(text)
		return err
	},
	"MGPU_SOFT_TIMEOUT": func(text string) error {
		_, err := ParseTime(text)
		return err
	},
}

// readByDrivers are the settings whose wrong values the first call tells, as its driver can't
// be opened.
var readByDrivers = []string{"MGPU_DRIVER", "MGPU_DEVICE", "MGPU_SOFT_DEVICES", "MGPU_SOFT_MEMORY", "MGPU_SOFT_TIMEOUT"}

// ParseLimit reads a number of bytes, or a share of the free memory, as "50%".
func ParseLimit(text string) (bytes uint64, share float64, err error) {
	if percent, ok := strings.CutSuffix(text, "%"); ok {
		if n, err := strconv.ParseFloat(strings.TrimSpace(percent), 64); err == nil && n >= 0 && n <= 100 {
			return 0, n / 100, nil
		}
	} else if bytes, err := ParseSize(text); err == nil {
		return bytes, 0, nil
	}
	return 0, 0, fmt.Errorf("%s is no size (4GiB) and no share (50%%)", text)
}

// ParseTraceLimit reads the size of a timeline. last: the newest events are kept.
func ParseTraceLimit(text string) (bytes uint64, last bool, err error) {
	text, last = strings.CutPrefix(text, "last:")
	if bytes, err = ParseSize(text); err != nil {
		return 0, false, err
	}
	return bytes, last, nil
}

// mostDevices is how many software GPUs there may be.
const mostDevices = 64

// ParseDevices reads how many software GPUs there are; 1 for an empty text.
func ParseDevices(text string) (int, error) {
	if text == "" {
		return 1, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > mostDevices {
		return 0, fmt.Errorf("MGPU_SOFT_DEVICES=%s is not a number from 1 to %d", text, mostDevices)
	}
	return n, nil
}

// ParseTime reads a time, in seconds or as Go writes it.
func ParseTime(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if seconds, e := strconv.ParseFloat(text, 64); e == nil && seconds < math.MaxInt32 {
		d, err = time.Duration(seconds*float64(time.Second)), nil
	}
	if err != nil || d < 0 {
		return 0, fmt.Errorf("%s is no time: seconds, or as 1m30s", text)
	}
	return d, nil
}
