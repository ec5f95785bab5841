// Package health watches the packets of a stream go by and says, in numbers and
// in plain words, how the stream is doing.
package health
