package main

import (
	"os"
	"os/signal"
	"syscall"
)

var (
	// asInC are the signals that end a C program, and with which Go's runtime does as C does.
	asInC = []syscall.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM}
	// notAsInC are others. Go prints a traceback for SIGQUIT and SIGABRT, and ignores the rest.
	notAsInC = []syscall.Signal{syscall.SIGQUIT, syscall.SIGABRT, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGALRM, syscall.SIGXCPU, syscall.SIGVTALRM}
)

// keepSignals has signals end the command as they end a C program. Signals that were ignored at the start stay ignored,
// also in the program that the command runs. SIGCHLD is handled meanwhile: the command waits for programs.
//
// SIGPIPE and SIGXFSZ keep Go's handlers: a write fails, and SIGPIPE ends a program that writes to its output.
func keepSignals() {
	for _, s := range notAsInC {
		defaultAction(s)
	}
	for s := syscall.Signal(1); s < 32; s++ {
		if s != syscall.SIGCHLD && ignoredAtStart(s) {
			signal.Ignore(s)
		}
	}
}

// notifyOfEnd passes the signals that would end the command to a channel, until signal.Stop.
func notifyOfEnd(sent chan<- os.Signal) {
	for _, signals := range [][]syscall.Signal{asInC, notAsInC} {
		for _, s := range signals {
			if !ignoredAtStart(s) {
				signal.Notify(sent, s)
			}
		}
	}
}
