package store

// ignoreUnsupported drops the error: Windows cannot sync a folder, and its journal keeps renames in order.
func ignoreUnsupported(error) error { return nil }
