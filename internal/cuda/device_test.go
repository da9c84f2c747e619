package cuda_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/drivertest"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

const clusterPTX = `.version 8.0
.target sm_90
.address_size 64
.visible .entry cluster_size(.param .u64 out) {
  .reg .b32 %r<3>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %cluster_nctaid.x;
  mov.u32 %r2, %cluster_nctaid.y;
  shl.b32 %r2, %r2, 8;
  or.b32 %r1, %r1, %r2;
  st.global.u32 [%rd1], %r1;
  ret;
}
`

func along(n uint32) driver.Dim3 { return driver.Dim3{X: n, Y: 1, Z: 1} }

func TestOnADevicePTXIsCompiledAndTheLogOfAFailureIsInTheError(t *testing.T) {
	d := device(t)
	for opt := -1; opt <= 5; opt++ {
		m, err := d.ModuleLoadJIT([]byte(clusterPTX), opt)
		require.NoError(t, err)
		require.NoError(t, d.ModuleUnload(m))
	}
	_, err := d.ModuleLoadJIT([]byte(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() { nonsense; }\n"), 2)
	require.ErrorIs(t, err, driver.InvalidImage)
	require.ErrorContains(t, err, "'cuModuleLoadDataEx' failed with 'CUDA_ERROR_INVALID_PTX': ptxas ")
	require.ErrorContains(t, err, "nonsense")
}

func TestOnADeviceSharedMemoryAboveTheUsualIsAllowedOncePerFunction(t *testing.T) {
	d := device(t)
	m, err := d.ModuleLoad(drivertest.BuildNVIDIA(t, d.Architecture(0)).Kernels())
	require.NoError(t, err)
	f, err := d.ModuleGetFunction(m, "empty")
	require.NoError(t, err)
	launch := func(bytes uint32) error {
		return d.LaunchKernel(f, driver.Launch{Grid: along(1), Block: along(1), SharedBytes: bytes})
	}
	for _, kib := range []uint32{1, 48, 49, 64, 96, 49, 160, 1} {
		require.NoError(t, launch(kib<<10), "%d KiB", kib)
	}
	require.Zero(t, testing.AllocsPerRun(100, func() { err = launch(96 << 10) }), "a launch allocates nothing")
	require.NoError(t, err)
	err = launch(512 << 10)
	require.ErrorIs(t, err, driver.InvalidValue)
	require.ErrorContains(t, err, "524288 bytes of dynamic shared memory")
	require.NoError(t, d.StreamSynchronize(0))
	require.NoError(t, d.ModuleUnload(m))
}

func TestOnADeviceClustersAndCooperativeLaunches(t *testing.T) {
	d := device(t)
	m, err := d.ModuleLoadJIT([]byte(clusterPTX), 2)
	require.NoError(t, err)
	defer func() { require.NoError(t, d.ModuleUnload(m)) }()
	f, err := d.ModuleGetFunction(m, "cluster_size")
	require.NoError(t, err)
	shared, err := d.MemAllocManaged(4096)
	require.NoError(t, err)
	defer func() { require.NoError(t, d.MemFree(shared)) }()
	l := driver.Launch{Grid: driver.Dim3{X: 8, Y: 4, Z: 1}, Block: along(32)}
	for name, c := range map[string]struct {
		launch func(driver.Launch) error
		want   uint32
	}{
		"no cluster":          {func(l driver.Launch) error { return d.LaunchKernel(f, l) }, 0x101},
		"cluster":             {func(l driver.Launch) error { return d.LaunchCluster(f, driver.Dim3{X: 4, Y: 2, Z: 1}, l) }, 0x204},
		"cooperative":         {func(l driver.Launch) error { return d.LaunchCooperative(f, driver.Dim3{}, l) }, 0x101},
		"cooperative cluster": {func(l driver.Launch) error { return d.LaunchCooperative(f, driver.Dim3{X: 2, Y: 1, Z: 1}, l) }, 0x102},
	} {
		require.NoError(t, withArgument(&l, shared, c.launch), name)
		require.NoError(t, d.StreamSynchronize(0), name)
		require.Equal(t, c.want, word(shared), name)
	}
	require.ErrorIs(t, d.LaunchCluster(f, driver.Dim3{X: 3, Y: 1, Z: 1}, l), driver.InvalidValue, "a grid that clusters don't divide")
	l.Grid = along(1 << 20)
	require.ErrorIs(t, withArgument(&l, shared, func(l driver.Launch) error { return d.LaunchCooperative(f, driver.Dim3{}, l) }), driver.InvalidValue,
		"more thread blocks than fit at once")
}

func TestOnADeviceNothingAllocates(t *testing.T) {
	d := device(t)
	m, err := d.ModuleLoad(drivertest.BuildNVIDIA(t, d.Architecture(0)).Kernels())
	require.NoError(t, err)
	f, err := d.ModuleGetFunction(m, "empty")
	require.NoError(t, err)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		s, e1 := d.StreamCreate()
		e, e2 := d.EventCreate()
		e3 := d.LaunchKernel(f, driver.Launch{Grid: along(1), Block: along(1), Stream: s})
		e4 := d.EventRecord(e, s)
		_, e5 := d.StreamIdle(s)
		e6 := d.StreamSynchronize(s)
		p, e7 := d.MemAlloc(64)
		for _, err := range [...]error{e1, e2, e3, e4, e5, e6, e7, d.Memset32(p, 1, 16, s), d.StreamSynchronize(s), d.MemFree(p),
			d.EventDestroy(e), d.StreamDestroy(s)} {
			if err != nil {
				panic(err)
			}
		}
		if d.WaitStream(s).Fn == 0 {
			panic("no function to wait with")
		}
	}))
}
