package kfd

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/softgpu/rocm/hsa"
)

// names are those that a folder lists.
func names(f Found) (all []string) {
	for n := range strings.FieldsFuncSeq(f.Text, func(r rune) bool { return r == 0 }) {
		all = append(all, n[1:])
	}
	return all
}

func TestFilesAreFoundByWhicheverPath(t *testing.T) {
	h := newHost(t, hsa.Options{Devices: 2, Chip: "gfx90a"})
	node := h.Find("/dev/kfd", true)
	require.Equal(t, Device, node.Kind)
	require.Equal(t, 0, node.Index)
	for _, path := range []string{
		"/sys/devices/virtual/kfd/kfd/topology/nodes/2/gpu_id", "/sys/class/kfd/kfd/topology/nodes/2/gpu_id",
		"//sys/class/kfd/kfd/topology//nodes/1/../2/gpu_id",
	} {
		f := h.Find(path, true)
		require.Equal(t, File, f.Kind, path)
		require.Equal(t, "20482\n", f.Text)
		require.Equal(t, "/sys/devices/virtual/kfd/kfd/topology/nodes/2/gpu_id", f.Path)
	}
	require.ElementsMatch(t, []string{"0", "1", "2"}, names(h.Find(topologyPlace+"/nodes", true)))
	require.Contains(t, h.Find(topologyPlace+"/nodes/1/properties", true).Text, "\ngfx_target_version 90010\n")
	require.Equal(t, Missing, h.Find(topologyPlace+"/nodes/3", true).Kind)
	require.Equal(t, Foreign, h.Find("/sys/class/drm/none", true).Kind)
	require.Equal(t, Foreign, h.Find("/etc/passwd", true).Kind)
}

func TestLibdrmFindsADevicesPCIFiles(t *testing.T) {
	h := newHost(t, hsa.Options{Devices: 2})
	for i, g := range h.devices {
		minor := h.Files()[1+i].Minor
		number := "/sys/dev/char/226:" + strconv.Itoa(int(minor))
		require.Equal(t, Folder, h.Find(number+"/device/drm", true).Kind)
		link := h.Find(number+"/device/subsystem", false)
		require.Equal(t, Link, link.Kind)
		require.True(t, strings.HasSuffix(link.Text, "/pci"))
		require.Contains(t, h.Find(number+"/device/uevent", true).Text, "PCI_SLOT_NAME="+g.address()+"\n")
		require.Equal(t, root+"/"+g.address(), h.Find(number+"/device", true).Path)
		require.Equal(t, "0x1002\n", h.Find("/sys/class/drm/renderD"+strconv.Itoa(int(minor))+"/device/vendor", true).Text)
		f := h.Find("/dev/dri/renderD"+strconv.Itoa(int(minor)), true)
		require.Equal(t, Device, f.Kind)
		require.Equal(t, 1+i, f.Index)
	}
}
