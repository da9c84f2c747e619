package kfd

import (
	"os"
	"path"
	"slices"
	"strings"
)

// Kind is the kind of file at a path.
type Kind int32

// The kinds of files.
const (
	Foreign Kind = iota // not the driver's: left to the system
	Missing             // nothing, whatever the system has there
	File
	Folder
	Link
	Device
)

// Found describes the file at a path.
type Found struct {
	Kind  Kind
	Path  string // without links but the last
	Text  string // of a file; target of a link; names in a folder, each after its kind's letter and before a NUL
	Index int    // of a device: 0 for /dev/kfd, then the render nodes
	Major uint32
	Minor uint32
}

// tree are files by path.
type tree struct {
	nodes map[string]*node
}

type node struct {
	Found
	text  func() string // of a file that changes; nil: it does not
	names []string      // in a folder
}

// exclusive are the folders of which the system's own have no part.
var exclusive = []string{"/sys/devices/virtual/kfd", "/sys/class/kfd", root, "/sys/bus/pci/drivers/amdgpu"}

// plant makes the tree.
func (d *Driver) plant() *tree {
	t := &tree{nodes: map[string]*node{}}
	d.plantTopology(t)
	d.plantPCI(t)
	return t
}

func (t *tree) add(at string, n *node) {
	n.Path = at
	t.nodes[at] = n
	for at != "/" {
		folder := path.Dir(at)
		p := t.nodes[folder]
		if p == nil {
			p = &node{Found: Found{Kind: Folder, Path: folder}}
			t.nodes[folder] = p
		}
		if name := path.Base(at); !slices.Contains(p.names, name) {
			p.names = append(p.names, name)
		}
		at = folder
	}
}

func (t *tree) file(at, text string) { t.add(at, &node{Found: Found{Kind: File, Text: text}}) }

// folder adds one that may stay empty.
func (t *tree) folder(at string) {
	if t.nodes[at] == nil {
		t.add(at, &node{Found: Found{Kind: Folder}})
	}
}

func (t *tree) link(at, to string) { t.add(at, &node{Found: Found{Kind: Link, Text: to}}) }

func (t *tree) dynamic(at string, text func() string) {
	t.add(at, &node{Found: Found{Kind: File}, text: text})
}

func (t *tree) device(at string, index int, major, minor uint32) {
	t.add(at, &node{Found: Found{Kind: Device, Index: index, Major: major, Minor: minor}})
}

const mostLinks = 40

// Find looks a path up. With follow, a link at its end is followed too.
func (d *Driver) Find(name string, follow bool) Found {
	if strings.HasSuffix(name, "/amdgpu.ids") {
		return Found{Kind: File, Path: name, Text: d.names()}
	}
	return d.tree.find(name, follow, mostLinks)
}

func (t *tree) find(name string, follow bool, links int) Found {
	rest := strings.Split(strings.Trim(path.Clean("/"+name), "/"), "/")
	at := "/"
	for i, part := range rest {
		next := path.Join(at, part)
		n := t.nodes[next]
		if n == nil {
			return t.absent(path.Join(append([]string{next}, rest[i+1:]...)...), follow, links)
		}
		if n.Kind == Link && (i+1 < len(rest) || follow) {
			if links == 0 {
				return Found{Kind: Missing}
			}
			to := n.Text
			if !path.IsAbs(to) {
				to = path.Join(at, to)
			}
			return t.find(path.Join(append([]string{to}, rest[i+1:]...)...), follow, links-1)
		}
		at = next
	}
	n := t.nodes[at]
	f := n.Found
	switch {
	case n.text != nil:
		f.Text = n.text()
	case f.Kind == Folder:
		f.Text = t.list(at, n)
	}
	return f
}

// absent decides about a path that the tree does not have: missing, or left to the system. A path that
// was reached by a link of the system into the tree's folders is looked up there.
func (t *tree) absent(name string, _ bool, _ int) Found {
	for _, folder := range exclusive {
		if name == folder || strings.HasPrefix(name, folder+"/") {
			return Found{Kind: Missing, Path: name}
		}
	}
	return Found{Kind: Foreign, Path: name}
}

// letters of kinds, as d_type has them.
var letters = map[Kind]byte{File: 8, Folder: 4, Link: 10, Device: 2}

// list are the names in a folder: the tree's, and the system's where it shares the folder.
func (t *tree) list(at string, n *node) string {
	var b strings.Builder
	for _, name := range n.names {
		b.WriteByte(letters[t.nodes[path.Join(at, name)].Kind])
		b.WriteString(name)
		b.WriteByte(0)
	}
	if slices.ContainsFunc(exclusive, func(x string) bool { return at == x || strings.HasPrefix(at, x+"/") }) {
		return b.String()
	}
	entries, _ := os.ReadDir(at)
	for _, e := range entries {
		if slices.Contains(n.names, e.Name()) {
			continue
		}
		kind := byte(8)
		switch {
		case e.IsDir():
			kind = 4
		case e.Type()&os.ModeSymlink != 0:
			kind = 10
		case e.Type()&os.ModeDevice != 0:
			kind = 2
		}
		b.WriteByte(kind)
		b.WriteString(e.Name())
		b.WriteByte(0)
	}
	return b.String()
}
