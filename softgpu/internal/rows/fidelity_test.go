package rows

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// notExact are the names of rows that a definition does not settle to the bit.
var notExact = regexp.MustCompile(`^(v_(s_|pk_)?(exp|log|rcp|rsq|sqrt|sin|cos|tanh)_|v_(mfma|wmma|smfmac|swmmac)_(scale_)?b?f|v_dot\d(c|acc|2acc)?_b?f|v_dual_dot\dacc_f32_b?f` +
	`|v_div_(scale|fmas|fixup)|v_fract|v_ldexp_f16|v_cvt_(flr|rpi|floor|nearest)_|v_cube|v_trig_preop|v_prng|v_cvt_\w*(scale|_sr_|fp8|bf8)` +
	`|image_(sample|gather)|t?buffer_(load|store)_(d16_)?(hi_)?format|s_mem(real)?time|s_getreg|s_sendmsg_rtn|(ds|flat|global|buffer)_\w*add_(rtn_)?(f|bf))`)

// integers are names that begin as one of those and say that their results are integers.
var integers = regexp.MustCompile(`^v_(mfma|smfmac|wmma|swmmac)_i32_|^s_sendmsg$`)

// rowsThatExecute calls f for each row of a chip that has a meaning.
func rowsThatExecute(chip encoding.Chip, f func(*encoding.Row)) {
	for _, rows := range tableOf(chip) {
		for _, row := range rows {
			if row != nil && row.Do != nil {
				f(row)
			}
		}
	}
}

func TestRowsThatNoDefinitionSettlesSayWhatTheirResultsAre(t *testing.T) {
	said := 0
	for chip := range encoding.Programmed {
		rowsThatExecute(chip, func(row *encoding.Row) {
			f, not := row.Fidelity, notExact.MatchString(row.Name) && !integers.MatchString(row.Name)
			if !assert.Equal(t, not, f != nil, "%v: %s", chip, row.Name) || f == nil {
				return
			}
			said++
			assert.NotEmpty(t, f.Source, row.Name)
			assert.Equal(t, f.Standing == encoding.Approximate, f.Bound != "", "%s: a bound is for what is approximate", row.Name)
			assert.True(t, f.On == 0 || f.Standing == encoding.Measured, "%s: chips are of a measurement", row.Name)
		})
	}
	assert.Greater(t, said, 500)
}

// Standings differ by chip where a measurement does.
func TestStandingsOfRows(t *testing.T) {
	find := func(chip encoding.Chip, name string) *encoding.Row {
		var found *encoding.Row
		rowsThatExecute(chip, func(row *encoding.Row) {
			if row.Name == name {
				found = row
			}
		})
		require.NotNil(t, found, "%v: %s", chip, name)
		return found
	}
	for _, c := range []struct {
		chip encoding.Chip
		name string
		is   encoding.Standing
	}{
		{encoding.Gfx906, "v_fma_f32", encoding.Exact}, {encoding.Gfx1100, "v_add_nc_u32", encoding.Exact},
		{encoding.Gfx906, "v_exp_f32", encoding.Approximate}, {encoding.Gfx1100, "v_exp_f32", encoding.Approximate}, {encoding.Gfx942, "v_rcp_f64", encoding.Approximate},
		{encoding.Gfx906, "v_div_scale_f32", encoding.Inferred}, {encoding.Gfx1100, "v_div_scale_f32", encoding.Measured},
		{encoding.Gfx90a, "v_dot2_f32_f16", encoding.Measured}, {encoding.Gfx942, "v_dot2_f32_f16", encoding.Inferred}, {encoding.Gfx1100, "v_dual_dot2acc_f32_f16", encoding.Inferred},
		{encoding.Gfx90a, "v_mfma_f32_32x32x8f16", encoding.Measured}, {encoding.Gfx942, "v_mfma_f32_32x32x8_f16", encoding.Measured}, {encoding.Gfx950, "v_mfma_f32_32x32x8_f16", encoding.Inferred},
		{encoding.Gfx90a, "v_mfma_i32_32x32x8i8", encoding.Exact}, {encoding.Gfx942, "v_smfmac_f32_16x16x32_f16", encoding.Inferred},
		{encoding.Gfx906, "v_fract_f32", encoding.Manual}, {encoding.Gfx906, "s_memtime", encoding.Unlike}, {encoding.Gfx906, "ds_add_f32", encoding.Exact},
	} {
		assert.Equal(t, c.is, find(c.chip, c.name).StandingOn(c.chip), "%v: %s", c.chip, c.name)
	}
}
