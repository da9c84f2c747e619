package mgpu

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mgpu-runtime/mgpu/internal/settings"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// New makes a Runtime. The first call opens the driver.
func New(cfg Config) *Runtime {
	r := &Runtime{cfg: cfg}
	r.stats.timing, r.stats.trace = cfg.Timing, cfg.Trace
	r.open = r.openDriver
	r.regions = newRegions(r)
	return r
}

// openDriver opens the driver if necessary and returns the core; nil if no driver can be opened.
func (r *Runtime) openDriver() *core {
	if k := r.core.Load(); k != nil {
		return k
	}
	r.once.Do(func() {
		r.fail = errors.New("opening the driver failed before") // stays set if Open panics
		drv, err := r.choose()
		if err != nil {
			r.fail = noDriver{err}
			return
		}
		k := &core{drv: drv, devices: drv.DeviceCount(), cached: !r.cfg.NoCache, path: r.cfg.FastPath}
		if r.cfg.Device != nil {
			if k.chosen, k.how, err = r.cfg.Device(k.devices); err != nil {
				r.fail = noDriver{err}
				return
			}
		}
		k.waiter, _ = drv.(driver.Waiter)
		k.sites, _ = drv.(driver.SiteTeller)
		k.graphs, _ = drv.(driver.Grapher)
		if o, ok := drv.(driver.DefaultStreamOrderer); ok {
			k.ordered = o.OrdersDefaultStream()
		}
		_, k.unchecked = drv.(driver.UncheckedStreams)
		k.unchecked = k.unchecked || r.cfg.UncheckedStreams
		r.informDriver(k)
		for i := range k.views {
			k.views[i] = view{meter: &meter{drv: drv, stats: &r.stats, modules: r, call: i}, k: k, r: r}
		}
		if k.graphs != nil {
			k.graphCalls = &meteredGraphs{k.views[launchKernel].meter, k.graphs}
		}
		if jit, ok := drv.(driver.JIT); ok {
			k.jit = &meteredJIT{k.views[moduleLoadJIT].meter, jit}
		}
		k.pool = streampool.New(streampool.Config{
			Devices: k.devices, MaxIdle: r.cfg.MaxIdle, MaxDraining: r.cfg.MaxDraining,
			Failed:  func(err error) { r.report(callNames[streamDestroy], err) },
			Changed: r.forgetStreams, Unchecked: k.unchecked,
			Abandoned: func(e *streampool.Entry) {
				if k.memory != nil {
					queue := k.memory.abandoned[e.Device()]
					queue.Submitted()
					k.pool.PassFreed(e, queue)
				}
			},
		})
		if k.cached {
			r.offerStreams(k)
			for i := range k.devices {
				k.nulls = append(k.nulls, k.pool.AddQueue(i, streampool.NullStream))
			}
		}
		if r.cfg.TraceEvents {
			r.timeByEvents(k)
		}
		r.openMemory(k)
		k.openResets()
		k.modules = r.newModules(k.drv, k.devices)
		r.core.Store(k)
		if t := r.cfg.Trace.On(); t != nil {
			r.traceDriver(k, t)
		}
		r.offerFastPath(k)
	})
	return r.core.Load()
}

// informDriver passes the driver what its reports and times need.
func (r *Runtime) informDriver(k *core) {
	if counter, ok := k.drv.(driver.CallCounter); ok {
		counter.CountCalls(r.calls)
	}
	if timer, ok := k.drv.(driver.KernelTimer); ok && r.stats.timing {
		timer.TimeKernels(r.stats.kernels.worked)
	}
	if k.sites != nil && r.cfg.Process != nil {
		k.sites.NameSites(r.cfg.Process.Symbol)
	}
}

// forgetStreams makes what C knows of streams invalid.
func (r *Runtime) forgetStreams() {
	if r.cfg.FastPath != nil {
		r.cfg.FastPath.ForgetStreams()
	}
}

// choose opens the first driver that can be opened. If a wrong setting keeps a driver from opening, the error gives
// only that reason.
func (r *Runtime) choose() (driver.Driver, error) {
	var wrong *settings.WrongValue
	if want := r.cfg.Driver; want != "" {
		for _, o := range r.cfg.Drivers {
			if o.Name == want {
				d, err := o.Open()
				if err == nil || errors.As(err, &wrong) {
					return d, err
				}
				return nil, fmt.Errorf("MGPU_DRIVER=%s: %w", want, err)
			}
		}
		return nil, &settings.WrongValue{Name: "MGPU_DRIVER", Value: want, Why: errors.New("expected " + settings.OneOf(r.driverNames()))}
	}
	var reasons []string
	for _, o := range r.cfg.Drivers {
		if o.OnDemand {
			continue
		}
		d, err := o.Open()
		if errors.As(err, &wrong) {
			return nil, err
		}
		if err != nil {
			reasons = append(reasons, fmt.Sprintf("%s: %v", o.Name, err))
			continue
		}
		if o.Fallback {
			reasons = append(reasons, "")
			r.printLine(fmt.Sprintf("mgpu: no GPU found (%s); running on %s",
				strings.TrimSuffix(strings.Join(reasons, "; "), "; "), d.DeviceName(0)))
		}
		return d, nil
	}
	return nil, errors.New(strings.Join(reasons, "; "))
}

func (r *Runtime) driverNames() (names []string) {
	for _, o := range r.cfg.Drivers {
		names = append(names, o.Name)
	}
	return names
}

// timeByEvents turns on the timing of work that Go submits, if the driver can time work.
func (r *Runtime) timeByEvents(k *core) {
	times := newEventTimes(k.drv, k.devices, k.capturesAny, func(line string) { r.printLine(line) })
	for i := range k.views {
		if times != nil {
			k.views[i].times = times
		}
	}
}
