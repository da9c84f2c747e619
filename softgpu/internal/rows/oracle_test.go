package rows

import (
	"errors"
	"math/rand"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/stretchr/testify/require"
)

// TestDecodeAgreesWithLLVM compares random words with LLVM: text, size, and
// words that are not instructions. MGPU_TEST_WORDS and MGPU_RANDOM_SEED choose
// how many pairs of words and which.
func TestDecodeAgreesWithLLVM(t *testing.T) {
	findLLVM(t)
	count := 40_000
	switch {
	case testing.Short():
		count = 5_000
	case os.Getenv("MGPU_TEST_LONG") == "1":
		count = 1_100_000
	}
	if s := os.Getenv("MGPU_TEST_WORDS"); s != "" {
		n, err := strconv.Atoi(s)
		require.NoError(t, err, "MGPU_TEST_WORDS")
		count = n
	}
	seed := int64(1)
	if s := os.Getenv("MGPU_RANDOM_SEED"); s != "" {
		n, err := strconv.ParseInt(s, 10, 64)
		require.NoError(t, err, "MGPU_RANDOM_SEED")
		seed = n
	}
	for _, chip := range goldenChips {
		t.Run(chipName(chip), func(t *testing.T) {
			t.Logf("repeat with MGPU_RANDOM_SEED=%d MGPU_TEST_WORDS=%d go test -run '%s'", seed, count, t.Name())
			r := rand.New(rand.NewSource(seed))
			pairs := randomPairs(r, chip, count/len(goldenChips))
			covered := map[subject]bool{}
			for len(pairs) > 0 {
				n := min(len(pairs), 4096)
				compare(t, chip, pairs[:n], covered)
				pairs = pairs[n:]
				if t.Failed() {
					return
				}
			}
			all := len(subjects(chip))
			t.Logf("%d of %d forms of rows compared", len(covered), all)
			if count >= 100_000 {
				require.Greater(t, len(covered), all*9/10)
			}
		})
	}
}

