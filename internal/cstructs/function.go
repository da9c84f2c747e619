package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// declareFunction writes a Go function as an inline function of C. name is the name in C. Parameters may be numbers,
// bool and pointers to the header's structs; a method's receiver becomes the first parameter. The body may have local
// variables, ifs, loops, and returns of at most one result. Expressions may have operators, conversions, fields,
// elements of arrays, bits.Len64 of a number that is not zero, methods of atomic values, and functions that come
// earlier in the header. Atomic operations are sequentially consistent, as in Go; with the word release after the name,
// atomic stores have release order. Statements under a constant that is false, such as checks for tests, are omitted.
// The function must not shift by the operand's width or more, since that differs between Go and C.
func (w *writer) declareFunction(p *types.Package, info *types.Info, f *ast.FuncDecl, args []string) error {
	t := &translator{w: w, p: p, info: info, store: "__ATOMIC_SEQ_CST"}
	if slices.Contains(args[1:], "release") {
		t.store = "__ATOMIC_RELEASE"
	}
	signature := info.Defs[f.Name].Type().(*types.Signature)
	name := args[0]
	w.functions[info.Defs[f.Name].(*types.Func).FullName()] = name
	result, err := t.result(signature.Results())
	if err != nil {
		return err
	}
	var params []string
	if r := signature.Recv(); r != nil {
		c, _, err := w.typeOf(r.Type())
		if err != nil {
			return err
		}
		params = append(params, c+" "+snake(r.Name()))
	}
	for v := range signature.Params().Variables() {
		c, _, err := w.typeOf(v.Type())
		if err != nil {
			return fmt.Errorf("%s: %w", v.Name(), err)
		}
		params = append(params, c+" "+snake(v.Name()))
	}
	of := f.Name.Name
	if r := signature.Recv(); r != nil {
		of = t.named(r.Type()).Obj().Name() + "." + of
	}
	fmt.Fprintf(&w.out, "\n/* %s.%s */\nstatic inline %s %s(%s) {\n", p.Name(), of, result, name, strings.Join(params, ", "))
	if err := t.block(f.Body, "  "); err != nil {
		return fmt.Errorf("%s: %w", f.Name.Name, err)
	}
	w.out.WriteString("}\n")
	return nil
}

// translator translates the contents of a function.
type translator struct {
	w    *writer
	p    *types.Package
	info *types.Info

	store string // the order of atomic stores
}

// named returns the named type of a type, or of the type that it points to; nil if there is none.
func (t *translator) named(of types.Type) *types.Named {
	if p, ok := of.(*types.Pointer); ok {
		of = p.Elem()
	}
	n, _ := of.(*types.Named)
	return n
}

func (t *translator) result(results *types.Tuple) (string, error) {
	switch results.Len() {
	case 0:
		return "void", nil
	case 1:
	default:
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
		if len(s.Results) == 0 {
			t.w.out.WriteString(indent + "return;\n")
			return nil
		}
		e, err := t.expression(s.Results[0])
		fmt.Fprintf(&t.w.out, "%sreturn %s;\n", indent, e)
		return err
	case *ast.AssignStmt:
		return t.assign(s, indent)
	case *ast.ExprStmt:
		e, err := t.expression(s.X)
		fmt.Fprintf(&t.w.out, "%s%s;\n", indent, e)
		return err
	case *ast.IfStmt:
		return t.branch(s, indent)
	case *ast.ForStmt:
		if s.Init != nil || s.Post != nil {
			break
		}
		condition := "true"
		if s.Cond != nil {
			var err error
			if condition, err = t.expression(s.Cond); err != nil {
				return err
			}
		}
		return t.body("while ("+condition+")", s.Body, indent)
	case *ast.RangeStmt:
		i, ok := s.Key.(*ast.Ident)
		if !ok || s.Value != nil || t.info.Types[s.X].Value == nil {
			break
		}
		c, _, err := t.w.typeOf(t.info.Defs[i].Type())
		if err != nil {
			return err
		}
		n, err := t.expression(s.X)
		if err != nil {
			return err
		}
		return t.body(fmt.Sprintf("for (%s %s = 0; %[2]s < %s; %[2]s++)", c, snake(i.Name), n), s.Body, indent)
	}
	return fmt.Errorf("%T: no statement in C", s)
}

// body writes the statements after a head.
func (t *translator) body(head string, b *ast.BlockStmt, indent string) error {
	fmt.Fprintf(&t.w.out, "%s%s {\n", indent, head)
	err := t.block(b, indent+"  ")
	t.w.out.WriteString(indent + "}\n")
	return err
}

func (t *translator) assign(s *ast.AssignStmt, indent string) error {
	if len(s.Lhs) != 1 || s.Tok != token.DEFINE && s.Tok != token.ASSIGN {
		return fmt.Errorf("%T: no statement in C", s)
	}
	to := ""
	if name, ok := s.Lhs[0].(*ast.Ident); ok && s.Tok == token.DEFINE {
		c, _, err := t.w.typeOf(t.info.Defs[name].Type())
		if err != nil {
			return err
		}
		to = c + " " + snake(name.Name)
	} else {
		var err error
		if to, err = t.expression(s.Lhs[0]); err != nil {
			return err
		}
	}
	e, err := t.expression(s.Rhs[0])
	fmt.Fprintf(&t.w.out, "%s%s = %s;\n", indent, to, e)
	return err
}

