package desk

import (
	"bytes"
	"context"
	"fmt"
	"image"
	_ "image/jpeg" // what a profile may have pictures sent as
	"slices"
	"strings"

	"plumbline/backend/fault"
	"plumbline/backend/model"
	"plumbline/backend/pixels"
	"plumbline/backend/review"
)

const sentKind = "sent"

// sentLayers gives, for each chain of a reading whose origin tells it, the picture as the model was sent it: changed as its condition says,
// through its window, in the size and format of its profile. problems say which cannot be laid over the image.
//
// Readers judge the original image by default, and how a picture was changed is the condition: so this is for who may know that.
func (r *room) sentLayers(rd *reading) (all []laid, problems []review.Problem, err error) {
	for n, c := range rd.chains {
		o, err := r.originOf(c.ID)
		if err != nil {
			return nil, nil, err
		}
		if o == nil || len(o.Recipes) == 0 || len(o.Recipes[0].Questions) == 0 {
			continue
		}
		recipe := o.Recipes[0]
		switch {
		case recipe.Sent == 0:
			problems = append(problems, review.Problem{Text: fmt.Sprintf("chain %s was sent no image", letter(n))})
			continue
		case recipe.Donor != "":
			problems = append(problems, review.Problem{Text: fmt.Sprintf("chain %s was sent the image of another case, %s, which does not lie over this one", letter(n), recipe.Donor)})
			continue
		}
		form, known := r.formOf(o.Model.Profile)
		for k, st := range rd.stacks {
			if len(st.Frames) == 0 {
				continue
			}
			columns, rows := form.Size(pixels.ShownSize(st.Frames[0]))
			words := []string{fmt.Sprintf("%d × %d pixels", columns, rows), strings.TrimPrefix(mimeOf(form), "image/")}
			if !known {
				words = []string{"its size is not known"}
			}
			if center, width, told := strings.Cut(recipe.Window, "/"); told && k == 0 {
				words = append(words, "W "+width+" L "+center)
			}
			l := laid{Layer: Layer{
				ID: fmt.Sprintf("sent-%d-%d", n+1, k+1), Kind: sentKind, Image: string(st.Image), Label: fmt.Sprintf("as model of chain %s saw it", letter(n)),
				Note: strings.Join(words, " · "), Colour: []int{}, Regions: []review.Region{}, Frames: []int{}, Rows: rows, Columns: columns, Chain: string(c.ID),
			}}
			for i := range st.Frames {
				l.Frames = append(l.Frames, i)
			}
			l.draw = func(ctx context.Context, at int) (review.Samples, error) {
				return r.sentFrame(ctx, rd.of.ID, o, recipe, k, at, form)
			}
			all = append(all, l)
		}
	}
	return all, problems, nil
}

// formOf gives how a profile has pictures sent. A built-in control gets them as they are; known is false where the profile is not here.
func (r *room) formOf(profile string) (form model.ImageForm, known bool) {
	if profile == "control" {
		return form, true
	}
	p, err := FindProfile(r.dir, profile)
	return p.Image, err == nil
}

func mimeOf(form model.ImageForm) string {
	if form.MIME == "" {
		return "image/png"
	}
	return form.MIME
}

// sentFrame makes frame n (0-based) of an image as it was sent. That it was looked at is noted for the reader of this seat.
func (r *room) sentFrame(ctx context.Context, id review.CaseID, o *review.Origin, recipe review.Recipe, stack, n int, form model.ImageForm) (review.Samples, error) {
	const op = "show picture as sent"
	if err := r.unblind("a picture as a model was sent it"); err != nil {
		return review.Samples{}, err
	}
	v, err := r.changedView(ctx, o.Chain, sightOf(id, o, recipe, recipe.Questions[0], stack))
	if err != nil {
		return review.Samples{}, err
	}
	k := slices.Index(v.Sent, n)
	if k < 0 {
		return review.Samples{}, fault.New(fault.NotFound, op, string(id), "this frame was not sent: %d of them were", len(v.Sent))
	}
	if v.Frames[k].ExifOrientation > 1 {
		return review.Samples{}, fault.New(fault.Invalid, op, string(id), "it was sent turned as its file says, and does not lie over the stored picture")
	}
	shown, err := pixels.ShowDefault(v.Frames[k], v.Samples[k])
	if err != nil {
		return review.Samples{}, err
	}
	var b bytes.Buffer
	if err := pixels.PNG(&b, shown); err != nil {
		return review.Samples{}, err
	}
	fit, _, _, err := form.Fit(model.Image{MIME: "image/png", Bytes: b.Bytes()})
	if err != nil {
		return review.Samples{}, err
	}
	img, _, err := image.Decode(bytes.NewReader(fit.Bytes))
	if err != nil {
		return review.Samples{}, err
	}
	return samplesOf(img), nil
}

// samplesOf gives a picture as samples of 8 bits: grey, or RGB.
func samplesOf(img image.Image) review.Samples {
	b := img.Bounds()
	s := review.Samples{Rows: b.Dy(), Columns: b.Dx(), PerPixel: 1, BitsAllocated: 8}
	grey, isGrey := img.(*image.Gray)
	if !isGrey {
		s.PerPixel = 3
	}
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if isGrey {
				s.Data = append(s.Data, grey.GrayAt(x, y).Y)
				continue
			}
			red, green, blue, _ := img.At(x, y).RGBA()
			s.Data = append(s.Data, byte(red>>8), byte(green>>8), byte(blue>>8))
		}
	}
	return s
}
