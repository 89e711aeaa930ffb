package dcm

// begin makes the line of a component the one above and readies its edges (A.2.1): left of a line stands the pixel above its first.
func (s *lsScan) begin(c int) {
	l := &s.lines[c]
	l[0], l[1] = l[1], l[0]
	above, line := l[0], l[1]
	above[s.columns+1] = above[s.columns]
	line[0] = above[1]
}

// store writes a line of a component into the frame.
func (s *lsScan) store(c int, out []byte, at, samples, width int) {
	line := s.lines[c][1][1 : s.columns+1]
	at *= width
	if width == 1 {
		for _, v := range line {
			out[at] = byte(v)
			at += samples
		}
		return
	}
	for _, v := range line {
		out[at], out[at+1] = byte(v), byte(v>>8)
		at += 2 * samples
	}
}

// gradients gives the context of pixel x: 0 begins a run.
func (s *lsScan) gradients(above, line []int32, x int) int32 {
	ra, rb, rc, rd := line[x-1], above[x], above[x-1], above[x+1]
	q, zero := s.quantised, s.maxval
	return 81*int32(q[rd-rb+zero]) + 9*int32(q[rb-rc+zero]) + int32(q[rc-ra+zero])
}

// line decodes a line of one component.
func (s *lsScan) line(c int) error {
	above, line := s.lines[c][0], s.lines[c][1]
	for x := 1; x <= s.columns; {
		context := s.gradients(above, line, x)
		if context != 0 {
			if err := s.regular(above, line, x, context); err != nil {
				return err
			}
			x++
			continue
		}
		n, whole, err := s.run(c, s.columns-x+1)
		if err != nil {
			return err
		}
		for ra := line[x-1]; n > 0; n-- {
			line[x] = ra
			x++
		}
		if whole {
			continue
		}
		if err := s.interrupt(c, above, line, x); err != nil {
			return err
		}
		x++
		s.runIndex[c] -= min(1, s.runIndex[c])
	}
	return nil
}

// pixels decodes a line whose components lie together: a run is one of whole pixels.
func (s *lsScan) pixels() error {
	contexts := make([]int32, len(s.lines))
	for x := 1; x <= s.columns; {
		any := int32(0)
		for c, l := range s.lines {
			contexts[c] = s.gradients(l[0], l[1], x)
			any |= contexts[c]
		}
		if any != 0 {
			for c, l := range s.lines {
				if err := s.regular(l[0], l[1], x, contexts[c]); err != nil {
					return err
				}
			}
			x++
			continue
		}
		n, whole, err := s.run(0, s.columns-x+1)
		if err != nil {
			return err
		}
		for ; n > 0; n-- {
			for _, l := range s.lines {
				l[1][x] = l[1][x-1]
			}
			x++
		}
		if whole {
			continue
		}
		for _, l := range s.lines {
			if err := s.interruptPixel(l[0], l[1], x); err != nil {
				return err
			}
		}
		x++
		s.runIndex[0] -= min(1, s.runIndex[0])
	}
	return nil
}

// regular decodes a pixel outside a run (A.4-A.6).
func (s *lsScan) regular(above, line []int32, x int, context int32) error {
	sign := context >> 31 // all ones for a negative context
	st := &s.states[(context^sign)-sign]
	ra, rb, rc := line[x-1], above[x], above[x-1]
	px := ra + rb - rc
	if low, high := min(ra, rb), max(ra, rb); rc >= high {
		px = low
	} else if rc <= low {
		px = high
	}
	px = max(0, min(px+((st.c^sign)-sign), s.maxval))
	k := uint(0)
	for n, a := int64(st.n), int64(st.a); n<<k < a; k++ {
	}
	coded, err := s.in.golomb(k, s.limit, s.qbpp)
	if err != nil {
		return err
	}
	e := int32(coded>>1) ^ -int32(coded&1)
	if k == 0 && s.near == 0 && 2*st.b <= -st.n {
		e = ^e
	}
	st.a += max(e, -e)
	st.b += e * s.step
	if st.n == s.reset {
		st.a, st.b, st.n = st.a>>1, st.b>>1, st.n>>1
	}
	st.n++
	if st.b <= -st.n {
		st.b = max(st.b+st.n, 1-st.n)
		st.c = max(st.c-1, -128)
	} else if st.b > 0 {
		st.b = min(st.b-st.n, 0)
		st.c = min(st.c+1, 127)
	}
	line[x] = s.value(px, (e^sign)-sign)
	return nil
}

// value adds a prediction error and brings the sum into range (A.5.2, A.8).
func (s *lsScan) value(px, e int32) int32 {
	v := px + e*s.step
	if v < -s.near {
		v += s.modulus
	} else if v > s.maxval+s.near {
		v -= s.modulus
	}
	return max(0, min(v, s.maxval))
}

// run decodes the length of a run (A.7.1); whole tells that it reaches the end of the line.
func (s *lsScan) run(c, left int) (n int, whole bool, err error) {
	for {
		order := runOrders[s.runIndex[c]]
		bit, err := s.in.get(1)
		if err != nil {
			return 0, false, err
		}
		if bit == 0 {
			rest, err := s.in.get(order)
			if err != nil {
				return 0, false, err
			}
			if n+int(rest) > left-1 {
				return 0, false, errJPEGLS
			}
			return n + int(rest), false, nil
		}
		if n+1<<order <= left {
			s.runIndex[c] = min(31, s.runIndex[c]+1)
		}
		if n = min(left, n+1<<order); n == left {
			return n, true, nil
		}
	}
}

// interrupt decodes the pixel that ends a run (A.7.2).
func (s *lsScan) interrupt(c int, above, line []int32, x int) error {
	ra, rb := line[x-1], above[x]
	if d := ra - rb; max(d, -d) <= s.near {
		e, err := s.runError(1, s.runIndex[c])
		line[x] = s.value(ra, e)
		return err
	}
	e, err := s.runError(0, s.runIndex[c])
	if ra > rb {
		e = -e
	}
	line[x] = s.value(rb, e)
	return err
}

// interruptPixel is interrupt for components that lie together: each is predicted from above.
func (s *lsScan) interruptPixel(above, line []int32, x int) error {
	ra, rb := line[x-1], above[x]
	e, err := s.runError(0, s.runIndex[0])
	if ra > rb {
		e = -e
	}
	line[x] = s.value(rb, e)
	return err
}

// runError decodes a prediction error after a run; kind is RItype.
func (s *lsScan) runError(kind int32, index uint) (int32, error) {
	r := &s.runs[kind]
	k := uint(0)
	for n, t := int64(r.n), int64(r.a+kind*(r.n>>1)); n<<k < t; k++ {
	}
	coded, err := s.in.golomb(k, s.limit-runOrders[index]-1, s.qbpp)
	if err != nil {
		return 0, err
	}
	t := int32(coded) + kind
	size := (t + t&1) / 2
	e := size
	if (k != 0 || 2*r.nn >= r.n) == (t&1 == 1) {
		e = -size
	}
	if e < 0 {
		r.nn++
	}
	r.a += (int32(coded) + 1 - kind) >> 1
	if r.n == s.reset {
		r.a, r.n, r.nn = r.a>>1, r.n>>1, r.nn>>1
	}
	r.n++
	return e, nil
}
