package formats

import (
	"io/fs"
	"path"
	"strings"
)

// A finder looks for pictures that records name: as named, in the folders where sets keep theirs, or anywhere below by the end of the path.
type finder struct {
	files  fs.FS
	listed map[string]bool     // every file, once they were listed
	ends   map[string][]string // base name -> files
	known  map[string]string
	last   string // the folder in which the last one was
}

// pictureFolders are where sets keep their pictures.
var pictureFolders = []string{"images", "imgs", "image", "Images", "img", "figures", "VQA_RAD Image Folder", "files", "data"}

func newFinder(files fs.FS) *finder { return &finder{files: files, known: map[string]string{}} }

// find gives the path of a picture that a file of records names; where there is none, the path as it is named.
func (f *finder) find(records, name string) string {
	name = strings.TrimPrefix(path.Clean(strings.TrimLeft(strings.ReplaceAll(name, `\`, "/"), "/")), "./")
	if name == "." || strings.Contains(name, "://") || !fs.ValidPath(name) {
		return name
	}
	dir := path.Dir(records)
	key := dir + "\x00" + name
	if got, ok := f.known[key]; ok {
		return got
	}
	got := f.look(dir, name)
	if len(f.known) < maxListed {
		f.known[key] = got
	}
	return got
}

func (f *finder) look(dir, name string) string {
	folders := append([]string{f.last, dir, ".", path.Join(dir, f.last)}, nil...)
	for _, p := range pictureFolders {
		folders = append(folders, path.Join(dir, p), p)
	}
	for _, folder := range folders {
		if at := path.Join(folder, name); f.there(at) {
			f.last = folder
			return at
		}
	}
	f.list()
	var met []string
	for _, at := range f.ends[path.Base(name)] {
		if strings.HasSuffix("/"+at, "/"+name) {
			return at
		}
		met = append(met, at)
	}
	if len(met) == 1 {
		return met[0]
	}
	return name
}

// there says whether a file is there.
func (f *finder) there(at string) bool {
	if f.listed != nil {
		return f.listed[at]
	}
	info, err := fs.Stat(f.files, at)
	return err == nil && info.Mode().IsRegular()
}

// list lists all files once. A folder of more than may be listed is not looked through.
func (f *finder) list() {
	if f.ends != nil {
		return
	}
	f.ends = map[string][]string{}
	listed, n := map[string]bool{}, 0
	err := fs.WalkDir(f.files, ".", func(at string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && d != nil && d.IsDir():
			return fs.SkipDir
		case err != nil:
			return nil
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && at != ".":
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		if n++; n > maxListed {
			return fs.SkipAll
		}
		listed[at] = true
		f.ends[d.Name()] = append(f.ends[d.Name()], at)
		return nil
	})
	if err == nil && n <= maxListed {
		f.listed = listed
	}
}

// stem finds a file by its name without its ending, in any of the folders: a set may leave the ending out.
func (f *finder) stem(records, name string, endings ...string) string {
	for _, e := range endings {
		if got := f.find(records, name+e); f.there(got) {
			return got
		}
	}
	return name + endings[0]
}
