package codeobj

import (
	"bytes"
	"fmt"
)

// ptxUnshareable looks for variables: kernels write variables in state space .global, and the host those in .const and
// .tex. cuModuleGetGlobal can name them whether they are .visible or not (tried with driver 580).
func ptxUnshareable(image []byte) (string, error) {
	if stop := bytes.IndexByte(image, 0); stop >= 0 {
		image = image[:stop]
	}
	scan := ptxScanner{text: image}
	parens := 0 // within parentheses, .ptr .global describes a parameter
	for tok := scan.next(); tok != nil; tok = scan.next() {
		switch string(tok) {
		case "(":
			parens++
		case ")":
			parens--
		case ".global":
			if parens <= 0 {
				return fmt.Sprintf("variable %s can be written", scan.declared()), nil
			}
		case ".const", ".tex":
			if parens <= 0 {
				return fmt.Sprintf("constant %s can be set by the host", scan.declared()), nil
			}
		}
	}
	return "", nil
}

// ptxScanner splits PTX into words (names, numbers and directives with their dots), strings and single characters,
// without comments.
type ptxScanner struct{ text []byte }

func (s *ptxScanner) next() []byte {
	s.text, _ = firstToken(s.text, true)
	if len(s.text) == 0 {
		return nil
	}
	n := 0
	switch {
	case s.text[0] == '"':
		for n = 1; n < len(s.text) && s.text[n] != '"'; n++ {
			if s.text[n] == '\\' {
				n++
			}
		}
		n = min(n+1, len(s.text))
	case wordByte(s.text[0]):
		for n < len(s.text) && wordByte(s.text[n]) {
			n++
		}
	default:
		n = 1
	}
	tok := s.text[:n]
	s.text = s.text[n:]
	return tok
}

// declared returns the name of a variable whose declaration follows: the last word before its dimensions, value or end.
// In old texts the bank of a constant comes first: .const[2].
func (s *ptxScanner) declared() string {
	name := "without a name"
	if len(s.text) > 0 && s.text[0] == '[' {
		for tok := s.next(); tok != nil && tok[0] != ']'; tok = s.next() {
		}
	}
	parens := 0 // parentheses of .attribute(.managed)
	for tok := s.next(); tok != nil; tok = s.next() {
		switch c := tok[0]; {
		case c == '(':
			parens++
		case c == ')':
			parens--
		case parens > 0:
		case c == '[' || c == '=' || c == ';' || c == ',':
			return name
		case c != '.' && wordByte(c):
			name = string(tok)
		}
	}
	return name
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '$' || c == '%'
}
