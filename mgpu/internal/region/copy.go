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
		if ok, why := rec.commands.use(rec, c, stream); !ok {
			return why
		}
		to, from, why := placesOf(c, dst, src)
		switch {
		case why != "":
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

func placesOf(c Calls, dst, src uintptr) (to, from driver.Place, why string) {
	p, ok := c.Driver().(driver.Placer)
	if !ok {
		return 0, 0, fmt.Sprintf("the %s driver does not tell what lies at an address", c.Driver().Name())
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
func (r *Regions) RecordMemset(id, dst uintptr, value, size uint32, count uint64, stream uintptr) bool {
	return r.inRecording(id, func(rec *recorder) string {
		c := rec.on(Memset)
		if count == 0 {
			return ""
		}
		if ok, why := rec.commands.use(rec, c, stream); !ok {
			return why
		}
		to, _, why := placesOf(c, dst, dst)
		switch {
		case why != "":
			return why
		case to == driver.Pageable:
			return "a fill of host memory can't be recorded"
		case count > math.MaxInt64/4:
			return "a fill of more than memory has"
		case to == driver.Shared:
			c.NoteShared() // each launch writes it
		}
		rec.rec.Fill(driver.Stream(stream), driver.Fill{Dst: driver.Ptr(dst), Value: value, Size: size, Count: count})
		return ""
	})
}
