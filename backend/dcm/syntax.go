package dcm

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// syntax is a transfer syntax: how a file is written (PS3.5 section 10 and annex A).
type syntax struct {
	uid          string
	name         string
	order        binary.ByteOrder
	implicit     bool
	deflated     bool  // the data set, after the meta header
	encapsulated bool  // pixel data in fragments
	lossy        bool  // unless the file says otherwise
	codec        codec // of encapsulated frames
}

// codec names how one encapsulated frame is packed.
type codec string

const (
	codecNone     codec = "" // not supported
	codecNative   codec = "native"
	codecRLE      codec = "RLE"
	codecDeflate  codec = "deflate"
	codecJPEG     codec = "JPEG"
	codecJPEGLS   codec = "JPEG-LS"
	codecJPEG2000 codec = "JPEG 2000"
	codecHTJ2K    codec = "HTJ2K"
	codecJPEGXL   codec = "JPEG XL"
)

const (
	implicitLittleUID = "1.2.840.10008.1.2"
	explicitLittleUID = "1.2.840.10008.1.2.1"
	explicitBigUID    = "1.2.840.10008.1.2.2"
	deflatedUID       = "1.2.840.10008.1.2.1.99"
	directoryUID      = "1.2.840.10008.1.3.10" // a SOP class: DICOMDIR
)

// encapsulated syntaxes by the end of their UID; all are explicit little endian.
var encapsulatedSyntaxes = map[string]syntax{
	"1.98":  {name: "encapsulated uncompressed", codec: codecNative},
	"4.50":  {name: "JPEG baseline", codec: codecJPEG, lossy: true},
	"4.51":  {name: "JPEG extended 12-bit", codec: codecJPEG, lossy: true},
	"4.53":  {name: "JPEG spectral selection", codec: codecJPEG, lossy: true},
	"4.55":  {name: "JPEG full progression", codec: codecJPEG, lossy: true},
	"4.57":  {name: "JPEG lossless", codec: codecJPEG},
	"4.70":  {name: "JPEG lossless, first order", codec: codecJPEG},
	"4.80":  {name: "JPEG-LS lossless", codec: codecJPEGLS},
	"4.81":  {name: "JPEG-LS near-lossless", codec: codecJPEGLS, lossy: true},
	"4.90":  {name: "JPEG 2000 lossless", codec: codecJPEG2000},
	"4.91":  {name: "JPEG 2000", codec: codecJPEG2000, lossy: true},
	"4.92":  {name: "JPEG 2000 part 2 lossless", codec: codecJPEG2000},
	"4.93":  {name: "JPEG 2000 part 2", codec: codecJPEG2000, lossy: true},
	"4.94":  {name: "JPIP, whose pixels lie on another server"},
	"4.95":  {name: "JPIP deflated, whose pixels lie on another server"},
	"4.100": {name: "MPEG-2", lossy: true},
	"4.101": {name: "MPEG-2 high", lossy: true},
	"4.102": {name: "MPEG-4", lossy: true},
	"4.103": {name: "MPEG-4 Blu-ray", lossy: true},
	"4.104": {name: "MPEG-4 2-D", lossy: true},
	"4.105": {name: "MPEG-4 3-D", lossy: true},
	"4.106": {name: "MPEG-4 stereo", lossy: true},
	"4.107": {name: "HEVC", lossy: true},
	"4.108": {name: "HEVC 10-bit", lossy: true},
	"4.110": {name: "JPEG XL lossless", codec: codecJPEGXL},
	"4.111": {name: "JPEG XL JPEG recompression", codec: codecJPEGXL, lossy: true},
	"4.112": {name: "JPEG XL", codec: codecJPEGXL, lossy: true},
	"4.201": {name: "HTJ2K lossless", codec: codecHTJ2K},
	"4.202": {name: "HTJ2K lossless RPCL", codec: codecHTJ2K},
	"4.203": {name: "HTJ2K", codec: codecHTJ2K, lossy: true},
	"5":     {name: "RLE", codec: codecRLE},
	"8.1":   {name: "deflated frames", codec: codecDeflate},
}

// lookupSyntax finds a transfer syntax by its UID.
func lookupSyntax(uid string) (syntax, error) {
	little := syntax{uid: uid, name: "explicit little endian", order: binary.LittleEndian, codec: codecNative}
	switch uid {
	case implicitLittleUID:
		little.name, little.implicit = "implicit little endian", true
		return little, nil
	case explicitLittleUID:
		return little, nil
	case deflatedUID:
		little.name, little.deflated = "deflated explicit little endian", true
		return little, nil
	case explicitBigUID:
		return syntax{uid: uid, name: "explicit big endian", order: binary.BigEndian, codec: codecNative}, nil
	}
	if tail, ok := strings.CutPrefix(uid, implicitLittleUID+"."); ok {
		if s, ok := encapsulatedSyntaxes[tail]; ok {
			s.uid, s.order, s.encapsulated = uid, binary.LittleEndian, true
			return s, nil
		}
	}
	return syntax{}, invalid{fmt.Errorf("transfer syntax %q is not supported", uid)}
}