// randomPairs returns pairs of which most are instructions, every row's turn
// coming equally often, and some are any words.
func randomPairs(r *rand.Rand, chip encoding.Chip, count int) []pair {
	all := subjects(chip)
	order := r.Perm(len(all))
	pairs := make([]pair, 0, count)
	for n := 0; len(pairs) < count; n++ {
		p := propose(r, chip, all[order[n%len(all)]])
		if r.Intn(16) == 0 {
			p.lo, p.hi, p.scales = r.Uint32(), r.Uint32(), nil
		}
		if chip.RDNA() || !dangerous(p) {
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// compare reports up to 40 disagreements with LLVM and notes what both took for an instruction.
func compare(t *testing.T, chip encoding.Chip, pairs []pair, covered map[subject]bool) {
	t.Helper()
	wrong := 0
	for n, v := range askLLVM(t, chip, pairs) {
		got, size, err := "", 0, error(nil)
		i, err := Decode(pairs[n].bytes(), 0, chip)
		if err == nil {
			got, size = i.String(), int(i.Size)
		}
		if err == nil && got == v.text {
			covered[subject{row: i.Row, enc: i.Enc, suffix: i.Suffix}] = true
		}
		if got == v.text && (size == v.size || chip.RDNA() && roundDouble(pairs[n], size, v.size) || otherConstant(got)) || chip.RDNA() && beyondChip(chip, v.text) || wholeRegisters(chip, err, v.text) || err != nil && beyondChip(chip, v.text) || v.text == "" && nameless(got) {
			continue
		}
		if errors.Is(err, encoding.ErrReserved) && strings.Contains(v.text, "_sdwa ") || secondLiteral(got) == secondLiteral(v.text) && got != "" {
			continue
		}
		// LLVM takes such numbers of lanes for an inline constant, and GFX9's VOP3P for an encoding of RDNA.
		if v.crashed || err == nil && i.Suffix == encoding.DPP8 && i.Lanes8 < 256 || chip.RDNA() && pairs[n].lo>>23 == 0x1a7 {
			continue
		}
		if chip.OnlyWave32() && beyond1250(err, v, pairs[n]) {
			continue
		}
		wrong++
		if wrong <= 40 {
			t.Errorf("%08x: LLVM %d %q, here %d %q %v", pairs[n].words(), v.size, v.text, size, got, err)
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d disagree", wrong, len(pairs))
	}
}

// beyondChip reports whether LLVM took a register for valid that the chip does
// not have, or has not in that place: it does not check what reads like a later chip's.
func beyondChip(chip encoding.Chip, text string) bool {
	if chip.Set() == encoding.GFX10 {
		return beyondGFX10(text)
	}
	if chip.RDNA() {
		return beyondRDNA(text)
	}
	return beyondAny(text) || chip < encoding.Gfx90a && beyondOld(text) || chip >= encoding.Gfx90a && beyondYoung(text)
}

var beyondAny = regexp.MustCompile(strings.Join([]string{
	`\bnull\b`, `src_flat_scratch_base`,
	`^v_cmp\w+_e64 src_`, `\bexec\b.* lds`, `^global_load_lds_\w+ .*\bexec\b`,
	`^v_(cndmask_b32|addc_co_u32|subb_co_u32|subbrev_co_u32)_e64 .*, (v\[[\d:]*\]|src_\w+)( clamp)?$`,
	`^s_(cbranch_join|setpc_b64|rfe_b64|movrels_b\d+) .*src_`,
	`^v_readfirstlane_b32 src_`, `^v_(swap|readfirstlane|interp\w*|readlane)\w* [\w.]+, [-|]*src_`, `^v_mqsad_u32_u8 .*, src_\w+( clamp)?$`,
	`^v_(s?mfma|accvgpr_mov)\w* .*src_`,
	`^v_permlane\d+_swap_b32\w* v\d+, src_`, `^v_cvt_scalef32_\w+ v\S+, [-|]*src_(private|shared|pops)`,
	`^v_interp\w* .*attr[\d.xyzw]+, [-|]*src_`, `^v_nop$`,
}, "|")).MatchString

// nameless reports whether LLVM refuses an instruction that is decoded here: one with a field that has no
// name, with a destination that LLVM's register classes lack, or in a form that LLVM knows by half.
var nameless = regexp.MustCompile(`^s_delay_alu .*\(\d+\)|^v_readfirstlane_b32 m0|^v_s_\w+ exec|^v_cvt_pk_(fp8|bf8)_f32_e64_dpp |^v_fma_mix(lo|hi)_b?f16_e64_dpp .*quad_perm`).MatchString

// wholeRegisters reports whether LLVM took an instruction on halves of registers, in which a
// bit is set that chooses no half, for one of chips that have no such halves.
func wholeRegisters(chip encoding.Chip, err error, text string) bool {
	return chip.RDNA() && errors.Is(err, encoding.ErrReserved) && regexp.MustCompile(`16|_fma_mix|v_align|_sat_pk4|^v_cvt_(sr|f32)_\w+_dpp`).MatchString(text) && !regexp.MustCompile(`v\d+\.[lh]`).MatchString(text)
}

var beyondRDNA = regexp.MustCompile(strings.Join([]string{
	`src_flat_scratch_base`, `src_(vccz|execz|pops_exiting_wave_id|lds_direct)`,
	`^t?buffer_.* (lit\()?0x`, `^(image|exp|ds_direct|ds_param|lds_direct|lds_param|ds_bvh|v_interp)`, `^v_cmp\w+_e64(_dpp)? src_`, `^s_movrels\w* .*, (-?\d|src_)`, `^v_readfirstlane_b32 .*(src_|null)`, `^v_cmpx_class_f`, `^v_cvt_pk_(fp8|bf8)_f32_e64_dpp .*quad_perm`, `^v_movrels\w* \S+ (src_|null)`, `^s_(setpc_b64|rfe_b64|movrels\w*) .*(src_|[ ,]-?[\d.]+$)`, `^v_s?wmm\w+ v\S+, .*(null|src_|0x)`, `^v_(cndmask_b(16|32)|\w*co_ci_u32)\w* .*, (v(\d+|\[\d+:\d+\])|src_\w+)( |$)`, `_e64_dpp .*, [-|(neg]*0x`, `^v_cmpx?_class_f(16|32)\w* .*, ([-|]|neg)`, `^v_cmpx?_class_f\w+_dpp `, `^v_permlane64_b32 .*src_`, `^v_alignb.* clamp`, `^v_fma_mix(lo|hi)_b?f16_e64_dpp .*quad_perm`, `^v_fma_mix.*0x`, `^v_swap(rel)?_b\d+ .*src_`, `^v_cndmask_b16_e64_dpp .*src_`, `^v_dot4_f32_\w+_dpp .*src_`,
}, "|")).MatchString

// beyondGFX10 is beyondRDNA for GFX10, which has the sources that later chips lack.
var beyondGFX10 = regexp.MustCompile(strings.Join([]string{
	`src_flat_scratch_base`, `^v_nop$`, `^(image|exp|v_interp)`, `^global_load\w* .*\bexec\b.* lds`, `^v_movrel\w* .*null`, `^t?buffer_.* (lit\()?0x`, `^v_movrel\w*_sdwa .*, (s|-?\d|ttmp|m0|vcc|exec|null)`, `^s_movrels\w* .*, (-?\d|src_)`, `^v_cmp\w+_e64 src_`, `^v_(readfirstlane|readlane|movrel\w*|swap\w*)_b32\w* .*src_`,
	`^v_(cndmask_b32|\w*co_ci_u32)\w* .*, v(\d+|\[\d+:\d+\])( |$)`, `^v_cmpx_class_f\d+_e64`, `^s_(setpc|rfe|swappc)\w* .*src_`, `^v_(cndmask_b32|\w*co_ci_u32)\w* .*, src_`,
}, "|")).MatchString

// secondLiteral leaves out how the literal of the second half of a pair is spelt: if the first half has one, too, LLVM
// prints an inline constant.
func secondLiteral(text string) string {
	return regexp.MustCompile(`( :: v_dual_fma[am]k_f32 v\d+, )(lit\(\w+\)|-?[\d.]+)`).ReplaceAllString(text, "${1}literal")
}

// roundDouble reports whether LLVM has encoded a literal that is the upper half of a double as the
// inline constant that it is.
func roundDouble(p pair, size, mc int) bool {
	literal := &p.hi
	if size == 12 {
		literal = p.third
	}
	return size == mc+4 && literal != nil && *literal<<12 == 0
}

// Accumulators as the data of memory instructions came with gfx90a.
var beyondOld = regexp.MustCompile(`^flat_atomic_\w+ a|^ds_\w+ a`).MatchString

// Since then registers of several words start at an even one.
var beyondYoung = regexp.MustCompile(strings.Join([]string{
	`^(ds|global_atomic|flat_atomic|buffer_atomic|image)_.* a\[\d*[13579]:`, `^tbuffer_.* v\[\d*[13579]:`,
}, "|")).MatchString

// TestLLVMThatDoesNotKnowTheChip: such a version goes on with another chip and
// only says so on stderr, which must not pass for agreement.
func TestLLVMThatDoesNotKnowTheChip(t *testing.T) {
	findLLVM(t)
	_, err := runLLVM(encoding.NumChips, []pair{{lo: guard, hi: guard}})
	require.ErrorContains(t, err, "not a recognized processor")

	for _, said := range []string{"something else", "<stdin>:1:1: warning: something else", "<stdin>:9:1: warning: invalid instruction encoding"} {
		_, err := refusedWords(said, 4)
		require.ErrorContains(t, err, said)
	}
}
