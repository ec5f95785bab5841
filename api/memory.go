package api

import "runtime/metrics"

// memoryUse is the memory the process holds from the system, and what of it is
// in use by objects, in bytes.
func memoryUse() (held, heap uint64) {
	samples := []metrics.Sample{
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
		{Name: "/memory/classes/heap/objects:bytes"},
	}
	metrics.Read(samples)
	return samples[0].Value.Uint64() - samples[1].Value.Uint64(), samples[2].Value.Uint64()
}
