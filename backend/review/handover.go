package review

// Handover says that a package went from the coordinator to a reader, or came back from one of a reader's machines.
type Handover struct {
	Way     Way       `json:"way"`
	Reader  ReaderID  `json:"reader"`
	Machine MachineID `json:"machine,omitempty"` // of the reader; "" on the way to one
	Key     string    `json:"key"`               // the public key by which the package was signed
	Created string    `json:"created"`           // when the package was made
	Reads   int       `json:"reads,omitempty"`   // assignments in it, on the way to a reader
	Count   uint64    `json:"count,omitempty"`   // events in it, on the way back
	Heads   []Head    `json:"heads"`             // where each hash chain in it ends, on the way back
}

// Way is the way that a package goes.
type Way string

// The ways of a package.
const (
	Given Way = "given" // to a reader
	Taken Way = "taken" // back
)

// Head is where the hash chain of one reader on one machine ended.
type Head struct {
	Machine MachineID `json:"machine"`
	Seq     uint64    `json:"seq"`
	Digest  Digest    `json:"digest"`
}
