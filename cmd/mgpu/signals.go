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
	// ofWrites end a C program that writes. In Go the write fails; SIGPIPE ends a program that writes to its output.
	ofWrites = []syscall.Signal{syscall.SIGPIPE, syscall.SIGXFSZ}
)

// keepSignals has signals end the command as they end a C program. Signals that were ignored at the start stay ignored,
// also in the program that the command runs.
func keepSignals() {
	for _, s := range notAsInC {
		defaultAction(s)
	}
	for _, signals := range [][]syscall.Signal{asInC, notAsInC, ofWrites} {
		for _, s := range signals {
			if ignoredAtStart(s) {
				signal.Ignore(s)
			}
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
