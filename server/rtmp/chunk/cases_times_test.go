package chunk

// S2-04: times, above all extended ones, in the ways in which peers send them.
var timeCases = []wireCase{
	{ // C-07
		"fmt 3 begins messages and adds the last delta",
		"04 00000A 000002 09 01000000 AAAA  44 000028 000002 09 BBBB  C4 CCCC  C4 DDDD",
		[]said{
			{4, 10, 9, 1, "AAAA"},
			{4, 50, 9, 1, "BBBB"},
			{4, 90, 9, 1, "CCCC"},
			{4, 130, 9, 1, "DDDD"},
		},
		nil,
	},
	{
		"fmt 3 after fmt 0 adds the time itself (FMLE)",
		"04 00001A 000001 08 01000000 AA  C4 BB",
		[]said{
			{4, 26, 8, 1, "AA"},
			{4, 52, 8, 1, "BB"},
		},
		nil,
	},
	{ // C-09, S2-04
		"an extended delta is a delta",
		"04 002AF8 000080 09 01000000 128*00  44 FFFFFF 000080 09 00FFFC18 128*00",
		[]said{
			{4, 11000, 9, 1, "128*00"},
			{4, 16787216, 9, 1, "128*00"},
		},
		nil,
	},
	{ // C-11, S2-04
		"extended time repeated on a continuation",
		"04 FFFFFF 0000C8 09 01000000 01312D00 128*AA  C4 01312D00 72*BB",
		[]said{{4, 20000000, 9, 1, "128*AA 72*BB"}},
		nil,
	},
	{ // C-11, S2-04
		"extended time not repeated on a continuation",
		"04 FFFFFF 0000C8 09 01000000 01312D00 128*AA  C4 72*BB",
		[]said{{4, 20000000, 9, 1, "128*AA 72*BB"}},
		nil,
	},
	{
		"absolute time on the continuation of an extended delta",
		"04 000064 000001 09 01000000 AA  44 FFFFFF 000081 09 01312D00 128*AA  C4 01312D64 BB",
		[]said{
			{4, 100, 9, 1, "AA"},
			{4, 20000100, 9, 1, "128*AA BB"},
		},
		nil,
	},
	{
		"fmt 3 begins a message with the extended delta",
		"04 000000 000001 09 01000000 AA  44 FFFFFF 000001 09 01000000 AA  44 FFFFFF 000001 09 01000000 AA  C4 01000000 BB",
		[]said{
			{4, 0, 9, 1, "AA"},
			{4, 16777216, 9, 1, "AA"},
			{4, 33554432, 9, 1, "AA"},
			{4, 50331648, 9, 1, "BB"},
		},
		nil,
	},
	{
		"fmt 3 begins a message with the absolute time",
		"04 FFFFFF 000001 09 01000000 01312D00 AA  C4 01312D28 BB",
		[]said{
			{4, 20000000, 9, 1, "AA"},
			{4, 20000040, 9, 1, "BB"},
		},
		nil,
	},
	{
		"fmt 3 begins a message without extended time where the peer never repeats it",
		"04 000005 000001 09 01000000 AA  44 FFFFFF 000081 09 00FFFFFF 128*AA C4 AA  44 FFFFFF 000004 09 00FFFFFF 4*AA  C4 4*BB",
		[]said{
			{4, 5, 9, 1, "AA"},
			{4, 16777220, 9, 1, "129*AA"},
			{4, 33554435, 9, 1, "AAAAAAAA"},
			{4, 50331650, 9, 1, "BBBBBBBB"},
		},
		nil,
	},
	{ // C-38
		"a negative delta is modulo 2^32",
		"04 000064 000001 09 01000000 AA  44 FFFFFF 000001 09 FFFFFFF6 BB",
		[]said{
			{4, 100, 9, 1, "AA"},
			{4, 90, 9, 1, "BB"},
		},
		nil,
	},
	{
		"time wraps at 2^32",
		"04 FFFFFF 000001 09 01000000 FFFFFFF0 AA  44 000028 000001 09 BB",
		[]said{
			{4, 4294967280, 9, 1, "AA"},
			{4, 24, 9, 1, "BB"},
		},
		nil,
	},
	{ // C-11
		"extended time of a fmt 2 delta, repeated on a continuation",
		"04 000064 000081 09 01000000 128*AA C4 AA  84 FFFFFF 01000000 128*BB  C4 01000000 BB",
		[]said{
			{4, 100, 9, 1, "129*AA"},
			{4, 16777316, 9, 1, "129*BB"},
		},
		nil,
	},
	{ // C-11
		"extended time of a fmt 2 delta, not repeated on a continuation",
		"04 000064 000081 09 01000000 128*AA C4 AA  84 FFFFFF 01000000 128*BB  C4 BB",
		[]said{
			{4, 100, 9, 1, "129*AA"},
			{4, 16777316, 9, 1, "129*BB"},
		},
		nil,
	},
	{ // S2-04: 0xFFFFFF itself needs the field.
		"extended time of exactly 0xFFFFFF, on three chunks",
		"04 FFFFFF 000101 09 01000000 00FFFFFF 128*AA  C4 00FFFFFF 128*BB  C4 00FFFFFF CC",
		[]said{{4, 16777215, 9, 1, "128*AA 128*BB CC"}},
		nil,
	},
	{ // C-11: the field ends with the header that had it.
		"no extended time on continuations of a plain delta, however high the time",
		"04 FFFFFF 000001 09 01000000 01312D00 AA  44 000028 000081 09 128*BB  C4 BB",
		[]said{
			{4, 20000000, 9, 1, "AA"},
			{4, 20000040, 9, 1, "129*BB"},
		},
		nil,
	},
	{ // C-11: state is per chunk stream.
		"one chunk stream extended, the other not, interleaved",
		"04 FFFFFF 000081 08 01000000 01312D00 128*AA  06 000028 000081 09 01000000 128*BB  C6 BB  C4 01312D00 AA",
		[]said{
			{6, 40, 9, 1, "129*BB"},
			{4, 20000000, 8, 1, "129*AA"},
		},
		nil,
	},
	{
		"fmt 3 begins a message behind an extended fmt 0 and repeats its field: the same time",
		"04 FFFFFF 000001 09 01000000 01312D00 AA  C4 01312D00 BB",
		[]said{
			{4, 20000000, 9, 1, "AA"},
			{4, 20000000, 9, 1, "BB"},
		},
		nil,
	},
	{
		"fmt 3 begins a message without extended time, before it is known what the peer does",
		"04 000000 000001 09 01000000 AA  44 FFFFFF 000005 09 01000000 5*AA  C4 5*BB",
		[]said{
			{4, 0, 9, 1, "AA"},
			{4, 16777216, 9, 1, "5*AA"},
			{4, 33554432, 9, 1, "5*BB"},
		},
		nil,
	},
	{
		"a short message without extended time does not wait for the bytes of the next",
		"04 000000 000001 09 01000000 AA  44 FFFFFF 000001 09 01000000 AA  C4 BB",
		[]said{
			{4, 0, 9, 1, "AA"},
			{4, 16777216, 9, 1, "AA"},
			{4, 33554432, 9, 1, "BB"},
		},
		nil,
	},
	{
		"fmt 3 begins a message with another extended delta where the peer repeats the field",
		"04 000000 000001 09 01000000 AA  44 FFFFFF 000081 09 01000000 128*AA C4 01000000 AA  C4 01200000 128*BB C4 01200000 BB",
		[]said{
			{4, 0, 9, 1, "AA"},
			{4, 16777216, 9, 1, "129*AA"},
			{4, 35651584, 9, 1, "129*BB"},
		},
		nil,
	},
	{
		"absolute time on fmt 3 over 2^32",
		"04 FFFFFF 000001 09 01000000 FFFFFFF0 AA  C4 00000018 BB",
		[]said{
			{4, 4294967280, 9, 1, "AA"},
			{4, 24, 9, 1, "BB"},
		},
		nil,
	},
	{ // C-38
		"a negative delta on fmt 2, and on the fmt 3 behind it",
		"04 000064 000001 09 01000000 AA  84 FFFFFF FFFFFFF6 BB  C4 FFFFFFF6 CC",
		[]said{
			{4, 100, 9, 1, "AA"},
			{4, 90, 9, 1, "BB"},
			{4, 80, 9, 1, "CC"},
		},
		nil,
	},
	{
		"everything on one chunk stream: times are the chunk stream's (OBS, librtmp)",
		"04 000000 000001 12 01000000 AA  44 00000A 000001 08 BB  44 00000A 000001 09 CC  84 00000A DD",
		[]said{
			{4, 0, 18, 1, "AA"},
			{4, 10, 8, 1, "BB"},
			{4, 20, 9, 1, "CC"},
			{4, 30, 9, 1, "DD"},
		},
		nil,
	},
	{ // C-29
		"zero length with an extended time, repeated on fmt 3",
		"04 FFFFFF 000000 08 01000000 01312D00  C4 01312D00  44 000003 000001 08 AA",
		[]said{
			{4, 20000000, 8, 1, ""},
			{4, 20000000, 8, 1, ""},
			{4, 20000003, 8, 1, "AA"},
		},
		nil,
	},
}
