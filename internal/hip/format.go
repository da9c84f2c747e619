package hip

// formats are the versions of code objects that releases of HIP were seen to load at most,
// by the first version of HIP that loads more.
var formats = []struct{ before, most int }{{50300000, 4}, {60000000, 5}}

// NewestFormat is the highest version of code objects that a release of HIP loads, 0 if none
// is known that it refuses.
func NewestFormat(major, minor int) int {
	for _, f := range formats {
		if version := major*1e7 + minor*1e5; version > 0 && version < f.before {
			return f.most
		}
	}
	return 0
}
