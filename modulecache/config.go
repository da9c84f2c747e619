package modulecache

import (
	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/internal/hostmem"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

//go:generate go tool mockgen -source=config.go -destination=mock_test.go -package=modulecache

// Driver is the part of a driver that the cache calls. It loads on the calling thread's current device, which has to be
// the device given to Load.
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

// Config says how images are read and how many modules are cached. Zero fields mean the defaults.
type Config struct {
	// Bytes limits the size of the images of modules without references. Default: 256 MiB. Negative: such modules are
	// unloaded at once.
	Bytes int64

	// Modules limits how many unused modules stay loaded, since each has tables in the cache and in the driver, however
	// small its image is. Default: 4096.
	Modules int

	// Holds reports whether the memory at addr has the bytes of image, which is the cache's copy. If it can't tell,
	// known is false, and the cache reads the memory. Nil: it never can.
	Holds func(addr uintptr, image []byte) (same, known bool)

	// Has asks the driver whether a module of a device is still loaded. kernel is the name of one of its kernels, empty
	// if none is known. Nil: only the cache unloads its modules.
	Has func(m driver.Module, kernel string, device int) bool

	// Take takes the reference to a module from a thread that only keeps it for the program's next load. It returns
	// false if no thread does. Nil: none ever does.
	Take func(driver.Module) bool

	// Lost is called with a shared module that is no longer loaded, or whose handle belongs to another module now. All
	// that the caller has noted for the handle is invalid. Lost reports whether a thread may be comparing memory with
	// the module's image at this moment. Nil: nothing is noted.
	Lost func(driver.Module) (comparing bool)

	// Read copies memory of this process. It fails if the memory is not readable. Nil: hostmem.Read.
	Read func(dst []byte, addr uintptr) error

	// Extent returns an image's kind and its length in bytes, including the NUL of a text, from the image's own
	// headers. read copies from an offset of the image. Nil: the function of internal/codeobj.
	Extent func(read func(dst []byte, offset uint64) error) (kind codeobj.Kind, length uint64, err error)

	// Traits returns why two loads of the image must not give the same module, if they must not, and what look-ups in
	// the module need to know. Nil: the function of internal/codeobj.
	Traits func(kind codeobj.Kind, image []byte) codeobj.Traits

	// Prepare has the driver read an image before its first load, and say what Traits would. Nil: the driver can't.
	Prepare func(image []byte) driver.PreparedModule
}

// withDefaults fills in the fields that are zero.
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
	if cfg.Take == nil {
		cfg.Take = func(driver.Module) bool { return false }
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
	if cfg.Traits == nil {
		cfg.Traits = codeobj.TraitsOf
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
	HitVerified               // known address: bytes compared
	HitContent                // new address, known content: bytes compared
	Hit                       // Function: the name was known
	Refused                   // not shared: loaded or unloaded by the driver
	StaysLoaded               // Unload: the module stays loaded, with references or cached
	Evicted                   // Unload: this module, or others, were unloaded to keep the limits
	PassedOn                  // not a module of the cache: passed to the driver
	WasStale                  // unloaded before: nothing was done
)

var resultNames = [...]string{
	Failed: "failed", Miss: "miss", HitVerified: "verified hit", HitContent: "content hit",
	Hit: "hit", Refused: "refused", StaysLoaded: "stays loaded", Evicted: "evicted", PassedOn: "passed on", WasStale: "stale",
}

func (r Result) String() string { return resultNames[r] }

// Outcome is a Result with, if sharing is refused, the reason.
type Outcome struct {
	Result Result
	Reason string

	// Image is, after HitVerified, the cache's copy of the image at the address. It stays in place as long as the
	// reference.
	Image []byte
}

// Saved reports whether the call made no driver call.
func (o Outcome) Saved() bool {
	switch o.Result {
	case HitVerified, HitContent, Hit, StaysLoaded:
		return true
	}
	return false
}
