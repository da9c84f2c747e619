package drivertest

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Option changes what the suite expects of a driver.
type Option func(*expectations)

type expectations struct {
	unsupported map[string]string
	failing     map[string]string
}

// Unsupported excludes a test, or a group of tests by its name, that the driver does not support.
func Unsupported(test, reason string) Option {
	return func(e *expectations) { e.unsupported[test] = reason }
}

// ExpectFailure says that the driver is known to fail a test, and why. The suite fails if the test passes.
func ExpectFailure(test, reason string) Option {
	return func(e *expectations) { e.failing[test] = reason }
}

// conformance is one test.
type conformance struct {
	name string // "group/what is true"
	run  func(x *exam)
}

var groups = [][]conformance{deviceTests, streamTests, eventTests, memoryTests, moduleTests, launchTests, graphTests, garbageTests, faultTests}

// Run runs every test on the driver that open returns, as subtests of t.
func Run(t *testing.T, open func(t *testing.T) (driver.Driver, Images), opts ...Option) {
	e := expectations{map[string]string{}, map[string]string{}}
	for _, o := range opts {
		o(&e)
	}
	e.checkNames(t)
	d, images := open(t)
	for _, group := range groups {
		for _, c := range group {
			t.Run(c.name, func(t *testing.T) {
				if reason, ok := e.unsupportedReason(c.name); ok {
					t.Skip("unsupported: " + reason)
				}
				skip, failures := e.judge(c.name, runOne(d, images, c))
				for _, f := range failures {
					t.Error(f)
				}
				if skip != "" {
					t.Skip(skip)
				}
			})
		}
	}
}

// judge returns which failures of a test count, and why the test is shown as skipped; empty: it is not.
func (e *expectations) judge(name string, failures []string) (skip string, counted []string) {
	reason, expected := e.failing[name]
	switch {
	case !expected:
		return "", failures
	case len(failures) == 0:
		return "", []string{"passes, but is expected to fail: " + reason}
	}
	return fmt.Sprintf("expected failure (%s): %s", reason, failures[0]), nil
}

func (e *expectations) unsupportedReason(name string) (string, bool) {
	group, _, _ := strings.Cut(name, "/")
	if reason, ok := e.unsupported[group]; ok {
		return reason, true
	}
	reason, ok := e.unsupported[name]
	return reason, ok
}

// checkNames fails if an option names no test.
func (e *expectations) checkNames(t *testing.T) {
	known := map[string]bool{}
	for _, group := range groups {
		for _, c := range group {
			name, _, _ := strings.Cut(c.name, "/")
			known[name], known[c.name] = true, true
		}
	}
	for _, list := range []map[string]string{e.unsupported, e.failing} {
		for name, reason := range list {
			if !known[name] {
				t.Errorf("there is no test %q", name)
			}
			if reason == "" {
				t.Errorf("no reason is given for %q", name)
			}
		}
	}
}

// runOne runs one test and returns its failures. Only here a stopped test is caught.
func runOne(d driver.Driver, images Images, c conformance) (failures []string) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	x := &exam{d: d, images: images}
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(stopped); !ok {
				panic(r)
			}
		}
		x.cleanUp()
		failures = x.failures
	}()
	x.ok(d.SetDevice(0), "SetDevice(0)")
	c.run(x)
	return nil
}

// exam is a test in progress.
type exam struct {
	d        driver.Driver
	images   Images
	failures []string
	cleanups []func()
}

// stopped is the panic that ends a test that can't continue.
type stopped struct{}

func (x *exam) errorf(format string, args ...any) {
	where := ""
	for skip := 2; skip < 8; skip++ {
		if _, file, line, ok := runtime.Caller(skip - 1); ok && !strings.HasSuffix(file, "suite.go") && !strings.HasSuffix(file, "exam.go") {
			where = fmt.Sprintf("%s:%d: ", file[strings.LastIndexByte(file, '/')+1:], line)
			break
		}
	}
	x.failures = append(x.failures, where+fmt.Sprintf(format, args...))
}

func (x *exam) fatalf(format string, args ...any) {
	x.errorf(format, args...)
	panic(stopped{})
}

func (x *exam) after(f func()) { x.cleanups = append(x.cleanups, f) }

func (x *exam) cleanUp() {
	for i := len(x.cleanups) - 1; i >= 0; i-- {
		x.cleanups[i]()
	}
}
