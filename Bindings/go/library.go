//go:build !trackengine_agent

package trackengine

// #cgo pkg-config: trackengine
import "C"
