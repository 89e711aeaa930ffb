// Package bundle is the container in which work and words travel between workstations: a manifest, its Ed25519 signature and files, in a zip
// archive with fixed limits, locked by age with a passphrase or for a key.
//
// It knows nothing of what the files hold. Whoever opens a bundle may be handed anything: the signature is verified before anything else of
// the content is read, and every file only as it is wanted, against the size and hash that were signed. Nobody else has heard of age.
package bundle
