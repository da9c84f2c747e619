package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"strings"

	"github.com/mgpu-runtime/mgpu/internal/invariants"
)

// declareTransitions writes a function for each row of a table that C may make. args are the name in C of the struct
// that has the state, and the prefix of the functions' names.
func (w *writer) declareTransitions(p *types.Package, info *types.Info, table *ast.ValueSpec, args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("%d words: a table of transitions has two, struct and prefix", len(args))
	}
	rows, ok := table.Values[0].(*ast.CompositeLit)
	if !ok {
		return fmt.Errorf("%s is not a table", table.Names[0].Name)
	}
	for _, row := range rows.Elts {
		var fields []constant.Value // from, to, by, under
		for _, f := range row.(*ast.CompositeLit).Elts {
			if info.Types[f].Value == nil {
				return fmt.Errorf("%s: a row of %s is of constants", types.ExprString(f), table.Names[0].Name)
			}
			fields = append(fields, info.Types[f].Value)
		}
		if by, _ := constant.Int64Val(fields[2]); invariants.By(by)&invariants.C == 0 {
			continue
		}
		names := row.(*ast.CompositeLit).Elts
		from, to := types.ExprString(names[0]), types.ExprString(names[1])
		fmt.Fprintf(&w.out, "\n/* %s, %s to %s: %s. */\n", p.Name(), strings.ToLower(from), strings.ToLower(to), constant.StringVal(fields[3]))
		fmt.Fprintf(&w.out, "static inline bool %[1]s_%[2]s_to_%[3]s(struct %[4]s * of, uint64_t word) {\n  return %[1]s_move(of, word, %[5]s, %[6]s);\n}\n",
			args[1], snake(from), snake(to), args[0], fields[0], fields[1])
	}
	return nil
}
