package stream

// deque is a growing ring: what is appended at the end leaves at the front. A
// steady length costs no allocation.
type deque[T any] struct {
	ring  []T // its length is zero or a power of two
	first int // index of the front in ring
	n     int
}

func (d *deque[T]) len() int { return d.n }

// at returns the element i places behind the front.
func (d *deque[T]) at(i int) *T { return &d.ring[(d.first+i)&(len(d.ring)-1)] }

func (d *deque[T]) push(v T) {
	if d.n == len(d.ring) {
		ring := make([]T, max(16, 2*d.n))
		for i := range d.n {
			ring[i] = *d.at(i)
		}
		d.ring, d.first = ring, 0
	}
	d.n++
	*d.at(d.n - 1) = v
}

// drop removes the k frontmost elements and lets go of what they point to.
func (d *deque[T]) drop(k int) {
	var zero T
	for i := range k {
		*d.at(i) = zero
	}
	if d.n -= k; d.n == 0 {
		d.first = 0
		return
	}
	d.first = (d.first + k) & (len(d.ring) - 1)
}
