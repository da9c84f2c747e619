package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// declareFunction writes a function of unsigned integers and bool as an inline function
// of C; name is C's. Its body may hold local variables, ifs that return, and a return, of
// one result; its expressions operators, conversions, bits.Len64 of what is not zero, and
// other functions of the header. Go's shifts by the operand's width or more are not C's:
// the function must not make any.
func (w *writer) declareFunction(p *types.Package, info *types.Info, f *ast.FuncDecl, name string) error {
	t := &translator{w: w, p: p, info: info}
	signature := p.Scope().Lookup(f.Name.Name).Type().(*types.Signature)
	w.functions[p.Name()+"."+f.Name.Name] = name
	result, err := t.scalar(signature.Results())
	if err != nil {
		return err
	}
	var params []string
	for v := range signature.Params().Variables() {
		c, _, err := w.typeOf(v.Type())
		if err != nil {
			return fmt.Errorf("%s: %w", v.Name(), err)
		}
		params = append(params, c+" "+snake(v.Name()))
	}
	fmt.Fprintf(&w.out, "\n/* %s.%s */\nstatic inline %s %s(%s) {\n", p.Name(), f.Name.Name, result, name, strings.Join(params, ", "))
	if err := t.block(f.Body, "  "); err != nil {
		return fmt.Errorf("%s: %w", f.Name.Name, err)
	}
	w.out.WriteString("}\n")
	return nil
}

// translator writes what is in a function.
type translator struct {
	w    *writer
	p    *types.Package
	info *types.Info
}

func (t *translator) scalar(results *types.Tuple) (string, error) {
	if results.Len() != 1 {
		return "", fmt.Errorf("%d results: C has one", results.Len())
	}
	c, _, err := t.w.typeOf(results.At(0).Type())
	return c, err
}

func (t *translator) block(b *ast.BlockStmt, indent string) error {
	for _, s := range b.List {
		if err := t.statement(s, indent); err != nil {
			return err
		}
	}
	return nil
}

func (t *translator) statement(s ast.Stmt, indent string) error {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		if len(s.Results) != 1 {
			break
		}
		e, err := t.expression(s.Results[0])
		fmt.Fprintf(&t.w.out, "%sreturn %s;\n", indent, e)
		return err
	case *ast.AssignStmt:
		name, ok := s.Lhs[0].(*ast.Ident)
		if !ok || s.Tok != token.DEFINE || len(s.Lhs) != 1 {
			break
		}
		c, _, err := t.w.typeOf(t.info.Defs[name].Type())
		if err != nil {
			return err
		}
		e, err := t.expression(s.Rhs[0])
		fmt.Fprintf(&t.w.out, "%s%s %s = %s;\n", indent, c, snake(name.Name), e)
		return err
	case *ast.IfStmt:
		if s.Init != nil || s.Else != nil {
			break
		}
		e, err := t.expression(s.Cond)
		if err != nil {
			return err
		}
		fmt.Fprintf(&t.w.out, "%sif (%s) {\n", indent, e)
		err = t.block(s.Body, indent+"  ")
		t.w.out.WriteString(indent + "}\n")
		return err
	}
	return fmt.Errorf("%T: no statement in C", s)
}

// operators are C's for Go's where they differ.
var operators = map[token.Token]string{token.AND_NOT: "& ~"}

// expression returns an expression of C with the type that it has in Go.
func (t *translator) expression(e ast.Expr) (string, error) {
	about := t.info.Types[e]
	if v := about.Value; v != nil {
		if v.Kind() == constant.Bool {
			return v.ExactString(), nil
		}
		if about.Type = types.Default(about.Type); about.Type == types.Typ[types.Int] {
			return v.ExactString(), nil // how far to shift
		}
		c, _, err := t.w.typeOf(about.Type)
		return fmt.Sprintf("(%s)%s", c, v.ExactString()), err
	}
	switch e := e.(type) {
	case *ast.Ident:
		return snake(e.Name), nil
	case *ast.ParenExpr:
		return t.expression(e.X)
	case *ast.BinaryExpr:
		x, err := t.expression(e.X)
		if err != nil {
			return "", err
		}
		y, err := t.expression(e.Y)
		if err != nil {
			return "", err
		}
		c, _, err := t.w.typeOf(types.Default(about.Type))
		operator := operators[e.Op]
		if operator == "" {
			operator = e.Op.String()
		}
		return fmt.Sprintf("(%s)(%s %s %s)", c, x, operator, y), err
	case *ast.CallExpr:
		return t.call(e)
	}
	return "", fmt.Errorf("%T: no expression in C", e)
}

func (t *translator) call(e *ast.CallExpr) (string, error) {
	if len(e.Args) == 0 {
		return "", fmt.Errorf("%s: a call without an argument", types.ExprString(e))
	}
	var args []string
	for _, a := range e.Args {
		x, err := t.expression(a)
		if err != nil {
			return "", err
		}
		args = append(args, x)
	}
	if to := t.info.Types[e.Fun]; to.IsType() {
		c, _, err := t.w.typeOf(to.Type)
		return fmt.Sprintf("(%s)%s", c, args[0]), err
	}
	called := types.ExprString(e.Fun)
	if called == "bits.Len64" {
		return fmt.Sprintf("(64 - (uint64_t)__builtin_clzll(%s))", args[0]), nil
	}
	if c, ok := t.w.functions[t.p.Name()+"."+called]; ok {
		return fmt.Sprintf("%s(%s)", c, strings.Join(args, ", ")), nil
	}
	return "", fmt.Errorf("%s: no function in C", called)
}
