package hip_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/mgpu-runtime/mgpu/internal/drivertest"
	"github.com/mgpu-runtime/mgpu/internal/hip"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// TestConformance runs the suite on the machine's AMD GPU; test/fakehip runs it over a
// HIP library without one.
func TestConformance(t *testing.T) {
	d, err := hip.Open("", nil)
	if err != nil {
		t.Skipf("no HIP device: %v", err)
	}
	chip := chip(t)
	drivertest.Run(t, func(t *testing.T) (driver.Driver, drivertest.Images) { return d, drivertest.BuildAMD(t, chip) },
		drivertest.Unsupported("garbage", "HIP follows every handle and pointer from release 7 on"),
		drivertest.Unsupported("fault", "after a stray access HIP ends the process"),
	)
}

var version = regexp.MustCompile(`(?m)^gfx_target_version ([1-9]\d*)$`)

// chip is the first GPU of the kernel driver's list, as compilers call it.
func chip(t *testing.T) string {
	nodes, _ := filepath.Glob("/sys/class/kfd/kfd/topology/nodes/*/properties")
	for _, n := range nodes {
		text, _ := os.ReadFile(n)
		if m := version.FindSubmatch(text); m != nil {
			v, _ := strconv.Atoi(string(m[1]))
			return fmt.Sprintf("gfx%d%d%x", v/10000, v/100%100, v%100)
		}
	}
	t.Skip("the kernel driver lists no AMD GPU: its chip is not known")
	return ""
}
