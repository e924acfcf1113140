package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"convene/pkg/account"
)

// secretsCommand makes and rotates the keyset that seals tokens and passwords.
type secretsCommand struct {
	New    newSecretsCommand    `cmd:"" help:"Write a new keyset to a file that only its owner can read."`
	Rotate rotateSecretsCommand `cmd:"" help:"Put a new key at the head of a keyset; what older ones sealed can still be opened."`
}

type newSecretsCommand struct {
	File string `arg:"" help:"File to write; it must not be there yet."`
}

// Run writes the keyset. It never replaces a file, because what its keys sealed could not be opened again.
func (c *newSecretsCommand) Run(std streams) error {
	keyset, err := account.NewKeyset()
	if err != nil {
		return err
	}
	file, err := os.OpenFile(c.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return misuse{fmt.Errorf("%s is there already; 'convene secrets rotate' renews it", c.File)}
	}
	if err != nil {
		return misuse{err}
	}
	if _, err := file.Write(keyset); err != nil {
		return errors.Join(fmt.Errorf("write keyset: %w", err), file.Close())
	}
	if err := file.Close(); err != nil {
		return fmt.Errorf("write keyset: %w", err)
	}
	_, err = fmt.Fprintf(std.out, "Wrote %s. Set CONVENE_SECRETS_KEYSET to its path, and keep a copy.\n", c.File)
	return err
}

type rotateSecretsCommand struct {
	File string `arg:"" help:"File with the keyset."`
}

// Run replaces the file atomically, so that a crash leaves one whole keyset.
func (c *rotateSecretsCommand) Run(std streams) error {
	old, err := os.ReadFile(c.File)
	if err != nil {
		return misuse{err}
	}
	keyset, err := account.Rotate(old)
	if err != nil {
		return misuse{fmt.Errorf("%s: %w", c.File, err)}
	}
	beside, err := os.CreateTemp(filepath.Dir(c.File), ".keyset-*")
	if err != nil {
		return fmt.Errorf("write keyset: %w", err)
	}
	defer os.Remove(beside.Name())
	_, err = beside.Write(keyset)
	if err = errors.Join(err, beside.Sync(), beside.Close()); err == nil {
		err = os.Rename(beside.Name(), c.File)
	}
	if err != nil {
		return fmt.Errorf("write keyset: %w", err)
	}
	_, err = fmt.Fprintf(std.out, "Rotated %s. Processes take the new key when they start again.\n", c.File)
	return err
}
