package report

import (
	"fmt"
	"html/template"
	"math"
	"strings"
)

// Figures are written as SVG here: a plotting library would bring its own fonts and marks, and no way to a text alternative.

// drawing is an SVG that grows. Every figure has a title and a description in words of all that it shows.
type drawing struct {
	b             strings.Builder
	width, height float64
}

func (d *drawing) f(format string, args ...any) { fmt.Fprintf(&d.b, format, args...) }

// text writes words; anchor is start, middle or end.
func (d *drawing) text(x, y float64, anchor, class, s string) {
	d.f(`<text x="%.1f" y="%.1f" text-anchor="%s"`, x, y, anchor)
	if class != "" {
		d.f(` class="%s"`, class)
	}
	d.f(`>%s</text>`, template.HTMLEscapeString(s))
}

func (d *drawing) line(x0, y0, x1, y1 float64, class string) {
	d.f(`<path d="M%.1f %.1fL%.1f %.1f" class="%s"/>`, x0, y0, x1, y1, class)
}

// done closes a figure with its text alternative.
func (d *drawing) done(title, words string) template.HTML {
	return template.HTML(fmt.Sprintf(`<svg viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img" aria-label="%s"><title>%s</title><desc>%s</desc>%s</svg>`,
		d.width, d.height, d.width, d.height, template.HTMLEscapeString(title+". "+words), template.HTMLEscapeString(title), template.HTMLEscapeString(words), d.b.String()))
}

// hues are colours for up to eight things, each told apart by a mark too.
func hues() []string {
	return []string{"#2f5f9e", "#a8620b", "#1d7a6b", "#8a3f8f", "#9c2f2f", "#5a6270", "#556b10", "#1b1f24"}
}

func hue(i int) string { return hues()[i%len(hues())] }

// shade is the colour of the ith part of a bar. Dark and light take turns, so that parts are told apart in grey print too; ink says with what
// to write on it.
func shade(i int) (fill, ink string) {
	fills := []string{"#1f4e86", "#e8b04a", "#1f6b5c", "#d3bce6", "#8e2b2b", "#c3cad3", "#5b4a12", "#f0d6d6"}
	return fills[i%len(fills)], []string{"on", "ink"}[i%2]
}

// mark draws the ith mark around a point: circle, square, triangle, diamond.
func (d *drawing) mark(i int, x, y float64) {
	c := hue(i)
	switch i % 4 {
	case 0:
		d.f(`<circle cx="%.1f" cy="%.1f" r="4" fill="%s"/>`, x, y, c)
	case 1:
		d.f(`<rect x="%.1f" y="%.1f" width="7.5" height="7.5" fill="%s"/>`, x-3.75, y-3.75, c)
	case 2:
		d.f(`<path d="M%.1f %.1fl4.6 8.4h-9.2z" fill="%s"/>`, x, y-5, c)
	default:
		d.f(`<path d="M%.1f %.1fl5 5-5 5-5-5z" fill="%s"/>`, x, y-5, c)
	}
}

// spoken says a number with its interval in words.
func spoken(n Number) string {
	if n.Value == nil {
		return "not estimable: " + n.Reason
	}
	s := digits(*n.Value, 2)
	if len(n.Interval) == 2 {
		s += " (" + digits(n.Interval[0], 2) + " to " + digits(n.Interval[1], 2) + ")"
	}
	return s
}

// forestRow is one number of a forest plot; without a name it is a heading.
type forestRow struct {
	Name   string
	Number Number
	Head   bool
}

// forest draws numbers with their intervals on one axis. Those that are not estimable are no marks: they stand below in words, by reason.
func forest(title string, low, high float64, list []forestRow) template.HTML {
	shown, missing := parted(list)
	var say []string
	for _, r := range list {
		if r.Head {
			say = append(say, r.Name+":")
		} else {
			say = append(say, r.Name+" "+spoken(r.Number)+";")
		}
	}
	var notes []string
	for _, a := range missing {
		notes = append(notes, a.Who+" ("+a.Reason+")")
	}
	below := template.HTML("")
	if len(notes) > 0 {
		below = template.HTML(`<p class="soft">Not estimable: ` + template.HTMLEscapeString(strings.Join(notes, "; ")) + ".</p>")
	}
	if len(shown) == 0 {
		return below
	}
	return drawForest(title, strings.Join(say, " "), low, high, shown) + below
}

// parted leaves the rows that have a value, with their headings, and gathers the others by reason.
func parted(list []forestRow) (shown []forestRow, missing []absence) {
	var head *forestRow
	under := ""
	for i, r := range list {
		switch {
		case r.Head:
			head, under = &list[i], r.Name+": "
		case r.Number.Value == nil:
			missing = gather(missing, under+r.Name, r.Number.Reason)
		default:
			if head != nil {
				shown, head = append(shown, *head), nil
			}
			shown = append(shown, r)
		}
	}
	return shown, missing
}

func drawForest(title, say string, low, high float64, list []forestRow) template.HTML {
	const left, right, step, top = 270.0, 680.0, 20.0, 10.0
	d := &drawing{width: 820, height: top + step*float64(len(list)) + 30}
	at := func(v float64) float64 { return left + (right-left)*(min(high, max(low, v))-low)/(high-low) }
	bottom := top + step*float64(len(list))
	for _, tick := range ticks(low, high) {
		class := "grid"
		if tick == 0 {
			class = "axis"
		}
		d.line(at(tick), top-4, at(tick), bottom, class)
		d.text(at(tick), bottom+14, "middle", "", digits(tick, 1))
	}
	for i, r := range list {
		y := top + step*(float64(i)+.5)
		if r.Head {
			d.text(4, y+4, "start", "title", r.Name)
			continue
		}
		d.text(left-12, y+4, "end", "", shortenedTo(r.Name, 46))
		n := r.Number
		if len(n.Interval) == 2 {
			d.line(at(n.Interval[0]), y, at(n.Interval[1]), y, "bar")
			d.line(at(n.Interval[0]), y-3, at(n.Interval[0]), y+3, "bar")
			d.line(at(n.Interval[1]), y-3, at(n.Interval[1]), y+3, "bar")
		}
		d.mark(0, at(*n.Value), y)
		d.text(right+12, y+4, "start", "", spokenShort(n))
	}
	return d.done(title, say)
}

