// Package pixels turns decoded samples into what is seen: modality values, grey, colour, pictures. Pure functions on a frame and its samples.
//
// The order is that of PS3.4 N.2 and PS3.3 C.11: stored value → modality value (rescale or table) → VOI (window or table) → grey, inverted
// once at the very end for MONOCHROME1 or an INVERSE presentation.
package pixels
