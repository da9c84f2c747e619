package main

// #include "answer.h"
import "C"

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/mgpu"
)

// configure reads the environment, with C's getenv: the Go runtime's own copy
// misses what the program has set by itself. What each variable means stands in
// internal/settings.
func configure() mgpu.Config {
	c := mgpu.Config{
		Drivers: inOrder(drivers, loadedAs()),
		Driver:  environment("MGPU_DRIVER"),
		NoCache: environment("MGPU_CACHE") == "off",
		Timing:  environment("MGPU_STATS") == "1",
		Memory: mgpu.MemoryConfig{
			Level: environment("MGPU_MEM_CACHE"),
			Limit: environment("MGPU_MEM_LIMIT"),
			Fill:  environment("MGPU_MEM_FILL"),
			Copy:  environment("MGPU_COPY"),
		},
		Stderr:  standardError{},
		Process: host{},
		Direct:  environment("MGPU_DIRECT") != "off",
		Abort:   onError(),
	}
	if check := environment("MGPU_CHECK"); c.Driver == "" && check != "" && check != "off" {
		c.Driver = "soft"
	}
	var err error
	if c.Hostcalls, err = mgpu.ParseHostcalls(environment("MGPU_HOSTCALLS")); err != nil {
		_, _ = fmt.Fprintf(standardError{}, "mgpu: %v\n", err)
	}
	c.Graphs, c.GraphsOff = graphMode()
	c.FastPath = fastPath{graphsAlways: c.Graphs == mgpu.GraphAlways, timed: c.Timing}
	C.answer_enable(C.bool(!c.NoCache))
	return c
}
