package formats

import (
	"encoding/json"
	"path"
	"strings"
)

// msCXRCocoFormat reads MS-CXR as COCO: pictures, kinds and boxes in lists of their own, brought together into the rows of its table.
func msCXRCocoFormat() format {
	return format{
		id: "ms-cxr-coco",
		Format: Format{Name: "ms-cxr", Title: "MS-CXR", Cluster: "patient", Files: []Shape{{"*.json (COCO)", []string{"images[{id, file_name, path, width, height}]",
			"annotations[{image_id, category_id, bbox[x,y,w,h], label_text}]", "categories[{id, name}]"}}}},
		licence:   credentialed("MS-CXR"),
		container: "annotations",
		needs:     [][]string{{"@annotations", "image_id", "bbox", "label_text"}},
		open: func(w *work) (func(row), func()) {
			var marks []row
			return func(r row) { marks = append(marks, r) }, func() { w.msCXRCoco(marks) } // the lists may come in any order
		},
	}
}

// cocoImage is a picture of a COCO file, cocoCategory a kind.
type cocoImage struct {
	ID     json.RawMessage `json:"id"`
	File   string          `json:"file_name"`
	Path   string          `json:"path"`
	Width  json.RawMessage `json:"width"`
	Height json.RawMessage `json:"height"`
}

type cocoCategory struct {
	ID   json.RawMessage `json:"id"`
	Name string          `json:"name"`
}

// msCXRCoco makes a row of each box, and a case of each phrase of a film.
func (w *work) msCXRCoco(marks []row) {
	if len(marks) == 0 {
		return
	}
	var images []cocoImage
	var kinds []cocoCategory
	head := row{fields: marks[0].head}
	if !head.into("images", &images) || !head.into("categories", &kinds) {
		w.note(marks[0], "images", "lists of images and of categories expected beside the annotations; nothing is read")
		return
	}
	films, names := map[string]cocoImage{}, map[string]string{}
	for _, m := range images {
		films[numeral(textOf(m.ID))] = m
	}
	for _, k := range kinds {
		names[numeral(textOf(k.ID))] = k.Name
	}
	groups, order := map[string][]row{}, []string{}
	for _, r := range marks {
		film, known := films[r.key("image_id")]
		if !known {
			w.note(r, "image_id", "image %s is not in this file; its box is left out", shorten(r.key("image_id")))
			continue
		}
		cells := map[string]string{"dicom_id": strings.TrimSuffix(path.Base(film.File), path.Ext(film.File)), "path": film.Path, "label_text": r.text("label_text"),
			"category_name": names[r.key("category_id")], "image_width": textOf(film.Width), "image_height": textOf(film.Height)}
		var box []json.RawMessage
		if r.into("bbox", &box) && len(box) == 4 {
			for i, name := range []string{"x", "y", "w", "h"} {
				cells[name] = textOf(box[i])
			}
		}
		key := cells["dicom_id"] + "\x00" + cells["label_text"]
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], row{file: r.file, line: r.line, cells: cells})
	}
	for _, key := range order {
		w.msCXR(groups[key])
	}
}
