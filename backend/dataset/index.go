package dataset

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"plumbline/backend/store"
)

// An index is where a Set remembers what it learned of a dataset, so that the next Open of the same files is fast. It may be deleted at any
// time. What lies in it comes from cases, chains and images alone: never from truth.jsonl or chains/manifest.jsonl.
type index interface {
	// Get gives the value of a key, nil where there is none. The caller may keep it.
	Get(bucket, key string) ([]byte, error)
	// Each calls f with every pair whose key begins with prefix, in the order of the keys' bytes, until f fails. The value is f's only
	// during the call, and f must not call the index.
	Each(bucket, prefix string, f func(key string, value []byte) error) error
	// put writes all pairs in one transaction.
	put(pairs []pair) error
	// drop empties buckets in one transaction; one that is not there is empty already.
	drop(buckets ...string) error
}

// pair is one thing to remember.
type pair struct {
	bucket, key string
	value       []byte
}

// kept is an index on disk.
type kept struct{ *store.Index }

func (k kept) put(pairs []pair) error {
	return k.Update(func(b *store.Batch) error {
		for _, p := range pairs {
			if err := b.Put(p.bucket, p.key, p.value); err != nil {
				return err
			}
		}
		return nil
	})
}

func (k kept) drop(buckets ...string) error {
	return k.Update(func(b *store.Batch) error {
		for _, name := range buckets {
			if err := b.Drop(name); err != nil {
				return err
			}
		}
		return nil
	})
}

// memory is an index that is gone with the Set.
type memory struct {
	mu      sync.Mutex
	buckets map[string]map[string][]byte
}

func newMemory() *memory { return &memory{buckets: map[string]map[string][]byte{}} }

func (m *memory) Get(bucket, key string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.buckets[bucket][key], nil
}

func (m *memory) Each(bucket, prefix string, f func(key string, value []byte) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, k := range slices.Sorted(maps.Keys(m.buckets[bucket])) {
		if strings.HasPrefix(k, prefix) {
			if err := f(k, m.buckets[bucket][k]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *memory) put(pairs []pair) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range pairs {
		if m.buckets[p.bucket] == nil {
			m.buckets[p.bucket] = map[string][]byte{}
		}
		m.buckets[p.bucket][p.key] = p.value
	}
	return nil
}

func (m *memory) drop(buckets ...string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, b := range buckets {
		delete(m.buckets, b)
	}
	return nil
}

// batch gathers pairs and puts them a few thousand at a time. The first failure stays.
type batch struct {
	ix    index
	pairs []pair
	err   error
}

const batchSize = 4096

func (b *batch) add(bucket, key string, value []byte) {
	b.pairs = append(b.pairs, pair{bucket, key, value})
	if len(b.pairs) >= batchSize {
		b.flush()
	}
}

func (b *batch) flush() error {
	if b.err == nil && len(b.pairs) > 0 {
		b.err = b.ix.put(b.pairs)
	}
	b.pairs = b.pairs[:0]
	return b.err
}
