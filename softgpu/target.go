package softgpu

import (
	"fmt"
	"strings"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// features are the target features that chips have.
var features = map[encoding.Chip][]string{
	encoding.Gfx900: {"xnack"},
	encoding.Gfx906: {"sramecc", "xnack"},
	encoding.Gfx908: {"sramecc", "xnack"},
	encoding.Gfx90a: {"sramecc", "xnack"},
	encoding.Gfx942: {"sramecc", "xnack"},
	encoding.Gfx950: {"sramecc", "xnack"},
	// RDNA has none.
}

// parseTarget reads a target ID, such as "gfx90a:sramecc+:xnack-". A feature that it does not mention may be on or off
// in code that is loaded.
func parseTarget(s string) (encoding.Chip, codeobj.Target, error) {
	name, settings, more := strings.Cut(s, ":")
	chip, err := encoding.ParseChip(name)
	if err != nil {
		return 0, codeobj.Target{}, err
	}
	for more {
		var one string
		one, settings, more = strings.Cut(settings, ":")
		if !settable(chip, one) {
			return 0, codeobj.Target{}, noFeature(chip, one)
		}
	}
	return chip, codeobj.ParseTarget(s), nil
}

func noFeature(chip encoding.Chip, s string) error {
	if len(features[chip]) == 0 {
		return fmt.Errorf("unknown feature %q; %s has none", s, chip)
	}
	return fmt.Errorf("unknown feature %q; %s has %s, each followed by + or -", s, chip, strings.Join(features[chip], " and "))
}

// KnowsChip returns an error if the software GPU can't be a target such as "gfx90a:xnack-".
func KnowsChip(target string) error {
	_, _, err := parseTarget(target)
	return err
}

// settable reports whether s is a feature of the chip, with a sign.
func settable(chip encoding.Chip, s string) bool {
	for _, f := range features[chip] {
		if s == f+"+" || s == f+"-" {
			return true
		}
	}
	return false
}
