package dataset

import (
	"maps"
	"slices"
	"sync"
)

// An Index is where a Set remembers what it learned of a dataset, so that the next Open of the same files is fast. It may be deleted at any
// time. Buckets come into being with their first Put. store.Index is one; NewMemory makes another.
//
// What lies in it comes from cases, chains and images alone: never from truth.jsonl or chains/manifest.jsonl.
type Index interface {
	// Get gives the value of a key, nil where there is none. The caller may keep it.
	Get(bucket, key string) ([]byte, error)
	// Put writes values under keys (as many of the one as of the other) in one transaction.
	Put(bucket string, keys []string, values [][]byte) error
	// Each calls f with every pair of a bucket in the order of the keys' bytes, until f fails. The value is f's only during the call,
	// and f must not call the Index.
	Each(bucket string, f func(key string, value []byte) error) error
	// Drop empties a bucket; one that is not there is empty already.
	Drop(bucket string) error
}

// memory is an Index that is gone when the program ends.
type memory struct {
	mu      sync.Mutex
	buckets map[string]map[string][]byte
}

// NewMemory makes an empty Index that remembers only while the program runs.
func NewMemory() Index { return &memory{buckets: map[string]map[string][]byte{}} }

func (m *memory) Get(bucket, key string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.buckets[bucket][key]), nil
}

func (m *memory) Put(bucket string, keys []string, values [][]byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.buckets[bucket] == nil {
		m.buckets[bucket] = map[string][]byte{}
	}
	for i, k := range keys {
		m.buckets[bucket][k] = slices.Clone(values[i])
	}
	return nil
}

func (m *memory) Each(bucket string, f func(key string, value []byte) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, k := range slices.Sorted(maps.Keys(m.buckets[bucket])) {
		if err := f(k, m.buckets[bucket][k]); err != nil {
			return err
		}
	}
	return nil
}

func (m *memory) Drop(bucket string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.buckets, bucket)
	return nil
}
