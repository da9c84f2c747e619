package invariants

import (
	"fmt"
	"io"
	"os"
)

// Kind is the way in which an object is held.
type Kind uint32

// Kinds.
const (
	Pin        Kind = iota + 1 // the object is not destroyed
	Block                      // a block between two states
	Submission                 // a driver call in progress
)

func (k Kind) String() string {
	return [...]string{Pin: "pin", Block: "block", Submission: "submission"}[k]
}

// Run runs a package's tests, and fails if a hold has not ended. Call it in TestMain.
func Run(m interface{ Run() int }) (status int) { return report(os.Stderr, m.Run()) }

func report(to io.Writer, status int) int {
	for _, line := range Left() {
		fmt.Fprintln(to, "left: "+line)
		status = max(status, 1)
	}
	return status
}
