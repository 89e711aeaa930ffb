package main

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/rs/zerolog"

	"plumbline/backend/desk"
	"plumbline/backend/fault"
	"plumbline/backend/review"
)

// atDesk runs fn at a desk with the workspace of the command line open. create makes the workspace where it is missing, with the seat of
// --seat; without it a missing workspace is fault NotFound.
func (f *face) atDesk(ctx context.Context, create bool, tell review.Tell, fn func(*desk.Desk) error) error {
	if f.workspace == "" {
		return fault.New(fault.Usage, "open workspace", "", "name it with --workspace DIR or PLUMBLINE_WORKSPACE")
	}
	return f.sit(tell, func(d *desk.Desk) error {
		open := d.OpenExisting
		if create {
			open = d.OpenWorkspace
		}
		if _, err := open(ctx, f.workspace); err != nil {
			return err
		}
		return fn(d)
	})
}

// sit runs fn at a desk with no workspace open.
func (f *face) sit(tell review.Tell, fn func(*desk.Desk) error) error {
	seat, err := seatNamed(f.seat)
	if err != nil {
		return err
	}
	folders, err := desk.DefaultFolders()
	if err != nil {
		return err
	}
	log, file, err := folders.OpenLog()
	if err != nil { // a log that cannot be written stops no command
		log, file = zerolog.Nop(), io.NopCloser(nil)
	}
	defer file.Close()
	d := desk.New(desk.Options{Folders: folders, Tell: tell, Log: log, Seat: seat, Stay: true})
	return errors.Join(fn(d), d.Close())
}

// seatNamed reads --seat: "coordinator", the code of a reader, or "adjudicator:" and the code of one.
func seatNamed(name string) (desk.Seat, error) {
	switch name {
	case "", desk.Coordinator:
		return desk.Seat{Role: desk.Coordinator, Reader: "R1"}, nil
	case desk.Reader:
		return desk.Seat{}, fault.New(fault.Usage, "take seat", name, "a reader's seat is named by the reader's code")
	}
	if code, adjudicator := strings.CutPrefix(name, desk.Adjudicator+":"); adjudicator {
		return desk.Seat{Role: desk.Adjudicator, Reader: review.ReaderID(code)}, nil
	}
	return desk.Seat{Role: desk.Reader, Reader: review.ReaderID(name)}, nil
}
