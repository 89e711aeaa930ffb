package desk

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"

	"plumbline/backend/dcm"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// image packs an image: the files that its frames lie in, each written anew without anything but its picture.
func (p *packer) image(ctx context.Context, rd read, n int, st review.Stack) error {
	uid := func(parts ...string) string {
		return dcm.UID(append([]string{p.room.secret(), string(rd.ID), fmt.Sprint(n)}, parts...)...)
	}
	one := ownImage(st)
	space := uid("frame of reference") // stacks that share one here share one there, or places could not be followed from one to the other
	if st.Space != "" {
		space = dcm.UID(p.room.secret(), string(rd.ID), "frame of reference", st.Space)
	}
	for at, number := 0, 1; at < len(st.Frames); number++ {
		end := at + 1
		for end < len(st.Frames) && st.Frames[end].Path == st.Frames[at].Path {
			end++
		}
		frames := st.Frames[at:end]
		samples, err := p.samples(ctx, rd, st, frames)
		if err != nil {
			return err
		}
		var file bytes.Buffer
		name := fmt.Sprintf("%s/%s/%06d", dataFolder, imageFolder(rd.code, n), number)
		if dcm.IsPicture(frames[0]) {
			if len(samples) == 0 {
				return nil // a picture that cannot be shown stays away
			}
			name, err = name+".png", dcm.WritePicture(&file, frames[0], samples[0])
		} else {
			plain := dcm.Plain{
				Modality: st.Modality, StudyUID: dcm.UID(p.room.secret(), string(rd.ID)), SeriesUID: uid("series"), InstanceUID: uid("instance", fmt.Sprint(number)),
				FrameOfReference: space, Number: number, Synthetic: st.Synthetic,
			}
			if one {
				plain.InstanceUID = uid("instance")
			}
			name, err = name+".dcm", dcm.WritePlain(&file, plain, frames, samples)
		}
		if err != nil {
			return err
		}
		if err := p.out.Add(name, file.Bytes()); err != nil {
			return err
		}
		p.packed.Frames += len(samples)
		at = end
	}
	if len(st.Frames) > 0 {
		p.packed.Images++
	}
	return nil
}

// heatmaps packs the heatmaps of a read's chains: their values, in one form whatever they came in. One that cannot be read is a problem, and
// the reader is told of it as here.
func (p *packer) heatmaps(ctx context.Context, b blinded) error {
	for _, name := range slices.Sorted(maps.Keys(b.back.heatmaps)) {
		h, err := p.room.set.Heat(ctx, b.back.heatmaps[name])
		switch kind := fault.KindOf(err); {
		case kind == fault.Cancelled || kind == fault.IO:
			return err
		case err != nil:
			p.packed.Problems = append(p.packed.Problems, review.Problem{
				File: b.back.heatmaps[name], Field: string(b.back.of), Text: fmt.Sprintf("this heatmap cannot be shown, here as there: %s", reasonOf(err)),
			})
			continue
		}
		if err := p.out.Add(dataFolder+"/"+name, h.WriteNPY()); err != nil {
			return err
		}
	}
	return nil
}

// ownImage tells an image whose files belong together by their instance and not by their series: of a projection, or of many frames.
func ownImage(st review.Stack) bool {
	files := map[string]bool{}
	for _, f := range st.Frames {
		if files[f.Path] {
			return true
		}
		files[f.Path] = true
	}
	return dcm.Projection(st.Modality)
}

// samples decodes the frames of one file; none where one of them cannot be decoded, which is a problem and keeps nobody from the rest.
func (p *packer) samples(ctx context.Context, rd read, st review.Stack, frames []review.Frame) ([]review.Samples, error) {
	all := make([]review.Samples, 0, len(frames))
	for _, f := range frames {
		_, s, err := p.room.set.Samples(ctx, rd.Case, st.Image, f.Index)
		switch kind := fault.KindOf(err); {
		case err == nil:
			all = append(all, s)
		case kind == fault.Invalid || kind == fault.Damaged || kind == fault.NotFound:
			p.packed.Problems = append(p.packed.Problems, review.Problem{
				File: string(rd.Case), Field: string(st.Image), Text: fmt.Sprintf("frame %d cannot be shown, here as there: %v", f.Index, err),
			})
			return nil, nil
		default:
			return nil, err
		}
	}
	return all, nil
}
