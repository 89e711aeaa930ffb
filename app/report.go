package app

import (
	"bytes"
	"context"
	"encoding/base64"
	"path/filepath"

	"plumbline/backend/fault"
	"plumbline/backend/report"
	"plumbline/backend/store"
)

// ReportOf computes the report of what passes a filter; only the coordinator may see it.
func (a *App) ReportOf(filter report.Filter) (report.Document, error) {
	return bound(a, func(ctx context.Context, d acts) (report.Document, error) { return d.ReportOf(ctx, filter) })
}

// CompareReport gives the paired differences of two entries of a report, or of two conditions of one.
func (a *App) CompareReport(filter report.Filter, pair report.Pair) ([]report.Comparison, error) {
	return bound(a, func(ctx context.Context, d acts) ([]report.Comparison, error) {
		return d.CompareReport(ctx, filter, pair)
	})
}

// BehindReport lists what stands behind the bars of one entry of a report.
func (a *App) BehindReport(filter report.Filter, key string) ([]report.Fact, error) {
	return bound(a, func(ctx context.Context, d acts) ([]report.Fact, error) { return d.BehindReport(ctx, filter, key) })
}

// SaveFigure asks for a name and writes a figure: text, or a picture as base64 where the name ends with .png; "" when the reader cancels.
func (a *App) SaveFigure(title, name, content string) (string, error) {
	return bound(a, func(context.Context, acts) (string, error) {
		b := []byte(content)
		if filepath.Ext(name) == ".png" {
			var err error
			if b, err = base64.StdEncoding.DecodeString(content); err != nil || !bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")) {
				return "", fault.New(fault.Invalid, "save figure", name, "a PNG in base64 expected")
			}
		}
		path, err := a.face.window.nameFigure(a.face.ctx, title, name)
		if err != nil || path == "" {
			return "", err
		}
		return path, store.Replace(path, b)
	})
}
