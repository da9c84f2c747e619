package rows

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// llvmmc is LLVM's disassembler, the authority on text and size.
const llvmmc = "llvm-mc-22"

// pair is two words that follow each other; the first starts an instruction. With
// scales, two other words stand before them, and start one of 16 bytes.
type pair struct {
	lo, hi uint32
	scales *[2]uint32
	third  *uint32 // of RDNA
}

func (p pair) words() []uint32 {
	if p.scales != nil {
		return []uint32{p.scales[0], p.scales[1], p.lo, p.hi}
	}
	if p.third != nil {
		return []uint32{p.lo, p.hi, *p.third}
	}
	return []uint32{p.lo, p.hi}
}

// verdict is what LLVM says about a pair. A literal or a second word comes from hi.
type verdict struct {
	text    string // empty: refused
	size    int    // 4, 8, 12 or 16
	crashed bool   // the tool itself died, as it does on some reserved fields
}

// Words that end each pair's record. The first may be taken for the second
// word of an instruction that starts at pair.hi; no field of it is reserved.
const (
	guard     = 0x7e240313 // v_mov_b32_e32 v18, v19
	terminate = 0x7e280315 // v_mov_b32_e32 v20, v21
)

const (
	guardText     = "v_mov_b32_e32 v18, v19"
	terminateText = "v_mov_b32_e32 v20, v21"
)

var errCrash = errors.New(llvmmc + " died")

// findLLVM skips the test where there is no disassembler.
func findLLVM(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath(llvmmc); err != nil {
		t.Skipf("%s is not installed: nothing to compare with", llvmmc)
	}
}

// askLLVM returns a verdict for each pair. Pairs that kill the tool are found by bisection.
func askLLVM(t testing.TB, chip encoding.Chip, pairs []pair) []verdict {
	t.Helper()
	v, err := runLLVM(chip, pairs)
	switch {
	case err == nil:
		return v
	case !errors.Is(err, errCrash):
		t.Fatal(err)
	case len(pairs) == 1:
		return []verdict{{crashed: true}}
	}
	half := len(pairs) / 2
	return append(askLLVM(t, chip, pairs[:half]), askLLVM(t, chip, pairs[half:])...)
}

func runLLVM(chip encoding.Chip, pairs []pair) ([]verdict, error) {
	var in, out, stderr bytes.Buffer
	starts := make([]int, 0, len(pairs)+1)
	ends := []uint32{guard, terminate}
	args := []string{"--disassemble", "--triple=amdgcn", "-mcpu=" + chip.String()}
	if chip.RDNA() {
		// What follows an instruction may have 20 bytes, an image instruction of GFX10, and its
		// encoding tells its size: no field of RDNA's instructions is ignored, as many of GFX9's are.
		ends = []uint32{guard, guard, guard, guard, guard, terminate}
		args = append(args, "--show-encoding")
		var features []string
		if !chip.IsWave32() {
			features = append(features, "+wavefrontsize64")
		}
		if chip.Set() >= encoding.GFX12 {
			features = append(features, "+real-true16") // halves of registers, which the chip has, are named
		}
		args = append(args, "-mattr="+strings.Join(features, ","))
	}
	line := 0
	for _, p := range pairs {
		starts = append(starts, line)
		for _, w := range append(p.words(), ends...) {
			line++
			fmt.Fprintf(&in, "0x%02x,0x%02x,0x%02x,0x%02x\n", w&0xff, w>>8&0xff, w>>16&0xff, w>>24)
		}
	}
	cmd := exec.Command(llvmmc, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, &stderr
	if err := cmd.Run(); err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) && (exit.ExitCode() < 0 || strings.Contains(stderr.String(), "Stack dump")) {
			return nil, errCrash
		}
		return nil, fmt.Errorf("%s: %w: %s", llvmmc, err, stderr.String())
	}
	refused, err := refusedWords(stderr.String(), line)
	if err != nil {
		return nil, err
	}
	return verdicts(out.String(), refused, pairs, starts)
}