func (t *translator) branch(s *ast.IfStmt, indent string) error {
	if s.Else != nil {
		return fmt.Errorf("else: no statement in C")
	}
	if v := t.info.Types[s.Cond].Value; v != nil && !constant.BoolVal(v) {
		return nil
	}
	within := indent
	if s.Init != nil {
		within += "  "
		t.w.out.WriteString(indent + "{\n")
		if err := t.statement(s.Init, within); err != nil {
			return err
		}
	}
	e, err := t.expression(s.Cond)
	if err != nil {
		return err
	}
	err = t.body("if ("+e+")", s.Body, within)
	if s.Init != nil {
		t.w.out.WriteString(indent + "}\n")
	}
	return err
}

// operators maps Go's operators to C's where they differ.
var operators = map[token.Token]string{token.AND_NOT: "& ~"}

// expression returns the C form of an expression, with its type in Go.
func (t *translator) expression(e ast.Expr) (string, error) {
	about := t.info.Types[e]
	if v := about.Value; v != nil {
		if v.Kind() == constant.Bool {
			return v.ExactString(), nil
		}
		if about.Type = types.Default(about.Type); about.Type == types.Typ[types.Int] {
			return v.ExactString(), nil // the width of a shift
		}
		c, _, err := t.w.typeOf(about.Type)
		suffix := ""
		if _, fits := constant.Int64Val(v); !fits {
			suffix = "u"
		}
		return fmt.Sprintf("(%s)%s%s", c, v.ExactString(), suffix), err
	}
	switch e := e.(type) {
	case *ast.Ident:
		if about.IsNil() {
			return "NULL", nil
		}
		return snake(e.Name), nil
	case *ast.SelectorExpr:
		x, err := t.expression(e.X)
		if _, pointer := t.info.Types[e.X].Type.(*types.Pointer); pointer {
			return x + "->" + snake(e.Sel.Name), err
		}
		return x + "." + snake(e.Sel.Name), err
	case *ast.IndexExpr:
		x, err := t.expression(e.X)
		if err != nil {
			return "", err
		}
		i, err := t.expression(e.Index)
		return fmt.Sprintf("%s[%s]", x, i), err
	case *ast.UnaryExpr:
		x, err := t.expression(e.X)
		return fmt.Sprintf("%s(%s)", e.Op, x), err
	case *ast.ParenExpr:
		return t.expression(e.X)
	case *ast.BinaryExpr:
		if e.Op != token.LAND && e.Op != token.LOR && t.hasCall(e.X) && t.hasCall(e.Y) {
			return "", fmt.Errorf("%s: C makes calls in operands in any order", types.ExprString(e))
		}
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

// atomics maps methods of atomic values to C's functions of the address, two arguments and the order of stores.
var atomics = map[string]string{
	"Load": "__atomic_load_n(%[1]s, __ATOMIC_SEQ_CST)", "Store": "__atomic_store_n(%[1]s, %[2]s, %[4]s)",
	"Add": "__atomic_add_fetch(%[1]s, %[2]s, __ATOMIC_SEQ_CST)", "Swap": "__atomic_exchange_n(%[1]s, %[2]s, __ATOMIC_SEQ_CST)",
	"CompareAndSwap": "__sync_bool_compare_and_swap(%[1]s, %[2]s, %[3]s)",
}

// method returns a call of a method of an atomic value, or of one that is in the header.
func (t *translator) method(e *ast.SelectorExpr, args []string) (string, error) {
	x, err := t.expression(e.X)
	if err != nil {
		return "", err
	}
	of := t.info.Types[e.X].Type
	if _, pointer := of.(*types.Pointer); !pointer {
		x = "&" + x
	}
	n := t.named(of)
	if n.Obj().Pkg().Path() == "sync/atomic" && n.Obj().Name() != "Pointer" {
		text, ok := atomics[e.Sel.Name]
		if !ok {
			return "", fmt.Errorf("%s: no atomic operation in C", e.Sel.Name)
		}
		all := append([]string{x}, args...)
		return fmt.Sprintf(text, at(all, 0), at(all, 1), at(all, 2), t.store), nil
	}
	if c, ok := t.w.functions[t.info.Uses[e.Sel].(*types.Func).FullName()]; ok {
		return fmt.Sprintf("%s(%s)", c, strings.Join(append([]string{x}, args...), ", ")), nil
	}
	return "", fmt.Errorf("%s: no function in C", types.ExprString(e))
}

// hasCall reports whether an expression calls a method, which may be an atomic operation.
func (t *translator) hasCall(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			_, method := c.Fun.(*ast.SelectorExpr)
			found = found || method && !t.info.Types[c.Fun].IsType()
		}
		return !found
	})
	return found
}

func at(all []string, i int) string {
	if i < len(all) {
		return all[i]
	}
	return ""
}

func (t *translator) call(e *ast.CallExpr) (string, error) {
	if n := slices.IndexFunc(e.Args, t.hasCall); n >= 0 && slices.ContainsFunc(e.Args[n+1:], t.hasCall) {
		return "", fmt.Errorf("%s: C makes calls in arguments in any order", types.ExprString(e))
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
	switch f := e.Fun.(type) {
	case *ast.SelectorExpr:
		return t.method(f, args)
	case *ast.Ident:
		if c, ok := t.w.functions[t.p.Path()+"."+called]; ok {
			return fmt.Sprintf("%s(%s)", c, strings.Join(args, ", ")), nil
		}
	}
	return "", fmt.Errorf("%s: no function in C", called)
}
