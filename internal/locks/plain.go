//go:build !invariants

package locks

import "sync"

// Mutex is a mutex of a class.
type Mutex[Class any] struct{ sync.Mutex }

// AssertHeld ends a test if the caller does not hold the mutex.
func (*Mutex[Class]) AssertHeld() {}

// RWMutex is a sync.RWMutex of a class.
type RWMutex[Class any] struct{ sync.RWMutex }

// CallsDriver ends a test if the caller holds a lock that is not held across driver calls.
func CallsDriver() {}
