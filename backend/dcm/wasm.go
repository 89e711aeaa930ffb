package dcm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// maxPages is the memory one instance of the codecs may use: 1 GiB in pages of 64 KiB.
const maxPages = 1 << 14

// keepMemory is the most memory in bytes that an instance may keep while it waits: it begins with 256 MiB, of which little is touched, grows
// with the largest frame and never shrinks.
const keepMemory = 384 << 20

// wasmCodecs runs the codecs of dcmjs-codecs in a sandbox: a bug in one is an error and no crash.
//
// An instance is one thread with its own memory. It is used again after a success and thrown away after an error, since what an exception
// left behind in it is unknown.
type wasmCodecs struct {
	ready  chan struct{} // closed when the module is compiled
	module wazero.CompiledModule
	run    wazero.Runtime
	err    error
	slots  chan struct{}  // one for each instance at work
	idle   chan *instance // instances waiting to be used again
}

// instance is one running copy of the module.
type instance struct {
	module    api.Module
	functions map[string]api.Function
}

// newWasmCodecs starts to compile the module. At most workers frames are decoded at a time.
func newWasmCodecs(code []byte, cache string, workers int) *wasmCodecs {
	c := &wasmCodecs{ready: make(chan struct{}), slots: make(chan struct{}, workers), idle: make(chan *instance, workers)}
	go func() {
		defer close(c.ready)
		c.err = c.compile(code, cache)
	}()
	return c
}

// compile makes the module ready, from the disk cache where it was compiled before.
//
// No WithCloseOnContextDone: it makes decoding 3-6 times slower. What would run for long is refused before.
func (c *wasmCodecs) compile(code []byte, folder string) error {
	ctx := context.Background()
	config := wazero.NewRuntimeConfigCompiler().WithMemoryLimitPages(maxPages)
	if folder != "" && os.MkdirAll(folder, 0o755) == nil {
		if cache, err := wazero.NewCompilationCacheWithDir(folder); err == nil {
			config = config.WithCompilationCache(cache)
		}
	}
	c.run = wazero.NewRuntimeWithConfig(ctx, config)
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, c.run); err != nil {
		return fmt.Errorf("codecs: %w", err)
	}
	silent := func(context.Context, api.Module, uint32, uint32) {}
	_, err := c.run.NewHostModuleBuilder("env").
		NewFunctionBuilder().WithFunc(throw).Export("onCodecsException").
		NewFunctionBuilder().WithFunc(silent).Export("onCodecsInfo").
		NewFunctionBuilder().WithFunc(silent).Export("onCodecsTrace").
		NewFunctionBuilder().WithFunc(func(context.Context, uint32) {}).Export("emscripten_notify_memory_growth").
		Instantiate(ctx)
	if err != nil {
		return fmt.Errorf("codecs: %w", err)
	}
	if c.module, err = c.run.CompileModule(ctx, code); err != nil {
		return fmt.Errorf("codecs: %w", err)
	}
	return nil
}

// throw ends a call with the message at an address: wazero turns the panic into the call's error.
func throw(_ context.Context, m api.Module, address, _ uint32) {
	const longest = 400
	text, ok := m.Memory().Read(address, longest)
	if !ok {
		text = nil
	}
	if i := strings.IndexByte(string(text), 0); i >= 0 {
		text = text[:i]
	}
	panic(errors.New(string(text)))
}

// decode unpacks a frame; it waits for the module and for a free slot, or until ctx ends.
func (c *wasmCodecs) decode(ctx context.Context, kind codec, packed []byte, p pixelSpec) (unpacked, error) {
	select {
	case <-c.ready:
	case <-ctx.Done():
		return unpacked{}, ctx.Err()
	}
	if c.err != nil {
		return unpacked{}, invalid{c.err}
	}
	select {
	case c.slots <- struct{}{}:
	case <-ctx.Done():
		return unpacked{}, ctx.Err()
	}
	defer func() { <-c.slots }()
	in, err := c.take()
	if err != nil {
		return unpacked{}, err
	}
	out, err := in.decode(kind, packed, p)
	if err != nil {
		in.module.Close(context.Background())
		return unpacked{}, fmt.Errorf("%s: %w", kind, err)
	}
	if in.module.Memory().Size() > keepMemory {
		in.module.Close(context.Background())
		return out, nil
	}
	select {
	case c.idle <- in:
	default:
		in.module.Close(context.Background())
	}
	return out, nil
}