// refusedWords returns which input lines LLVM warned about. Whatever else it
// prints on stderr is an error: a chip it does not know is replaced by another one.
func refusedWords(stderr string, count int) ([]bool, error) {
	refused := make([]bool, count)
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	for n := 0; n < len(lines) && lines[n] != ""; n += 3 {
		f := strings.SplitN(lines[n], ":", 4)
		if len(f) != 4 {
			return nil, fmt.Errorf("%s on stderr: %s", llvmmc, lines[n])
		}
		at, err := strconv.Atoi(f[1])
		if err != nil || at < 1 || at > count {
			return nil, fmt.Errorf("%s on stderr: %s", llvmmc, lines[n])
		}
		switch strings.TrimSpace(f[3]) {
		case "warning: invalid instruction encoding":
			refused[at-1] = true
		case "warning: potentially undefined instruction encoding":
		default:
			return nil, fmt.Errorf("%s on stderr: %s", llvmmc, lines[n])
		}
	}
	return refused, nil
}

// encoded is a line of the disassembler's that tells the encoding.
var encoded = regexp.MustCompile(`^(.*?)\s*(?://|;) encoding: \[(.*)\]`)

// verdicts takes the text apart into records that end with the terminating instruction.
func verdicts(stdout string, refused []bool, pairs []pair, starts []int) ([]verdict, error) {
	count := len(pairs)
	result := make([]verdict, 0, count)
	var record []string
	size := 0 // of the record's first instruction, where its encoding tells
	for _, line := range strings.Split(stdout, "\n") {
		bytes := 0
		if m := encoded.FindStringSubmatch(line); m != nil {
			line, bytes = m[1], strings.Count(m[2], ",")+1
		}
		line = normal(line)
		if line == "" || strings.HasPrefix(line, ".") {
			continue
		}
		if line != terminateText {
			if len(record) == 0 {
				size = bytes
			}
			record = append(record, line)
			continue
		}
		n := len(result)
		if n == count {
			return nil, fmt.Errorf("%s printed more than %d records", llvmmc, count)
		}
		v := judge(record, refused[starts[n]], refused[starts[n]+1], pairs[n].scales != nil)
		if v.size != 0 && size != 0 {
			v.size = size
		}
		result, record = append(result, v), record[:0]
	}
	if len(result) != count {
		return nil, fmt.Errorf("%s printed %d records for %d", llvmmc, len(result), count)
	}
	return result, nil
}

// otherConstant tells where LLVM encodes what it has decoded in another way: a literal for
// an inline constant that is a half in an instruction on integers, an inline constant for the
// literal of a double.
var otherConstant = regexp.MustCompile(`\b0x(3800|b800|3c00|bc00|4000|c000|4400|c400|3118)\b|f64\S* .*\b\d\.\d`).MatchString

func judge(record []string, first, second, scales bool) verdict {
	if first || len(record) == 0 {
		return verdict{}
	}
	v := verdict{text: record[0], size: 8}
	if scales && len(record) == 2 {
		v.size = 16
	}
	if scales {
		if strings.Contains(v.text, "/*") {
			return verdict{}
		}
		return v
	}
	if second || record[len(record)-1] != guardText || len(record) > 2 {
		v.size = 4
	}
	// LLVM prints some of what it does not know with a comment in the text.
	if strings.Contains(v.text, "/*") {
		return verdict{}
	}
	return v
}

// normal returns a line of assembly without comments, with single spaces for tabs.
func normal(line string) string {
	for _, c := range []string{" //", " ;", "\t;", "\t//"} {
		line, _, _ = strings.Cut(line, c)
	}
	line = strings.TrimSpace(strings.ReplaceAll(line, "\t", " "))
	line = strings.ReplaceAll(line, "tensor_stop  ", "tensor_stop ")
	return absOfMask.ReplaceAllString(line, "$1|, $2") // LLVM takes the mask for what abs is for
}

var absOfMask = regexp.MustCompile(`(\|v\d+), (vcc_lo|vcc)\|`)