func spokenShort(n Number) string {
	s := digits(*n.Value, 2)
	if len(n.Interval) == 2 {
		s += " (" + digits(n.Interval[0], 2) + " – " + digits(n.Interval[1], 2) + ")"
	}
	return s
}

func ticks(low, high float64) []float64 {
	step := .5
	if high-low <= 1 {
		step = .2
	}
	var out []float64
	for v := low; v <= high+1e-9; v += step {
		out = append(out, math.Round(v*100)/100)
	}
	return out
}

func shortenedTo(s string, longest int) string {
	r := []rune(s)
	if len(r) > longest {
		return string(r[:longest-1]) + "…"
	}
	return s
}

// barRow is one stacked bar.
type barRow struct {
	Name  string
	Parts []Count
}

// bars draws shares of counts as stacked bars; each part is told by its place in the legend, its shade and its letter. Rows without anything to
// count are no bars.
func bars(title string, list []barRow) template.HTML {
	const left, right, step, top = 270.0, 800.0, 26.0, 6.0
	d := &drawing{width: 820}
	var say, names []string
	used := map[int]bool{}
	y := top
	for _, r := range list {
		x, all := left, total(r.Parts)
		if all == 0 {
			say = append(say, r.Name+": nothing to count.")
			continue
		}
		d.text(left-12, y+13, "end", "", shortenedTo(r.Name, 46))
		said := r.Name + ":"
		for j, p := range r.Parts {
			if len(names) <= j {
				names = append(names, p.Label)
			}
			if p.N == 0 {
				continue
			}
			used[j] = true
			wide := (right - left) * float64(p.N) / float64(all)
			fill, ink := shade(j)
			d.f(`<rect x="%.1f" y="%.1f" width="%.1f" height="18" fill="%s" stroke="#fff"/>`, x, y, wide, fill)
			if label := letterOf(j) + " " + fmt.Sprint(p.N); wide > 8+6.5*float64(len(label)) {
				d.text(x+wide/2, y+13, "middle", ink, label)
			} else if wide > 9 {
				d.text(x+wide/2, y+13, "middle", ink, letterOf(j))
			}
			x += wide
			said += fmt.Sprintf(" %s %d,", said1(p.Label), p.N)
		}
		say = append(say, strings.TrimSuffix(said, ",")+".")
		y += step
	}
	if len(used) == 0 {
		return template.HTML(`<p class="soft">Nothing to count.</p>`)
	}
	y += 14
	x := left
	for j, name := range names {
		if !used[j] {
			continue
		}
		label := letterOf(j) + " " + said1(name)
		wide := 22 + 6.4*float64(len([]rune(label)))
		if x+wide > right && x > left {
			x, y = left, y+18
		}
		fill, _ := shade(j)
		d.f(`<rect x="%.1f" y="%.1f" width="11" height="11" fill="%s"/>`, x, y-10, fill)
		d.text(x+15, y, "start", "", label)
		x += wide + 8
	}
	d.height = y + 10
	return d.done(title, strings.Join(say, " "))
}

func letterOf(i int) string { return string(rune('a' + i%26)) }

// said1 writes a label for people.
func said1(label string) string { return strings.ReplaceAll(label, "_", " ") }

// crossed draws a 2×2.
func crossed(title string, c Cross) template.HTML {
	d := &drawing{width: 300, height: 186}
	const left = 98.0
	d.text(left+98, 14, "middle", "title", c.Columns)
	if c.N == [2][2]int{} {
		for i, part := range wrapped("not estimable: "+c.Reason, 32) {
			d.text(left+98, 46+14*float64(i), "middle", "faint", part)
		}
		return d.done(title, "not estimable: "+c.Reason)
	}
	d.text(left+48, 32, "middle", "", "yes")
	d.text(left+148, 32, "middle", "", "no")
	fills := [2][2]string{{"#dcefe6", "#f6e3b8"}, {"#e6e9ee", "#f3d6d6"}}
	for i, name := range []string{c.Rows, "not " + c.Rows} {
		for j, part := range wrapped(name, 15) {
			d.text(left-8, 70+60*float64(i)+13*float64(j), "end", "", part)
		}
		for j := range 2 {
			d.f(`<rect x="%.0f" y="%d" width="96" height="56" fill="%s" stroke="#8a93a0"/>`, left+100*float64(j), 40+60*i, fills[i][j])
			d.text(left+48+100*float64(j), 74+60*float64(i), "middle", "big", fmt.Sprint(c.N[i][j]))
		}
	}
	kappa := "kappa " + few(c.Kappa)
	if c.Kappa == nil {
		kappa = "kappa not estimable: " + c.Reason
	}
	d.text(left, 178, "start", "faint", shortenedTo(kappa, 36))
	return d.done(title, fmt.Sprintf("%s and %s: %d; %s only: %d; %s only: %d; neither: %d; %s.", c.Rows, c.Columns, c.N[0][0], c.Rows, c.N[0][1], c.Columns, c.N[1][0], c.N[1][1], kappa))
}
