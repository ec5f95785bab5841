package health

import "fmt"

// lasting is for how many seconds each thing has been wrong.
type lasting struct{ apart, drift, realTime int }

// second closes a second.
func (l *lasting) second(live bool, c Clocks, realTime int) {
	count := func(n *int, ms, most int) {
		if live && max(ms, -ms) >= most {
			*n++
		} else {
			*n = 0
		}
	}
	count(&l.apart, c.AVOffset, apartMS)
	count(&l.drift, c.AVDrift, driftMS)
	count(&l.realTime, realTime, realTimeMS)
}

// realTime is what the stream gained on real time; negative: lost. Of two tracks it is
// the one that did less: if only one of them is out of step, av_drift says so.
func (m *Monitor) realTime() int {
	a, v := &m.audio.clock, &m.video.clock
	if !v.settled() || a.settled() && max(a.drift(), -a.drift()) < max(v.drift(), -v.drift()) {
		return round(a.drift())
	}
	return round(v.drift())
}

// clockFindings says in words what is wrong with the clocks. A cause is named once:
// tracks that drift apart soon are far apart, and one of them is not in real time.
func (m *Monitor) clockFindings(add func(severity, code, format string, args ...any)) {
	c := m.clocks()
	switch {
	case m.lasting.drift >= driftSeconds:
		fast, slow := "audio", "video"
		if c.AVDrift < 0 {
			fast, slow = "video", "audio"
		}
		add(severityFair, "av_drift", "The encoder's %s clock runs faster than its %s clock: it has gained %s since the stream began, so picture and sound "+
			"no longer fit, and will fit less. Set the sample rate of the encoder's sound card and sources alike (48 kHz), then restart the encoder.",
			fast, slow, seconds(c.AVDrift))
	case m.lasting.apart >= driftSeconds:
		ahead, behind := "Audio", "video"
		if c.AVOffset < 0 {
			ahead, behind = "Video", "audio"
		}
		add(severityFair, "av_offset", "%s is %s ahead of %s, so players buffer long or lose lip sync. Check the encoder's audio and video sources.",
			ahead, seconds(c.AVOffset), behind)
	}
	if m.lasting.realTime < driftSeconds {
		return
	}
	if late := m.realTime(); late < 0 {
		add(severityFair, "slower_than_real_time", "The stream has fallen %s behind real time since it began, so players run dry again and again. "+
			"The encoder or its upload is too slow: lower the bit rate, or the load of that machine.", seconds(late))
	} else {
		add(severityFair, "faster_than_real_time", "The stream has come %s faster than real time since it began, so players fall behind and skip. "+
			"Publish files in real time: ffmpeg -re.", seconds(late))
	}
}

// seconds says milliseconds of either sign as an amount.
func seconds(ms int) string { return fmt.Sprintf("%.1f s", float64(max(ms, -ms))/1000) }
