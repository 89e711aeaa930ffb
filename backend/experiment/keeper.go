package experiment

// keeper gathers notes that come at the same time into one transaction: who notes waits until that is on the disk.
type keeper struct {
	in   chan slip
	done chan struct{}
}

type slip struct {
	key   string
	note  []byte
	raw   []byte // the reply as it came, kept apart and first; nil: there is none
	saved chan error
}

// newKeeper begins to keep notes of a run; close ends it.
func newKeeper(book Book, run string) *keeper {
	k := &keeper{in: make(chan slip), done: make(chan struct{})}
	go func() {
		defer close(k.done)
		for first := range k.in {
			batch := []slip{first}
			for more := true; more && len(batch) < 512; {
				select {
				case s, open := <-k.in:
					if more = open; open {
						batch = append(batch, s)
					}
				default:
					more = false
				}
			}
			notes, raws := make(map[string][]byte, len(batch)), map[string][]byte{}
			for _, s := range batch {
				notes[s.key] = s.note
				if s.raw != nil {
					raws[s.key] = s.raw
				}
			}
			var err error
			if len(raws) > 0 {
				err = book.Note(rawNotes(run), raws)
			}
			if err == nil {
				err = book.Note(run, notes)
			}
			for _, s := range batch {
				s.saved <- err
			}
		}
	}()
	return k
}

// note keeps one note, and the reply that it was read from, and returns once both are on the disk.
func (k *keeper) note(key string, note, raw []byte) error {
	s := slip{key, note, raw, make(chan error, 1)}
	k.in <- s
	return <-s.saved
}

// close ends the keeping once nobody notes any more.
func (k *keeper) close() {
	close(k.in)
	<-k.done
}
