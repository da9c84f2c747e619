package region

import (
	"fmt"
	"math"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// RecordMemcpy records a copy to device memory.
func (r *Regions) RecordMemcpy(id, dst, src uintptr, bytes uint64, stream uintptr) bool {
	return r.inRecording(id, func(rec *recorder) string {
		c := rec.on(Memcpy)
		if bytes == 0 {
			return ""
		}
		to, from, ok, why := rec.access(c, stream, dst, src)
		switch {
		case !ok:
			return why
		case to != driver.DeviceOnly:
			return "a copy to host memory can't be recorded"
		case from == driver.Pageable:
			if src, why = rec.copyFromHost(c, src, bytes); why != "" {
				return why
			}
		case from == driver.Shared:
			c.NoteShared() // each launch reads it
		}
		rec.rec.Copy(driver.Stream(stream), driver.Copy{Dst: driver.Ptr(dst), Src: driver.Ptr(src), Bytes: bytes})
		return ""
	})
}

// access makes a stream part of the recording, and returns the kinds of memory at the addresses that a copy or fill
// accesses. If ok is false, the call has ended: see commands.use.
func (rec *recorder) access(c Calls, stream, dst, src uintptr) (to, from driver.Place, ok bool, why string) {
	if ok, why = rec.commands.use(rec, c, stream); !ok {
		return 0, 0, false, why
	}
	p, ok := c.Driver().(driver.Placer)
	if !ok {
		return 0, 0, false, fmt.Sprintf("the %s driver does not tell what lies at an address", c.Driver().Name())
	}
	to, err := p.PlaceOf(driver.Ptr(dst))
	if err == nil {
		from, err = p.PlaceOf(driver.Ptr(src))
	}
	if err != nil {
		return 0, 0, false, err.Error()
	}
	return to, from, true, ""
}

// RecordMemset records a fill with elements of size bytes.
func (r *Regions) RecordMemset(id, dst uintptr, value, size uint32, count uint64, stream uintptr) bool {
	return r.inRecording(id, func(rec *recorder) string {
		c := rec.on(Memset)
		if count == 0 {
			return ""
		}
		to, _, ok, why := rec.access(c, stream, dst, dst)
		switch {
		case !ok:
			return why
		case to == driver.Pageable:
			return "a fill of host memory can't be recorded"
		case to == driver.Shared && c.GraphTraits().KeepsSharedFillsOut:
			return "a fill of memory that the host shares can't be recorded with this driver"
		case count > math.MaxInt64/4:
			return "a fill of more than memory has"
		case to == driver.Shared:
			c.NoteShared() // each launch writes it
		}
		rec.rec.Fill(driver.Stream(stream), driver.Fill{Dst: driver.Ptr(dst), Value: value, Size: size, Count: count})
		return ""
	})
}
