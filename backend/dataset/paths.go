package dataset

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// place is where a path written in a dataset leads.
type place struct {
	path    string // on this machine
	rel     string // as it is called in problems: relative to the dataset, with forward slashes
	info    fs.FileInfo
	outside bool   // a regular file beside the dataset, named by ../
	wrong   string // why it is not used, or ""
}

// root is the folder of a dataset, and where it really lies once links are followed.
type root struct{ dir, real string }

// newRoot follows the links of dir once.
func newRoot(dir string) (root, error) {
	real, err := filepath.EvalSymlinks(dir)
	return root{dir, real}, err
}

// locate finds what a record calls by a relative path. A path stays below the root, links included; only a regular file may lie beside the
// dataset, named by ../ and never by an absolute path or through a link.
func (r root) locate(name string) place {
	p := place{rel: name}
	clean := path.Clean(name)
	switch {
	case name == "":
		p.wrong = "no path"
	case strings.ContainsAny(name, "\\\x00"):
		p.wrong = "a path has forward slashes and no special characters"
	case path.IsAbs(name) || filepath.IsAbs(filepath.FromSlash(name)) || filepath.VolumeName(filepath.FromSlash(name)) != "":
		p.wrong = "absolute path; a path relative to the dataset expected"
	}
	if p.wrong != "" {
		return p
	}
	p.rel, p.path = clean, filepath.Join(r.dir, filepath.FromSlash(clean))
	info, err := os.Stat(p.path)
	if err != nil {
		p.wrong = "file not found"
		if !os.IsNotExist(err) {
			p.wrong = "cannot be read: " + cause(err)
		}
		return p
	}
	p.info, p.outside = info, clean == ".." || strings.HasPrefix(clean, "../")
	if !p.info.Mode().IsRegular() && !p.info.IsDir() {
		p.wrong = "neither a file nor a folder"
		return p
	}
	if p.outside {
		if link, err := os.Lstat(p.path); err != nil || !link.Mode().IsRegular() {
			p.wrong = "leaves the dataset; only a regular file beside it can be named so"
		}
		return p
	}
	if !r.holds(p.path) {
		p.wrong = "leaves the dataset through a link"
	}
	return p
}

// holds says whether a path, with all links followed, lies in the root or is it.
func (r root) holds(name string) bool {
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(r.real, real)
	return err == nil && filepath.IsLocal(rel)
}

// cause gives the system's words without the path, which the problem names already.
func cause(err error) string {
	if e, ok := err.(*fs.PathError); ok {
		return e.Err.Error()
	}
	return err.Error()
}
