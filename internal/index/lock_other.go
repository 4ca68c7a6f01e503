//go:build !unix

package index

const lockName = "write.lock"

// lockDir does nothing here: keeping two processes from writing is left to the
// operator on systems without advisory locks.
func lockDir(string) (unlock func() error, err error) {
	return func() error { return nil }, nil
}
