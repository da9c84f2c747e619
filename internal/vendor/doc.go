// Package vendor is what drivers over a vendor's library do alike: they open the
// first library that will do, count its devices, and make errors of statuses. What
// is a vendor's own is in an [API].
//
// A [Library] is immutable once it is open; it holds no lock.
package vendor