// take gives an instance that waits, or a new one.
func (c *wasmCodecs) take() (*instance, error) {
	select {
	case in := <-c.idle:
		return in, nil
	default:
	}
	module, err := c.run.InstantiateModule(context.Background(), c.module, wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize"))
	if err != nil {
		return nil, fmt.Errorf("codecs: %w", err)
	}
	return &instance{module: module, functions: map[string]api.Function{}}, nil
}

// entry names the exported function of each codec; "" for those that are our own Go.
func (c codec) entry() string {
	switch c {
	case codecJPEG:
		return "DecodeJpeg"
	case codecJPEG2000:
		return "DecodeJpeg2000"
	case codecHTJ2K:
		return "DecodeHtJpeg2000"
	case codecJPEGXL:
		return "DecodeJpegXl"
	}
	return ""
}

// photometrics are the numbers that the codecs give to photometric interpretations.
func photometricNumber(s string) uint64 {
	for i, name := range []string{"MONOCHROME1", "MONOCHROME2", "PALETTE COLOR", "RGB", "YBR_FULL", "YBR_FULL_422", "YBR_PARTIAL_422", "YBR_PARTIAL_420", "YBR_ICT", "YBR_RCT"} {
		if s == name {
			return uint64(i)
		}
	}
	return 1
}

// call calls an exported function; an error leaves the instance in an unknown state.
func (in *instance) call(name string, args ...uint64) (uint64, error) {
	f := in.functions[name]
	if f == nil {
		if f = in.module.ExportedFunction(name); f == nil {
			return 0, fmt.Errorf("the codecs have no %s", name)
		}
		in.functions[name] = f
	}
	out, err := f.Call(context.Background(), args...)
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		return 0, errors.New(strings.TrimSuffix(first, " (recovered by wazero)"))
	}
	if len(out) == 0 {
		return 0, nil
	}
	return out[0], nil
}

// decode runs one frame through the instance.
func (in *instance) decode(kind codec, packed []byte, p pixelSpec) (unpacked, error) {
	steps, err := in.call("CreateDecoderParameters")
	if err != nil {
		return unpacked{}, err
	}
	frame, err := in.call("CreateCodecsContext")
	if err != nil {
		return unpacked{}, err
	}
	signed := uint64(0)
	if p.signed {
		signed = 1
	}
	for _, set := range []struct {
		name  string
		value uint64
	}{
		{"SetColumns", uint64(p.columns)}, {"SetRows", uint64(p.rows)}, {"SetBitsAllocated", uint64(p.allocated)},
		{"SetBitsStored", uint64(p.stored)}, {"SetSamplesPerPixel", uint64(p.samples)}, {"SetPixelRepresentation", signed},
		{"SetPlanarConfiguration", 0}, {"SetPhotometricInterpretation", photometricNumber(p.photometric)},
		{"SetEncodedBufferSize", uint64(len(packed))},
	} {
		if _, err := in.call(set.name, frame, set.value); err != nil {
			return unpacked{}, err
		}
	}
	at, err := in.call("GetEncodedBuffer", frame)
	if err != nil {
		return unpacked{}, err
	}
	if !in.module.Memory().Write(uint32(at), packed) {
		return unpacked{}, errors.New("the frame does not fit the codec's memory")
	}
	if _, err := in.call(kind.entry(), frame, steps); err != nil {
		return unpacked{}, err
	}
	return in.collect(p, frame, steps)
}

// collect copies the decoded samples out and frees what the call used.
func (in *instance) collect(p pixelSpec, frame, steps uint64) (unpacked, error) {
	size, err := in.call("GetDecodedBufferSize", frame)
	if err != nil {
		return unpacked{}, err
	}
	at, err := in.call("GetDecodedBuffer", frame)
	if err != nil {
		return unpacked{}, err
	}
	planar, err := in.call("GetPlanarConfiguration", frame)
	if err != nil {
		return unpacked{}, err
	}
	shared, ok := in.module.Memory().Read(uint32(at), uint32(size))
	if !ok {
		return unpacked{}, errors.New("the codec points outside its memory")
	}
	out := unpacked{data: append([]byte(nil), shared...), planar: p.samples > 1 && planar == 1}
	if _, err := in.call("ReleaseDecoderParameters", steps); err != nil {
		return unpacked{}, err
	}
	if _, err := in.call("ReleaseCodecsContext", frame); err != nil {
		return unpacked{}, err
	}
	return out, nil
}
