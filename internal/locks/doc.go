// Package locks states the order in which the library takes its locks. In builds with the tag invariants, a lock that
// is taken against the order ends the test. In other builds a Mutex is a sync.Mutex.
//
// A thread that holds a lock takes no lock whose class comes earlier in the list below, and none of the same class. It
// makes driver calls only if the list allows that: a driver call may take long, and may wait for a thread that needs
// the lock.
//
// Three cases are not in the list. The driver is opened once, before any lock of the list is taken.
// copyAddresses.asking (mgpu) is also locked by C, which makes driver calls meanwhile and takes no other lock. C's
// table of blocks (internal/fastpath/alloc.c) comes last.
package locks

// order is the order in which locks are taken. Each class has a description of what its locks guard.
var order = [...]class{
	{Timeline{}, alone, "the beginning and the end of a timeline (package main)"},
	{StatisticsFile{}, alone, "the file of statistics so far (package main)"},
	{ResetNotice{}, acrossCalls, "what is forgotten of a device that the program has reset (mgpu)"},
	{Recording{}, acrossCalls, "a region's recorder (mgpu/internal/region)"},
	{Graph{}, acrossCalls, "a region's graph (mgpu/internal/region)"},
	{Graphs{}, alone, "which region has which graph (mgpu/internal/region)"},
	{Events{}, acrossCalls, "events that time work (mgpu)"},
	{Canaries{}, acrossCalls, "the canaries of devices, and the graphs of one launch (mgpu)"},
	{FollowEvent{}, acrossCalls, "the event on a stream that later submissions of a thread that freed wait for (mgpu)"},
	{FollowEvents{}, alone, "follow events by stream (mgpu)"},
	{Kernels{}, alone, "counts by kernel (mgpu)"},
	{Counters{}, alone, "counts by reason (mgpu, modulecache)"},
	{Checkpoints{}, alone, "events recorded on busy streams (mgpu)"},
	{PlainScratch{}, alone, "scratch buffers without a cache (mgpu)"},
	{HostUses{}, alone, "how kernels use the host (mgpu)"},
	{Submissions{}, alone, "submissions whose driver calls C makes (mgpu)"},
	{Cascade{}, alone, "failures after a failure (mgpu)"},
	{Ledger{}, alone, "what the program has not given back (mgpu)"},
	{Gate{}, alone, "verdicts on one-node graphs (launchgraph)"},
	{Copies{}, alone, "a module on other devices (modulecache)"},
	{Contents{}, alone, "contents by identity (modulecache)"},
	{Functions{}, alone, "functions of a module (modulecache)"},
	{Chunks{}, alone, "memory for copies of small images (modulecache)"},
	{Scopes{}, alone, "scopes by handle (alloccache)"},
	{Scratch{}, alone, "scratch buffers (alloccache)"},
	{Scope{}, alone, "blocks of a scope (alloccache)"},
	{Blocks{}, alone, "all blocks (alloccache)"},
	{Bins{}, alone, "free blocks of a device (alloccache)"},
	{Captured{}, alone, "events that captures have (streampool)"},
	{Lost{}, alone, "entries that were forgotten (streampool)"},
	{Draining{}, alone, "a queue of draining entries (streampool)"},
	{Directory{}, alone, "entries by number (streampool)"},
	{Roster{}, alone, "places of streams (streampool)"},
	{Retired{}, alone, "addresses of destroyed objects (internal/addrmap)"},
	{Addresses{}, alone, "objects by address (internal/addrmap)"},
	{Texts{}, alone, "texts of a timeline (internal/trace)"},
	{Records{}, alone, "records of some threads (internal/trace)"},
	{Files{}, alone, "where timelines are mapped (internal/trace)"},
}

// class is a row of the order.
type class struct {
	is     any
	calls  driverCalls
	guards string
}

// driverCalls says whether driver calls are made while the lock is held.
type driverCalls bool

const (
	acrossCalls driverCalls = true
	alone       driverCalls = false
)

// Classes of locks.
type (
	Timeline       struct{}
	StatisticsFile struct{}
	ResetNotice    struct{}
	Recording      struct{}
	Graph          struct{}
	Graphs         struct{}
	Events         struct{}
	Canaries       struct{}
	FollowEvent    struct{}
	FollowEvents   struct{}
	Kernels        struct{}
	Counters       struct{}
	Checkpoints    struct{}
	PlainScratch   struct{}
	HostUses       struct{}
	Submissions    struct{}
	Cascade        struct{}
	Ledger         struct{}
	Gate           struct{}
	Copies         struct{}
	Contents       struct{}
	Functions      struct{}
	Chunks         struct{}
	Scopes         struct{}
	Scratch        struct{}
	Scope          struct{}
	Blocks         struct{}
	Bins           struct{}
	Captured       struct{}
	Lost           struct{}
	Draining       struct{}
	Directory      struct{}
	Roster         struct{}
	Retired        struct{}
	Addresses      struct{}
	Texts          struct{}
	Records        struct{}
	Files          struct{}
)
