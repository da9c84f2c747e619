package modulecache

import (
	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/internal/hostmem"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

//go:generate go tool mockgen -source=config.go -destination=mock_test.go -package=modulecache

// Driver is the part of a driver that the cache calls. It loads on the calling thread's
// current device, which has to be the device given to Load.
type Driver interface {
	ModuleLoad(image []byte) (driver.Module, error)
	ModuleLoadPrepared(driver.PreparedModule) (driver.Module, error)
	ModuleUnload(driver.Module) error
	ModuleGetFunction(m driver.Module, name string) (driver.Function, error)
}

// JITDriver is a Driver that compiles text.
type JITDriver interface {
	Driver
	ModuleLoadJIT(source []byte, opt int) (driver.Module, error)
}

// Config says how images are read and how many are cached; zero fields mean the
// defaults.
type Config struct {
	// Bytes limits the images of modules without references: 256 MiB. Negative: such
	// modules are unloaded at once.
	Bytes int64

	// Modules limits how many unused modules stay loaded: each has tables here and in the
	// driver, however short its image is. Default: 4096.
	Modules int

	// Holds reports whether the memory at addr holds image, a copy of the cache's. known is
	// false where it can't tell, and Read decides. Nil: it never can.
	Holds func(addr uintptr, image []byte) (same, known bool)

	// Has asks the driver whether it still has a module; kernel is the name of a kernel of it,
	// empty if none is known. Nil: nobody but the cache unloads modules of the cache.
	Has func(m driver.Module, kernel string) bool

	// Lost is told of a shared module that is not the driver's any more, or whose handle is
	// another one's now: what was noted for it is void. It reports whether a thread may be
	// comparing with the image of the module right now. Nil: nobody notes anything.
	Lost func(driver.Module) (comparing bool)

	// Read copies memory of this process and fails where there is none. Nil: hostmem.Read.
	Read func(dst []byte, addr uintptr) error

	// Extent tells an image's kind and its length in bytes, a text's NUL
	// included, from its own headers; read copies from an offset of the image.
	// Nil: codeobj's.
	Extent func(read func(dst []byte, offset uint64) error) (kind codeobj.Kind, length uint64, err error)

	// Unshareable says why two loads of the image must not give the same module;
	// empty: they may. Nil: codeobj's.
	Unshareable func(kind codeobj.Kind, image []byte) string

	// Prepare has the driver read an image before its first load, and say what Unshareable
	// would. Nil: the driver can't.
	Prepare func(image []byte) driver.PreparedModule
}

// withDefaults fills in what is zero.
func (cfg Config) withDefaults() Config {
	if cfg.Bytes == 0 {
		cfg.Bytes = defaultBytes
	}
	if cfg.Modules == 0 {
		cfg.Modules = 4096
	}
	if cfg.Holds == nil {
		cfg.Holds = func(uintptr, []byte) (same, known bool) { return false, false }
	}
	if cfg.Lost == nil {
		cfg.Lost = func(driver.Module) bool { return false }
	}
	if cfg.Read == nil {
		cfg.Read = hostmem.Read
	}
	if cfg.Extent == nil {
		cfg.Extent = codeobj.Extent
	}
	if cfg.Unshareable == nil {
		cfg.Unshareable = codeobj.Unshareable
	}
	return cfg
}

const defaultBytes = 256 << 20

// Result is the result of a call.
type Result uint8

// Results.
const (
	Failed      Result = iota // the error says why
	Miss                      // loaded or resolved by the driver
	HitVerified               // known address, bytes compared
	HitContent                // new address, known content, bytes compared
	Hit                       // Function: known name
	Refused                   // sharing refused: loaded or unloaded by the driver
	StaysLoaded               // Unload: the module stays loaded, referenced or cached
	Evicted                   // Unload: it, or others, really unloaded to keep the byte limit
	PassedOn                  // not a module of the cache: the driver's business
	WasStale                  // unloaded before; nothing was done
)

var resultNames = [...]string{
	Failed: "failed", Miss: "miss", HitVerified: "verified hit", HitContent: "content hit",
	Hit: "hit", Refused: "refused", StaysLoaded: "stays loaded", Evicted: "evicted", PassedOn: "passed on", WasStale: "stale",
}

func (r Result) String() string { return resultNames[r] }

// Outcome is a Result and, where sharing is refused, the reason.
type Outcome struct {
	Result Result
	Reason string

	// Image is the cache's copy of the image that a HitVerified found at the address. It
	// stays in place as long as the reference.
	Image []byte
}

// Saved reports whether the call was answered without the driver.
func (o Outcome) Saved() bool {
	switch o.Result {
	case HitVerified, HitContent, Hit, StaysLoaded:
		return true
	}
	return false
}
