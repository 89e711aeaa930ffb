package export

import (
	"context"
	"fmt"
	"io"

	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// imageFormats are those of regions on images.
func imageFormats() []Format {
	coco := Format{Name: "coco", Title: "regions as COCO", For: "images", Files: []Shape{
		{"annotations.json", []string{
			"info", "licenses", "images[{id,file_name,width,height,…}]", "annotations[{id,image_id,category_id,bbox[x,y,w,h],area,segmentation,iscrowd,attributes}]", "categories[{id,name}]",
		}}, {"images/", []string{"the pictures as they are shown"}},
	}, begin: newCOCO}
	return append([]Format{coco}, dicomFormats()...)
}

// coco writes every picture of every case and the boxes and polygons on them. Annotations come in a second walk over the cases: COCO holds all
// images before, and none of it need stay in memory.
type coco struct {
	*job
	list
	next       int // id of the next image of the second walk
	categories map[string]int
	order      []string
}

type cocoImage struct {
	ID       int    `json:"id"`
	File     string `json:"file_name"`
	Width    int    `json:"width"`
	Height   int    `json:"height"`
	License  int    `json:"license"`
	Case     string `json:"case"`
	Cluster  string `json:"cluster_id"`
	Split    string `json:"split,omitempty"`
	Image    string `json:"image"`
	Frame    int    `json:"frame"` // 0-based
	Modality string `json:"modality,omitempty"`
	EXIF     int    `json:"exif_orientation,omitempty"` // how the stored picture is to be turned; width and height are as shown
	Columns  int    `json:"stored_width,omitempty"`
	Rows     int    `json:"stored_height,omitempty"`
}

type cocoAnnotation struct {
	ID           int            `json:"id"`
	Image        int            `json:"image_id"`
	Category     int            `json:"category_id"`
	Box          [4]float64     `json:"bbox"` // x, y, width, height in pixels of the picture as shown
	Area         float64        `json:"area"`
	Segmentation [][]float64    `json:"segmentation"`
	Crowd        int            `json:"iscrowd"`
	Attributes   cocoAttributes `json:"attributes"`
}

type cocoAttributes struct {
	Region   string      `json:"region"`
	Source   string      `json:"source"`
	Reader   string      `json:"reader,omitempty"`
	What     string      `json:"what"`
	Chain    string      `json:"chain,omitempty"`
	Question string      `json:"question,omitempty"`
	Step     string      `json:"step,omitempty"`
	Support  string      `json:"support,omitempty"`
	Rubric   string      `json:"rubric,omitempty"`
	Adopted  bool        `json:"adopted,omitempty"`     // taken over from the model
	Stored   *[4]float64 `json:"bbox_stored,omitempty"` // where the picture is shown turned: the box in it as stored
}

func newCOCO(j *job) (writer, error) {
	x, err := j.create("annotations.json")
	if err != nil {
		return nil, err
	}
	w := &coco{job: j, list: list{x}, categories: map[string]int{}}
	info, err := plainJSON(struct {
		Description string `json:"description"`
		Version     string `json:"version"`
		Contributor string `json:"contributor"`
		Created     string `json:"date_created"`
	}{j.Info.Name, j.Info.Version, "Plumbline " + j.Version, j.At})
	if err != nil {
		return nil, fault.New(fault.Internal, writeOp, x.name, "%w", err)
	}
	licence, err := plainJSON([]struct {
		ID   int    `json:"id"`
		Name string `json:"name"`
		URL  string `json:"url"`
	}{{1, j.Info.Licence.Name, j.Info.Licence.URL}})
	if err != nil {
		return nil, fault.New(fault.Internal, writeOp, x.name, "%w", err)
	}
	_, err = fmt.Fprintf(x, "{\"info\": %s, \"licenses\": %s, \"images\": ", info[:len(info)-1], licence[:len(licence)-1])
	return w, err
}

// pictured lists the pictures of a case: every frame with a region that COCO can hold, and of an image without one its middle frame.
func (w *coco) pictured(c *Case) []frameAt {
	var out []frameAt
	regions := c.regions()
	for i, s := range c.Stacks {
		first := len(out)
		for n := range s.Frames {
			at := frameAt{i, n}
			for _, r := range regions {
				if _, _, ok := outline(r.Region); ok && c.has(at, r.Region) {
					out = append(out, at)
					break
				}
			}
		}
		if len(out) == first && len(s.Frames) > 0 {
			out = append(out, frameAt{i, len(s.Frames) / 2})
		}
	}
	return out
}

func (w *coco) add(ctx context.Context, c *Case) error {
	at := w.pictured(c)
	if len(at) == 0 {
		return w.counts.left(unitCases, string(c.ID), "no image")
	}
	w.counts.wrote(unitCases, 1)
	for _, a := range at {
		s := c.Stacks[a.stack]
		f := s.Frames[a.frame]
		path, err := w.picture(ctx, c, s, a.frame)
		if err != nil {
			return err
		}
		if path == "" {
			w.note("pictures listed without a file: they cannot be shown")
		}
		row := cocoImage{
			ID: w.rows + 1, File: path, Width: f.Columns, Height: f.Rows, License: 1, Case: string(c.ID), Cluster: c.Cluster, Image: string(s.Image), Frame: a.frame,
			Modality: s.Modality, EXIF: f.ExifOrientation,
		}
		if w.split != nil {
			row.Split = w.split.of[c.ID]
		}
		if f.ExifOrientation > 1 {
			row.Columns, row.Rows = f.Columns, f.Rows
		}
		if f.ExifOrientation >= 5 {
			row.Width, row.Height = f.Rows, f.Columns
		}
		if err := w.item(row); err != nil {
			return err
		}
		w.counts.wrote(unitPictures, 1)
	}
	return nil
}

// unitPictures counts pictures.
const unitPictures = "pictures"

func (w *coco) end(ctx context.Context) error {
	if err := w.list.end(); err != nil {
		return err
	}
	if _, err := io.WriteString(w.list, ", \"annotations\": "); err != nil {
		return err
	}
	images := w.rows
	w.rows = 0
	if err := w.Each(ctx, w.annotate); err != nil {
		return err
	}
	if err := w.list.end(); err != nil {
		return err
	}
	w.rows += images
	type category struct {
		ID    int    `json:"id"`
		Name  string `json:"name"`
		Super string `json:"supercategory"`
	}
	categories := []category{}
	for i, name := range w.order {
		categories = append(categories, category{i + 1, name, "evidence"})
	}
	b, err := plainJSON(categories)
	if err != nil {
		return fault.New(fault.Internal, writeOp, w.name, "%w", err)
	}
	_, err = fmt.Fprintf(w.list, ", \"categories\": %s}\n", b[:len(b)-1])
	return err
}

// annotate writes the regions of a case.
func (w *coco) annotate(c *Case) error {
	at := w.pictured(c)
	first := w.next
	w.next += len(at)
	for _, r := range c.regions() {
		id := string(c.ID) + "/" + string(r.ID)
		box, path, ok := outline(r.Region)
		i := c.stackOf(r.Image)
		switch {
		case i < 0:
			if err := w.counts.left(unitRegions, id, "on an image that cannot be shown"); err != nil {
				return err
			}
			continue
		case !ok:
			if err := w.counts.left(unitRegions, id, "COCO holds no "+string(r.Shape)); err != nil {
				return err
			}
			continue
		}
		w.counts.wrote(unitRegions, 1)
		w.label(Label{From: labelSource(r), Readers: given(r.Reader), Rubric: r.Rubric})
		for k, a := range at {
			if c.has(a, r.Region) {
				if err := w.item(w.annotation(first+k+1, c.Stacks[a.stack].Frames[a.frame], r, box, path)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// labelSource says where a region is from, as labels do.
func labelSource(r marked) string {
	if r.Source == "reader" {
		return fromHuman
	}
	return r.Source
}

func given(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

func (w *coco) annotation(image int, f review.Frame, r marked, box [4]float64, path []float64) cocoAnnotation {
	category, known := w.categories[r.Class]
	if !known {
		w.order = append(w.order, r.Class)
		category = len(w.order)
		w.categories[r.Class] = category
	}
	a := cocoAnnotation{ID: w.rows + 1, Image: image, Category: category, Attributes: cocoAttributes{
		Region: string(r.ID), Source: r.Source, Reader: r.Reader, What: r.What, Chain: string(r.Chain), Question: string(r.Question), Step: string(r.Step),
		Support: string(r.Support), Rubric: r.Rubric, Adopted: r.Adopted,
	}}
	columns, rows := float64(f.Columns), float64(f.Rows)
	if f.ExifOrientation > 1 {
		stored := pixelBox(box, columns, rows)
		a.Attributes.Stored = &stored
	}
	if f.ExifOrientation >= 5 {
		columns, rows = rows, columns
	}
	a.Box = pixelBox(turned(box, f.ExifOrientation), columns, rows)
	segment := make([]float64, 0, len(path))
	for i := 0; i+1 < len(path); i += 2 {
		p := turned([4]float64{path[i], path[i+1], path[i], path[i+1]}, f.ExifOrientation)
		segment = append(segment, round4(p[0]*columns), round4(p[1]*rows))
	}
	a.Segmentation, a.Area = [][]float64{segment}, round4(areaOf(segment))
	return a
}

// pixelBox gives a box of fractions as x, y, width, height in pixels.
func pixelBox(b [4]float64, columns, rows float64) [4]float64 {
	return [4]float64{round4(b[0] * columns), round4(b[1] * rows), round4((b[2] - b[0]) * columns), round4((b[3] - b[1]) * rows)}
}

// outline gives the box around a region and its path, in fractions of the stored image; false for what COCO cannot hold.
func outline(r review.Region) (box [4]float64, path []float64, ok bool) {
	if r.Shape != review.Box && r.Shape != review.Polygon {
		return box, nil, false
	}
	if box, ok = boxOf(r); !ok {
		return box, nil, false
	}
	if r.Shape == review.Polygon {
		return box, r.Coords, true
	}
	return box, []float64{box[0], box[1], box[2], box[1], box[2], box[3], box[0], box[3]}, true
}

// areaOf is the area of a closed path (the shoelace formula).
func areaOf(path []float64) float64 {
	sum, n := 0.0, len(path)
	for i := 0; i+1 < n; i += 2 {
		j := (i + 2) % n
		sum += path[i]*path[j+1] - path[j]*path[i+1]
	}
	return max(sum, -sum) / 2
}
