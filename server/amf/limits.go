package amf

// Limits bounds what one Decode accepts, so that a message cannot cost more than
// its length suggests (RELIABILITY 1). A field that is 0 has its default.
type Limits struct {
	// Depth is how deep objects and arrays may be nested. Default 8.
	Depth int
	// Properties is how many one object or associative array may have. Default 256.
	Properties int
	// Values is how many values a message may have, all depths together; a value that
	// is referred to again counts again. Default 4096.
	Values int
	// StringBytes is the length of a string, name or document. Default 16 KiB.
	StringBytes int
}

// DefaultLimits returns the defaults.
func DefaultLimits() Limits {
	return Limits{Depth: 8, Properties: 256, Values: 4096, StringBytes: 16 << 10}
}

func (l Limits) normalize() Limits {
	d := DefaultLimits()
	if l.Depth == 0 {
		l.Depth = d.Depth
	}
	if l.Properties == 0 {
		l.Properties = d.Properties
	}
	if l.Values == 0 {
		l.Values = d.Values
	}
	if l.StringBytes == 0 {
		l.StringBytes = d.StringBytes
	}
	return l
}
