package policy

import (
	"log"
	"os"
	"testing"
)

// The tests read the repository from its root.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		log.Fatal(err)
	}
	os.Exit(m.Run())
}
