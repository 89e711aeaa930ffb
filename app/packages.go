package app

import (
	"context"

	"plumbline/backend/bundle"
	"plumbline/backend/desk"
)

// Keys gives the public keys of this machine, to be told to the other side.
func (a *App) Keys() (desk.MachineKeys, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.MachineKeys, error) { return d.Keys(ctx) })
}

// Packages tells what went out to readers and what came back.
func (a *App) Packages() (desk.Packages, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Packages, error) { return d.Packages(ctx) })
}

// ChoosePackage asks for a package by the system's dialog; "" when nobody chose one.
func (a *App) ChoosePackage(title string) (string, error) {
	return bound(a, func(context.Context, acts) (string, error) {
		return a.face.window.choosePackage(a.face.ctx, title)
	})
}

// MakeWork asks for a name by the system's dialog and packs what a reader reads, locked with a passphrase or, without one, for the machine
// of that name. A result without a path says that no name was given.
func (a *App) MakeWork(title, reader, passphrase, recipient string) (desk.Packed, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Packed, error) {
		path, err := a.face.window.namePackage(a.face.ctx, title, "work-"+reader+packageEnding)
		if err != nil || path == "" {
			return desk.Packed{}, err
		}
		return d.MakeWork(ctx, reader, path, lockFor(passphrase, recipient))
	})
}

// HandBack asks for a name by the system's dialog and packs what was said here: for whoever sent the work, or with a passphrase. A result
// without a path says that no name was given.
func (a *App) HandBack(title, passphrase string) (desk.Packed, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Packed, error) {
		s, err := d.State(ctx)
		if err != nil {
			return desk.Packed{}, err
		}
		path, err := a.face.window.namePackage(a.face.ctx, title, "answers-"+s.Reader+packageEnding)
		if err != nil || path == "" {
			return desk.Packed{}, err
		}
		return d.MakeWords(ctx, path, lockFor(passphrase, ""))
	})
}

// OpenWork makes a reader's workspace of a package, or adds a later one to it, and opens it.
func (a *App) OpenWork(path, passphrase string) (desk.Opened, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Opened, error) { return d.OpenWork(ctx, path, "", passphrase) })
}

// Merge takes back what a reader handed back; trust is the fingerprint of another key that is accepted from now on, or "".
func (a *App) Merge(path, passphrase, trust string) (desk.Merged, error) {
	return bound(a, func(ctx context.Context, d acts) (desk.Merged, error) { return d.Merge(ctx, path, passphrase, trust) })
}

// packageEnding is how the names of packages end.
const packageEnding = ".plumb"

func lockFor(passphrase, recipient string) bundle.Lock {
	lock := bundle.Lock{Passphrase: passphrase}
	if passphrase == "" && recipient != "" {
		lock.Recipients = []string{recipient}
	}
	return lock
}
