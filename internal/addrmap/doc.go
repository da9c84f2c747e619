// Package addrmap maps addresses and handles (drivers' handles are addresses) to values, with lookups that take no
// lock.
//
// A lookup is a multiplication, a probe and a comparison. It never waits, allocates or writes to memory that another
// core reads. Changes take a mutex and should be rare. A stored value never moves, so the pointer that a lookup returns
// stays valid whatever is changed in the map; the value may have been deleted from the map meanwhile.
package addrmap
