// Package phantom makes chest images of a body that never was: a scene of simple shapes rendered to samples whose truth is known exactly.
//
// A Scene is a body, an exam's settings and its findings. It can be rendered again without a finding or with another one, and the noise is
// the same to the bit: noise is a hash of the voxel's place, not a stream. Patient coordinates are millimetres in DICOM's axes: x to the
// patient's left, y to the back, z to the head; the origin lies in the middle of the chest.
//
// The same scene gives the same samples on every machine. So there is no math beyond the exactly rounded operations (+ − × ÷ and Sqrt), no
// map is walked, and every product that is added to something goes through mul or sq, whose conversion keeps a compiler from fusing the
// two into one instruction with a different rounding.
package phantom
