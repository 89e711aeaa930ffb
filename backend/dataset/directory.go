package dataset

import (
	"context"
	"path"
	"path/filepath"
	"strings"

	"plumbline/backend/dcm"
)

// isDirectory tells a DICOMDIR by its name.
func isDirectory(rel string) bool { return strings.EqualFold(path.Base(rel), "DICOMDIR") }

// Lists tells whether a path is, by its name, a file that lists others: a zip archive or a DICOMDIR.
func Lists(path string) bool {
	return (isArchive(path) || isDirectory(filepath.ToSlash(path))) && exists(path)
}

// plainName gives a file's name as it is compared with what a DICOMDIR lists: discs write it in capitals or small letters, with a version or
// a dot behind it.
func plainName(rel string) string {
	rel = strings.ToUpper(rel)
	if cut := strings.LastIndex(rel, ";"); cut > strings.LastIndex(rel, "/") {
		rel = rel[:cut]
	}
	return strings.TrimSuffix(rel, ".")
}

// checkDirectories says of every DICOMDIR among files what it lists and is not there. A folder is read whole, listed or not.
func (s *Set) checkDirectories(files []found, t *troubles) {
	var there map[string]found
	for _, f := range files {
		if f.wrong != "" || !isDirectory(f.rel) {
			continue
		}
		if there == nil {
			there = byPlainName(files)
		}
		listed, err := dcm.Directory(filepath.Join(s.root.dir, filepath.FromSlash(f.rel)), s.files.open)
		if err != nil {
			t.addf("", f.rel, 0, "", "%s; the files beside it are read all the same", reason(err))
		}
		for _, name := range listed {
			if _, ok := there[plainName(path.Join(path.Dir(f.rel), name))]; !ok {
				t.addf("", f.rel, 0, "", "lists %s, which is not there", short(name))
			}
		}
	}
}

func byPlainName(files []found) map[string]found {
	out := make(map[string]found, len(files))
	for _, f := range files {
		out[plainName(f.rel)] = f
	}
	return out
}

// directoryFiles lists what the DICOMDIR that was opened names, below its folder and nowhere else.
func (s *Set) directoryFiles(ctx context.Context, t *troubles) ([]found, error) {
	listed, err := dcm.Directory(filepath.Join(s.root.dir, s.only), s.files.open)
	if err != nil && len(listed) == 0 {
		return nil, err
	}
	if err != nil {
		t.addf("", s.only, 0, "", "%s; what it lists before is read", reason(err))
	}
	files, err := walk(ctx, s.root.dir)
	if err != nil {
		return nil, err
	}
	there := byPlainName(files)
	var out []found
	for _, name := range listed {
		f, ok := there[plainName(path.Clean(name))]
		if !ok {
			t.addf("", s.only, 0, "", "lists %s, which is not there", short(name))
			if filepath.IsLocal(filepath.FromSlash(name)) {
				s.sources[path.Clean(name)] = stamp{Size: -1} // once it comes, the set is another
			}
			continue
		}
		s.sources[f.rel] = f.stamp
		out = append(out, f)
	}
	return out, nil
}
