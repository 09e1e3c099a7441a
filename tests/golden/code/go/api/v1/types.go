// Package v1 is not called by the part of its path that is no version.
package v1

type Event struct {
	Reason string
}
