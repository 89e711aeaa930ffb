package model

import (
	"errors"
	"os"

	"github.com/zalando/go-keyring"

	"plumbline/backend/fault"
)

// Key says where the key of a server is found; the zero value: none is needed.
type Key struct {
	Env     string `json:"env,omitempty"`     // the name of an environment variable
	Keyring string `json:"keyring,omitempty"` // the name under which the operating system's keyring holds it
}

// keyService is what our keys are filed under in the keyring.
const keyService = "plumbline"

// instead says what to do where there is no keyring.
const instead = "take an environment variable for the key, or start a keyring service (GNOME Keyring, KWallet). The system says: %w"

// Secret fetches the key. It is handed to NewEndpoint and stored nowhere.
func (k Key) Secret() (string, error) {
	switch {
	case k.Env != "":
		if v := os.Getenv(k.Env); v != "" {
			return v, nil
		}
		return "", fault.New(fault.NotFound, "fetch key", k.Env, "the environment variable is empty")
	case k.Keyring != "":
		v, err := keyring.Get(keyService, k.Keyring)
		if errors.Is(err, keyring.ErrNotFound) {
			return "", fault.New(fault.NotFound, "fetch key", k.Keyring, "the keyring has no key of this name")
		}
		if err != nil {
			return "", fault.New(fault.IO, "fetch key", k.Keyring, "the keyring of this system cannot be read; "+instead, err)
		}
		return v, nil
	}
	return "", nil
}

// Keep puts a key into the keyring under k's name; an empty one takes it out.
func (k Key) Keep(secret string) error {
	if k.Keyring == "" {
		return fault.New(fault.Usage, "keep key", "", "the profile names no entry of the keyring")
	}
	var err error
	if secret != "" {
		err = keyring.Set(keyService, k.Keyring, secret)
	} else if err = keyring.Delete(keyService, k.Keyring); errors.Is(err, keyring.ErrNotFound) {
		err = nil
	}
	if err != nil {
		return fault.New(fault.IO, "keep key", k.Keyring, "the keyring of this system cannot be written; "+instead, err)
	}
	return nil
}
