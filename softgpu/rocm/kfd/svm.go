package kfd

import (
	"syscall"

	"github.com/mgpu-runtime/mgpu/softgpu/rocm/hsa"
)

type svmArgs struct {
	Start, Size uint64
	Op, Count   uint32
}

const svmHeader = 24 // bytes before the attributes

// Attributes whose value is a place: the host, a GPU's id, or nowhere.
const (
	svmNoAccess = 4 // the last of those whose value is one
	nowhere     = 0xffffffff
)

const mostAttributes = 1 << 16

// svm sets or gets attributes of a range of the host's memory: pairs that follow the structure.
func svm(d *Driver, _ *device, arg, size uint64) syscall.Errno {
	if size < svmHeader {
		return syscall.EINVAL
	}
	a := at[svmArgs](arg)
	if a.Start%page != 0 || a.Size%page != 0 || a.Size == 0 || a.Size > largest || a.Start+a.Size > canonical || a.Count > mostAttributes {
		return syscall.EINVAL
	}
	list := make([]hsa.SVMAttribute, a.Count)
	pair := func(i int) *[2]uint32 { return at[[2]uint32](arg + svmHeader + 8*uint64(i)) }
	for i := range list {
		list[i] = hsa.SVMAttribute{Kind: pair(i)[0], Value: pair(i)[1]}
		if !d.toNode(&list[i]) {
			return syscall.EINVAL
		}
	}
	if a.Op == 0 {
		return errnoOf(d.SetSVM(a.Start, a.Size, list))
	}
	if a.Op != 1 {
		return syscall.EINVAL
	}
	if err := d.GetSVM(a.Start, a.Size, list); err != nil {
		return errnoOf(err)
	}
	for i, x := range list {
		if x.Kind <= svmNoAccess && x.Value != 0 && x.Value != nowhere {
			x.Value = d.devices[x.Value-1].id
		}
		*pair(i) = [2]uint32{x.Kind, x.Value}
	}
	return 0
}

// toNode replaces a GPU's id by its node.
func (d *Driver) toNode(a *hsa.SVMAttribute) bool {
	if a.Kind > svmNoAccess || a.Value == 0 || a.Value == nowhere {
		return true
	}
	g := d.byID(a.Value)
	if g == nil {
		return false
	}
	a.Value = g.node
	return true
}
