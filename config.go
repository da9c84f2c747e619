package main

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/internal/fastpath"
	"github.com/mgpu-runtime/mgpu/internal/guest"
	"github.com/mgpu-runtime/mgpu/internal/launcher"
	"github.com/mgpu-runtime/mgpu/internal/process"
	"github.com/mgpu-runtime/mgpu/internal/soft"
	"github.com/mgpu-runtime/mgpu/mgpu"
)

// configure reads the environment, with C's getenv: the Go runtime's own copy
// misses what the program has set by itself. What each variable means stands in
// internal/settings.
func configure() (mgpu.Config, fastpath.Path) {
	c := mgpu.Config{
		Drivers: inOrder(drivers, loadedAs()),
		Driver:  process.Getenv("MGPU_DRIVER"),
		NoCache: process.Getenv("MGPU_CACHE") == "off",
		Device:  func(devices int) (int, string, error) { return launcher.Device(process.Getenv, devices) },
		Timing:  process.Getenv("MGPU_STATS") == "1",
		Memory: mgpu.MemoryConfig{
			Level: process.Getenv("MGPU_MEM_CACHE"),
			Limit: process.Getenv("MGPU_MEM_LIMIT"),
			Fill:  process.Getenv("MGPU_MEM_FILL"),
			Copy:  process.Getenv("MGPU_COPY"),
		},
		Stderr:  process.StandardError{},
		Failed:  guest.Failed,
		Process: process.Host{},
		Direct:  process.Getenv("MGPU_DIRECT") != "off",
		Abort:   onError(),
	}
	switch asked, err := soft.AsksForChecks(process.Getenv("MGPU_CHECK")); {
	case !asked && err == nil:
	case c.Driver == "":
		c.Driver = "soft"
	case c.Driver != "soft":
		_, _ = fmt.Fprintf(process.StandardError{}, "mgpu: MGPU_CHECK=%s is ignored: with MGPU_DRIVER=%s nothing is checked; the software GPU checks (MGPU_DRIVER=soft, or none)\n",
			process.Getenv("MGPU_CHECK"), c.Driver)
	}
	var err error
	if c.Hostcalls, err = mgpu.ParseHostcalls(process.Getenv("MGPU_HOSTCALLS")); err != nil {
		_, _ = fmt.Fprintf(process.StandardError{}, "mgpu: %v\n", err)
	}
	c.Graphs, c.GraphsOff = graphMode()
	p := fastpath.Path{GraphsAlways: c.Graphs == mgpu.GraphAlways, Timed: c.Timing, Lookups: !c.NoCache}
	c.FastPath = p
	return c, p
}
