package config

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const maxNameChars = 128

// ErrName is wrapped by what ValidName and ValidApp return.
var ErrName = errors.New("name not allowed")

// ValidName says what is wrong with the name of a stream: it has 1 to 128
// printable characters and none of "/", "\", "?", "#" and "..".
func ValidName(s string) error { return validName("stream name", s, `/\?#`) }

// ValidApp says what is wrong with the name of an app: as a stream's name, but
// "/" may divide it into parts.
func ValidApp(s string) error {
	if err := validName("app", s, `\?#`); err != nil {
		return err
	}
	for part := range strings.SplitSeq(s, "/") {
		if part == "" || part == "." {
			return fmt.Errorf("%w: the app has an empty part between slashes", ErrName)
		}
	}
	return nil
}

// validName never quotes the name: it may be a secret in the wrong place.
func validName(what, s, banned string) error {
	switch {
	case s == "":
		return fmt.Errorf("%w: the %s is empty", ErrName, what)
	case !utf8.ValidString(s):
		return fmt.Errorf("%w: the %s is not UTF-8 text", ErrName, what)
	case utf8.RuneCountInString(s) > maxNameChars:
		return fmt.Errorf("%w: the %s is longer than %d characters", ErrName, what, maxNameChars)
	case s == "." || strings.Contains(s, ".."):
		return fmt.Errorf("%w: the %s has dots that mean a folder", ErrName, what)
	}
	for _, r := range s {
		if strings.ContainsRune(banned, r) {
			return fmt.Errorf("%w: the %s contains %q", ErrName, what, r)
		}
		if !unicode.IsPrint(r) {
			return fmt.Errorf("%w: the %s contains a character that cannot be printed", ErrName, what)
		}
	}
	return nil
}
