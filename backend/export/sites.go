package export

// siteFormats are those that travel between sites.
func siteFormats() []Format { return nil }
