//go:build !linux && !windows

package shapes

func poll() {}
