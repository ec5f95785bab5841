package chunk

import (
	"io"
	"slices"
)

// wireCase is what is read from a wire. Each is a read test, a write test of the
// messages it has, and a seed of the fuzz test.
type wireCase struct {
	name string
	wire string // as unhex reads it
	want []said
	err  error // what ends it; io.EOF if not named
}

var cases = slices.Concat(headerCases, timeCases)

// S2-01, S2-03, S2-08: headers of all forms, fields inherited per chunk stream.
var headerCases = []wireCase{
	{ // S2-01, S2-03
		"fmt 2 keeps length, type and stream",
		"04 000001 000001 08 07000000 AA  84 000002 BB",
		[]said{
			{4, 1, 8, 7, "AA"},
			{4, 3, 8, 7, "BB"},
		},
		nil,
	},
	{
		"not repeated, and the payload begins like it",
		"04 FFFFFF 000083 09 01000000 01312D00 128*AA  C4 01312E",
		[]said{{4, 20000000, 9, 1, "128*AA 01 31 2E"}},
		nil,
	},
	{ // C-12
		"abort drops the partial and keeps the base",
		"06 000064 00012C 09 01000000 128*AA  02 000000 000004 02 00000000 00000006  46 000028 000005 09 5*BB",
		[]said{
			{2, 0, 2, 0, "000000 06"},
			{6, 140, 9, 1, "5*BB"},
		},
		nil,
	},
	{ // C-12
		"abort of an unknown chunk stream, of an idle one, of its own",
		"02 000000 000004 02 00000000 0000FFFF  C2 00000002  C2 00000040",
		[]said{
			{2, 0, 2, 0, "0000 FFFF"},
			{2, 0, 2, 0, "000000 02"},
			{2, 0, 2, 0, "000000 40"},
		},
		nil,
	},
	{ // C-12
		"abort with half a number",
		"02 000000 000002 02 00000000 0006",
		nil,
		ErrProtocol,
	},
	{ // C-13, S2-06
		"interleaved",
		"06 000064 00012C 09 01000000 128*AA  04 000065 0000C8 08 01000000 128*BB  C6 128*AA  C4 72*BB  C6 44*AA",
		[]said{
			{4, 101, 8, 1, "200*BB"},
			{6, 100, 9, 1, "300*AA"},
		},
		nil,
	},
	{ // C-15, S2-05
		"the first header is fmt 1",
		"42 000000 000006 04 0007 00000D0F",
		[]said{{2, 0, 4, 0, "00 07 0000 0D 0F"}},
		nil,
	},
	{ // C-15, S2-05, R-2.5
		"the first header is fmt 2",
		"82 000000",
		nil,
		ErrProtocol,
	},
	{ // C-15, S2-05, R-2.5
		"the first header is fmt 3",
		"C2",
		nil,
		ErrProtocol,
	},
	{
		"fmt 0 inside a message",
		"04 000000 0000FF 09 01000000 128*AA  04 000000 0000FF 09 01000000",
		nil,
		ErrProtocol,
	},
	{
		"fmt 1 inside a message, same length: a continuation",
		"04 000000 000081 09 01000000 128*AA  44 000000 000081 09 BB",
		[]said{{4, 0, 9, 1, "128*AA BB"}},
		nil,
	},
	{
		"fmt 1 inside a message, another length (CVE-2016-10191)",
		"04 000000 000081 09 01000000 128*AA  44 000000 000082 09 BB",
		nil,
		ErrProtocol,
	},
	{
		"fmt 1 inside a message, another type",
		"04 000000 000081 09 01000000 128*AA  44 000000 000081 08 BB",
		nil,
		ErrProtocol,
	},
	{
		"fmt 2 inside a message: a continuation",
		"04 000005 000081 09 01000000 128*AA  84 000007 BB",
		[]said{{4, 5, 9, 1, "128*AA BB"}},
		nil,
	},
	{ // C-29
		"zero length, and fmt 3 of it",
		"04 000000 000000 08 01000000  C4C4  44 000003 000001 09 AA",
		[]said{
			{4, 0, 8, 1, ""},
			{4, 0, 8, 1, ""},
			{4, 0, 8, 1, ""},
			{4, 3, 9, 1, "AA"},
		},
		nil,
	},
	{
		"empty control messages mean nothing",
		"02 000000 000000 01 00000000  42 000000 000000 02  42 000000 000000 03",
		[]said{
			{2, 0, 1, 0, ""},
			{2, 0, 2, 0, ""},
			{2, 0, 3, 0, ""},
		},
		nil,
	},
	{ // C-17, R-2.3
		"chunk size 1",
		"02 000000 000004 01 00000000 00000001  04 000000 000003 09 01000000 27 C4 01 C4 00",
		[]said{
			{2, 0, 1, 0, "000000 01"},
			{4, 0, 9, 1, "27 01 00"},
		},
		nil,
	},
	{ // C-17, R-2.3
		"the top bit of a chunk size is none of it",
		"02 000000 000004 01 00000000 80000080  04 000000 000081 09 01000000 128*AA C4 AA",
		[]said{
			{2, 0, 1, 0, "80 0000 80"},
			{4, 0, 9, 1, "129*AA"},
		},
		nil,
	},
	{ // C-17, R-2.3
		"chunk size 0x7FFFFFFF",
		"02 000000 000004 01 00000000 7FFFFFFF  04 000000 00012C 09 01000000 300*AA",
		[]said{
			{2, 0, 1, 0, "7F FFFFFF"},
			{4, 0, 9, 1, "300*AA"},
		},
		nil,
	},
	{ // C-17, R-2.3
		"chunk size 0",
		"02 000000 000004 01 00000000 00000000",
		nil,
		ErrProtocol,
	},
	{
		"chunk size 0 with the top bit",
		"02 000000 000004 01 00000000 80000000",
		nil,
		ErrProtocol,
	},
	{ // C-17
		"chunk size of 3 bytes",
		"02 000000 000003 01 00000000 000080",
		nil,
		ErrProtocol,
	},
	{ // S2-09, R-2.3
		"a new chunk size holds inside a message under way",
		"04 000000 000084 09 01000000 128*AA  02 000000 000004 01 00000000 00000002  C4 BBBB C4 BBBB",
		[]said{
			{2, 0, 1, 0, "000000 02"},
			{4, 0, 9, 1, "128*AA BBBBBBBB"},
		},
		nil,
	},
	{ // S2-02, S2-08
		"chunk stream ids in all three forms; one number, one state",
		"00 00 000001 000001 08 01000000 AA  01 00FF 000002 000001 08 01000000 AA  01 FFFF 000003 000001 08 01000000 AA  41 0000 000004 000001 08 BB",
		[]said{
			{64, 1, 8, 1, "AA"},
			{65344, 2, 8, 1, "AA"},
			{65599, 3, 8, 1, "AA"},
			{64, 5, 8, 1, "BB"},
		},
		nil,
	},
	{
		"cut in a basic header",
		"00",
		nil,
		io.ErrUnexpectedEOF,
	},
	{
		"cut in a header",
		"04 0000",
		nil,
		io.ErrUnexpectedEOF,
	},
	{
		"cut in an extended time",
		"04 FFFFFF 000001 09 01000000 0131",
		nil,
		io.ErrUnexpectedEOF,
	},
	{
		"cut in a payload",
		"04 000000 000002 09 01000000 AA",
		nil,
		io.ErrUnexpectedEOF,
	},
	{
		"cut between chunks",
		"04 000000 000081 09 01000000 128*AA",
		nil,
		io.ErrUnexpectedEOF,
	},
	{
		"audio too long",
		"04 000000 100001 08 01000000",
		nil,
		ErrTooLarge,
	},
	{
		"video too long",
		"04 000000 800001 09 01000000",
		nil,
		ErrTooLarge,
	},
	{
		"command too long",
		"04 000000 010001 14 01000000",
		nil,
		ErrTooLarge,
	},
	{ // C-12
		"abort: fmt 3 and fmt 2 go on from the aborted header",
		"06 000064 00012C 09 01000000 128*AA  02 000000 000004 02 00000000 00000006  46 000028 000002 09 BBBB  C6 CCCC  86 000001 DDDD",
		[]said{
			{2, 0, 2, 0, "000000 06"},
			{6, 140, 9, 1, "BBBB"},
			{6, 180, 9, 1, "CCCC"},
			{6, 181, 9, 1, "DDDD"},
		},
		nil,
	},
	{ // C-12
		"abort twice, and of what is complete",
		"06 000064 000001 09 01000000 AA  02 000000 000004 02 00000000 00000006  C2 00000006  C6 BB",
		[]said{
			{6, 100, 9, 1, "AA"},
			{2, 0, 2, 0, "000000 06"},
			{2, 0, 2, 0, "000000 06"},
			{6, 200, 9, 1, "BB"},
		},
		nil,
	},
	{ // C-13, S2-06
		"three messages interleaved, each form of chunk stream id",
		"06 000001 000082 09 01000000 128*AA  00 00 000002 000082 08 01000000 128*BB  01 0001 000003 000082 12 01000000 128*CC  C6 AAAA  C0 00 BBBB  C1 0001 CCCC",
		[]said{
			{6, 1, 9, 1, "130*AA"},
			{64, 2, 8, 1, "130*BB"},
			{320, 3, 18, 1, "130*CC"},
		},
		nil,
	},
	{ // S2-02
		"the first and last number of each form",
		"02 000000 000001 08 01000000 AA  3F 000000 000001 08 01000000 AA  00 00 000000 000001 08 01000000 AA  00 FF 000000 000001 08 01000000 AA  01 0001 000000 000001 08 01000000 AA  01 FFFF 000000 000001 08 01000000 AA",
		[]said{
			{2, 0, 8, 1, "AA"},
			{63, 0, 8, 1, "AA"},
			{64, 0, 8, 1, "AA"},
			{319, 0, 8, 1, "AA"},
			{320, 0, 8, 1, "AA"},
			{65599, 0, 8, 1, "AA"},
		},
		nil,
	},
	{ // C-15, S2-05: some cameras, SRS #1538.
		"fmt 1 on a new chunk stream with media: message stream 0",
		"44 000005 000001 09 AA  84 000002 BB  C4 CC",
		[]said{
			{4, 5, 9, 0, "AA"},
			{4, 7, 9, 0, "BB"},
			{4, 9, 9, 0, "CC"},
		},
		nil,
	},
	{ // C-32: GStreamer's second WindowAck.
		"fmt 3 behind fmt 0 on the control chunk stream",
		"02 000000 000004 05 00000000 002625A0  C2 002625A0",
		[]said{
			{2, 0, 5, 0, "00 26 25 A0"},
			{2, 0, 5, 0, "00 26 25 A0"},
		},
		nil,
	},
	{
		"control messages on other chunk streams, with a message stream (cameras)",
		"05 000000 000004 01 07000000 00000001  04 000000 000002 09 01000000 27 C4 01",
		[]said{
			{5, 0, 1, 7, "000000 01"},
			{4, 0, 9, 1, "27 01"},
		},
		nil,
	},
	{ // C-29
		"zero length of every type, and fmt 3 of each",
		"04 000000 000000 08 01000000 C4  44 000000 000000 09 C4  44 000000 000000 12 C4  44 000000 000000 14 C4  44 000000 000000 04 C4  44 000000 000000 01 C4  44 000000 000000 16 C4",
		[]said{
			{4, 0, 8, 1, ""},
			{4, 0, 8, 1, ""},
			{4, 0, 9, 1, ""},
			{4, 0, 9, 1, ""},
			{4, 0, 18, 1, ""},
			{4, 0, 18, 1, ""},
			{4, 0, 20, 1, ""},
			{4, 0, 20, 1, ""},
			{4, 0, 4, 1, ""},
			{4, 0, 4, 1, ""},
			{4, 0, 1, 1, ""},
			{4, 0, 1, 1, ""},
			{4, 0, 22, 1, ""},
			{4, 0, 22, 1, ""},
		},
		nil,
	},
	{ // C-17
		"chunk size 0x08000000",
		"02 000000 000004 01 00000000 08000000  04 000000 00012C 09 01000000 300*AA",
		[]said{
			{2, 0, 1, 0, "08 000000"},
			{4, 0, 9, 1, "300*AA"},
		},
		nil,
	},
	{ // S2-09, R-2.3
		"a larger chunk size inside two messages under way",
		"04 000000 000104 09 01000000 128*AA  06 000000 000104 08 01000000 128*BB  02 000000 000004 01 00000000 00001000  C4 132*AA  C6 132*BB",
		[]said{
			{2, 0, 1, 0, "0000 10 00"},
			{4, 0, 9, 1, "260*AA"},
			{6, 0, 8, 1, "260*BB"},
		},
		nil,
	},
	{ // types that do not exist, behind a header that was guessed to be a continuation.
		"out of step",
		"04 000000 000081 09 01000000 128*AA  44 000000 000081 09 BB  04 000000 000001 AA 01000000 AA",
		[]said{{4, 0, 9, 1, "128*AA BB"}},
		ErrProtocol,
	},
	{
		"types that do not exist mean nothing to a reader in step",
		"04 000000 000001 AA 01000000 AA",
		[]said{{4, 0, 170, 1, "AA"}},
		nil,
	},
	{
		"fmt 2 on a chunk stream whose number has no header in any form",
		"00 00 000001 000001 08 01000000 AA  80 01 000000",
		[]said{{64, 1, 8, 1, "AA"}},
		ErrProtocol,
	},
	{
		"cut inside an extended time on fmt 3",
		"04 FFFFFF 0000C8 09 01000000 01312D00 128*AA  C4 0131",
		nil,
		io.ErrUnexpectedEOF,
	},
	{
		"cut inside an extended time on a fmt 3 that begins a message",
		"04 FFFFFF 000001 09 01000000 01312D00 AA  C4 0131",
		[]said{{4, 20000000, 9, 1, "AA"}},
		io.ErrUnexpectedEOF,
	},
}
