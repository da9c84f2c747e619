package mgpu

import (
	"fmt"
	"math"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// RecordMemcpy records a copy to device memory.
func (r *Runtime) RecordMemcpy(id, dst, src uintptr, bytes uint64, stream uintptr) bool {
	return r.inRecording(id, func(rec *recorder) string {
		f := rec.frameFor(memcpy)
		if bytes == 0 {
			return ""
		}
		if ok, why := rec.useStream(f, stream); !ok {
			return why
		}
		to, from, why := f.placesOf(dst, src)
		switch {
		case why != "":
			return why
		case to != driver.DeviceOnly:
			return "a copy to host memory can't be recorded"
		case from == driver.Pageable:
			if src, why = rec.copyFromHost(f, src, bytes); why != "" {
				return why
			}
		case from == driver.Shared:
			f.k.noteShared() // each launch reads it
		}
		rec.rec.Copy(driver.Stream(stream), driver.Copy{Dst: driver.Ptr(dst), Src: driver.Ptr(src), Bytes: bytes})
		return ""
	})
}

func (f *frame) placesOf(dst, src uintptr) (to, from driver.Place, why string) {
	p, ok := f.k.drv.(driver.Placer)
	if !ok {
		return 0, 0, fmt.Sprintf("the %s driver does not tell what lies at an address", f.k.drv.Name())
	}
	to, err := p.PlaceOf(driver.Ptr(dst))
	if err == nil {
		from, err = p.PlaceOf(driver.Ptr(src))
	}
	if err != nil {
		return 0, 0, err.Error()
	}
	return to, from, ""
}

// RecordMemset records a fill with elements of size bytes.
func (r *Runtime) RecordMemset(id, dst uintptr, value, size uint32, count uint64, stream uintptr) bool {
	return r.inRecording(id, func(rec *recorder) string {
		f := rec.frameFor(memset32)
		if count == 0 {
			return ""
		}
		if ok, why := rec.useStream(f, stream); !ok {
			return why
		}
		to, _, why := f.placesOf(dst, dst)
		switch {
		case why != "":
			return why
		case to == driver.Pageable:
			return "a fill of host memory can't be recorded"
		case count > math.MaxInt64/4:
			return "a fill of more than memory has"
		case to == driver.Shared:
			f.k.noteShared() // each launch writes it
		}
		rec.rec.Fill(driver.Stream(stream), driver.Fill{Dst: driver.Ptr(dst), Value: value, Size: size, Count: count})
		return ""
	})
}
