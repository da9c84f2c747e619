package disassembly

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/rows"
)

// Tool is LLVM's disassembler of object files.
const Tool = "llvm-objdump-22"

// Check is Compare for tests that build a code object anyway: for one in four of them, always
// the same ones by their contents, or with MGPU_TEST_LONG for all. It is nil for the others,
// where the tool is missing, and for files that are not code objects of a simulated chip.
func Check(image []byte) error {
	if os.Getenv("MGPU_TEST_LONG") == "" && crc32.ChecksumIEEE(image)%4 != 0 {
		return nil
	}
	if _, err := exec.LookPath(Tool); err != nil {
		return nil
	}
	obj, err := codeobj.Parse(image)
	if err != nil {
		return nil
	}
	if _, err := encoding.ParseChip(obj.ID.Processor); err != nil {
		return nil
	}
	_, err = Compare(image)
	return err
}

// Compare reads every word of the text of a code object. The error tells the
// first difference from LLVM. It returns how many instructions agreed.
func Compare(image []byte) (instructions int, err error) {
	obj, err := codeobj.Parse(image)
	if err != nil {
		return 0, err
	}
	chip, err := encoding.ParseChip(obj.ID.Processor)
	if err != nil {
		return 0, err
	}
	chip = chip.InWaves(obj.Wave32())
	lines, err := dump(image, chip)
	if err != nil {
		return 0, err
	}
	code := obj.Text.Bytes
	at := uint32(0)
	var high encoding.HighBits
	for _, l := range lines {
		size := uint32(len(l.words) * 4)
		if l.offset-obj.Text.Addr != uint64(at) || uint64(at)+uint64(size) > uint64(len(code)) {
			return instructions, fmt.Errorf("%s skips from %#x to %#x", Tool, obj.Text.Addr+uint64(at), l.offset)
		}
		for n, w := range l.words {
			if binary.LittleEndian.Uint32(code[at+uint32(n)*4:]) != w {
				return instructions, fmt.Errorf("%s has other words at %#x", Tool, l.offset)
			}
		}
		if err := l.compare(code[at:at+size], chip, &high); err != nil {
			return instructions, fmt.Errorf("%#x: %w", l.offset, err)
		}
		at += size
		instructions++
	}
	if int(at) != len(code) {
		return instructions, fmt.Errorf("%s ends after %d of %d bytes", Tool, at, len(code))
	}
	return instructions, nil
}

// line is an instruction as LLVM prints it, or a word that is none.
type line struct {
	text   string
	offset uint64
	words  []uint32
}

// compare checks one line against what is decoded here. high are the high bits of its registers, and of the next line's
// afterwards.
func (l *line) compare(code []byte, chip encoding.Chip, high *encoding.HighBits) error {
	i, err := rows.Decode(code, 0, chip)
	if err == nil {
		high.Raise(&i)
		if i.Row.Name != "s_setreg_imm32_b32" { // LLVM 22's disassembler follows s_set_vgpr_msb alone
			*high = high.After(&i)
		}
	}
	none := strings.HasPrefix(l.text, ".long ")
	switch {
	case none && err == nil:
		return fmt.Errorf("%08x is not an instruction to LLVM, here %q", l.words, i.String())
	case none:
		return nil
	case err != nil:
		return fmt.Errorf("%08x is %q to LLVM, here %w", l.words, l.text, err)
	case i.String() != l.text || int(i.Size) != len(code):
		return fmt.Errorf("%08x is %q of %d bytes to LLVM, here %q of %d", l.words, l.text, len(code), i.String(), i.Size)
	}
	return nil
}

// printed matches an instruction, its address and its words.
var printed = regexp.MustCompile(`^\t(.*?)\s*// ([0-9A-F]{8,}): ([0-9A-F]{8}(?: [0-9A-F]{8})*)`)

// dump runs the disassembler. Runs of equal words are all printed.
func dump(image []byte, chip encoding.Chip) ([]line, error) {
	f, err := os.CreateTemp("", "*.hsaco")
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name())
	if _, err = f.Write(image); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if err = f.Close(); err != nil {
		return nil, err
	}
	args := []string{"--disassemble", "--disassemble-zeroes", "--section=.text"}
	var features []string
	if chip.RDNA() && !chip.IsWave32() {
		features = append(features, "+wavefrontsize64")
	}
	if chip.Set() >= encoding.GFX12 {
		features = append(features, "+real-true16") // halves of registers are named, which compilers use the lower of
	}
	if features != nil {
		args = append(args, "--mattr="+strings.Join(features, ","))
	}
	out, err := exec.Command(Tool, append(args, f.Name())...).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", Tool, err, out)
	}
	var lines []line
	for _, text := range strings.Split(string(out), "\n") {
		m := printed.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		l := line{text: strings.Join(strings.Fields(m[1]), " ")}
		if l.offset, err = strconv.ParseUint(m[2], 16, 64); err != nil {
			return nil, err
		}
		for _, w := range strings.Fields(m[3]) {
			word, err := strconv.ParseUint(w, 16, 32)
			if err != nil {
				return nil, err
			}
			l.words = append(l.words, uint32(word))
		}
		lines = append(lines, l)
	}
	return lines, nil
}
