package process

// static __thread int chosen __attribute__((tls_model("initial-exec")));
//
// static int chosen_load(void) { return chosen; }
// static void chosen_store(int device) { chosen = device; }
//
// #cgo nocallback chosen_load
// #cgo noescape chosen_load
// #cgo nocallback chosen_store
// #cgo noescape chosen_store
import "C"

// Device is the software GPU that is the calling thread's current device. It is thread-local in C, so that it ends with
// the thread, unlike a table by thread IDs.
type Device struct{}

func (Device) Load() int        { return int(C.chosen_load()) }
func (Device) Store(device int) { C.chosen_store(C.int(device)) }
