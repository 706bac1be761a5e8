package main

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// figure is a plot of the report. Without data there is no file.
type figure struct {
	title   string
	file    string
	sources []*file
}

// series is one line of a plot.
type series struct {
	name   string
	strong bool
	points plotter.XYs
}

// The colours of Okabe and Ito, which people with colour-blindness tell apart;
// without their yellow, which is faint on white. Dashes and glyphs tell lines
// apart without any colour.
var (
	colours = []color.Color{
		rgb(0x0072b2), rgb(0xd55e00), rgb(0x009e73), rgb(0xcc79a7), rgb(0xe69f00), rgb(0x56b4e9),
	}
	black  = rgb(0x000000)
	grey   = rgb(0xdddddd)
	dashes = [][]vg.Length{{}, {vg.Points(6), vg.Points(3)}, {vg.Points(2), vg.Points(2)}}
	glyphs = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.CrossGlyph{}, draw.RingGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.PlusGlyph{}}
)

func rgb(v uint32) color.RGBA { return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 0xff} }

// throughputs are the plots of bytes per second against size: the rows between
// whose parts the length stands.
var throughputs = []struct{ name, title, before, after, unit string }{
	{"chacha20", "ChaCha20", "ChaCha20/len=", "", "bytes"},
	{"sha256", "SHA-256", "SHA256/len=", "", "bytes"},
	{"base64-encode", "base64 encoding", "Base64Encode/len=", "", "characters"},
	{"base64-decode", "base64 decoding", "Base64Decode/len=", "", "characters"},
	{"encrypt", "NIP-44 encryption, conversation key at hand", "Encrypt/len=", "/key=cached", "bytes"},
	{"decrypt", "NIP-44 decryption, conversation key at hand", "Decrypt/len=", "/key=cached", "bytes"},
}

// writePlots draws what the files have into SVG files in dir.
func writePlots(in *input, dir string) (figures []figure, err error) {
	write := func(p *drawing, name, title string, height vg.Length) error {
		f := figure{title: title, sources: in.sources()}
		if p != nil {
			f.file = name + ".svg"
			if err := save(p, filepath.Join(dir, f.file), height); err != nil {
				return err
			}
		}
		figures = append(figures, f)
		return nil
	}
	p, err := auditPlot(in)
	if err != nil {
		return nil, err
	}
	if err := write(p, "audit", "Time of Sealwright in that of go-nostr", 11*vg.Centimeter); err != nil {
		return nil, err
	}
	for _, t := range throughputs {
		lines := in.lines(t.before, t.after, func(size, sec float64) float64 { return size / sec / 1e6 })
		p, err := linePlot(lines, t.title, "length, "+t.unit, "10⁶ "+t.unit+" per second")
		if err != nil {
			return nil, err
		}
		if err := write(p, "throughput-"+t.name, t.title+": throughput against length", 10*vg.Centimeter); err != nil {
			return nil, err
		}
	}
	for _, b := range [][2]string{{"VerifyAll", "Events parsed and verified"}, {"UnwrapAll", "Gift wraps opened"}} {
		lines := in.lines(b[0]+"/n=", "", func(_, sec float64) float64 { return 1 / sec })
		p, err := linePlot(lines, b[1], "size of the batch", "per second")
		if err != nil {
			return nil, err
		}
		if err := write(p, "batch-"+strings.ToLower(b[0]), b[1]+" per second against the size of the batch", 10*vg.Centimeter); err != nil {
			return nil, err
		}
	}
	return figures, nil
}

// lines gathers the rows before‖number‖after: a line for each implementation and
// number of processors, of the number and what y makes of it and the time.
func (in *input) lines(before, after string, y func(number, sec float64) float64) (lines []series) {
	for _, k := range in.keys {
		middle, ok := strings.CutPrefix(k.row, before)
		middle, ok2 := strings.CutSuffix(middle, after)
		number, err := strconv.ParseFloat(middle, 64)
		if !ok || !ok2 || err != nil {
			continue
		}
		sec, ok := in.median(k, seconds)
		if !ok {
			continue
		}
		name := k.impl
		if k.cpus > 1 {
			name += fmt.Sprintf(", %d processors", k.cpus)
		}
		i := slices.IndexFunc(lines, func(s series) bool { return s.name == name })
		if i < 0 {
			i = len(lines)
			lines = append(lines, series{name: name, strong: k.impl == "sealwright"})
		}
		lines[i].points = append(lines[i].points, plotter.XY{X: number, Y: y(number, sec)})
	}
	for _, s := range lines {
		slices.SortFunc(s.points, func(a, b plotter.XY) int { return int(a.X - b.X) })
	}
	return lines
}

var sans = font.Font{Typeface: "Liberation", Variant: "Sans"}

// newPlot makes an empty plot.
func newPlot(title string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	p.Title.Text = title
	p.Title.Padding = vg.Points(10)
	for _, style := range []*text.Style{
		&p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label,
	} {
		style.Font = font.From(sans, 11)
	}
	p.Title.TextStyle.Font.Size = 13
	return p
}

// drawing is a plot and, if it has one, the legend that stands to its right.
type drawing struct {
	*plot.Plot
	legend *plot.Legend
}

// linePlot draws lines between logarithmic axes. It is nil without lines.
//
// The axes are linear ones of logarithms: on plot.LogScale the plot leaves room
// for an axis label that it takes to be elsewhere.
func linePlot(lines []series, title, x, y string) (*drawing, error) {
	if len(lines) == 0 {
		return nil, nil
	}
	p, legend := newPlot(title), plot.NewLegend()
	p.X.Label.Text, p.Y.Label.Text = x, y
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = grey, grey
	p.Add(grid)

	var at []plot.Tick
	others := 0
	for _, s := range lines {
		logs := make(plotter.XYs, len(s.points))
		for i, xy := range s.points {
			logs[i] = plotter.XY{X: math.Log10(xy.X), Y: math.Log10(xy.Y)}
			if !slices.ContainsFunc(at, func(t plot.Tick) bool { return t.Value == logs[i].X }) {
				at = append(at, plot.Tick{Value: logs[i].X, Label: thousands(xy.X)})
			}
		}
		line, points, err := plotter.NewLinePoints(logs)
		if err != nil {
			return nil, err
		}
		if s.strong {
			line.Width = vg.Points(2.5)
			line.Color = black
			points.Shape = draw.CircleGlyph{}
			if strings.HasSuffix(s.name, "processors") {
				line.Dashes = dashes[1]
			}
		} else {
			line.Width = vg.Points(1.2)
			line.Color = colours[others%len(colours)]
			line.Dashes = dashes[others%len(dashes)]
			points.Shape = glyphs[(others+1)%len(glyphs)]
			others++
		}
		points.Color, points.Radius = line.Color, vg.Points(3)
		p.Add(line, points)
		legend.Add(s.name, line, points)
	}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.ConstantTicks(at), plot.TickerFunc(ticks125)
	p.X.Min, p.X.Max = p.X.Min-0.1, p.X.Max+0.1
	p.Y.Min, p.Y.Max = p.Y.Min-0.1, p.Y.Max+0.1
	legend.TextStyle.Font = p.X.Tick.Label.Font
	legend.Top, legend.Left = true, true
	legend.Padding, legend.ThumbnailWidth = vg.Points(5), 1.1*vg.Centimeter
	return &drawing{p, &legend}, nil
}

// ticks125 marks 1, 2 and 5 times the powers of ten on an axis of logarithms.
func ticks125(low, high float64) (ticks []plot.Tick) {
	for power := math.Floor(low); power <= high; power++ {
		for _, digit := range []float64{1, 2, 5} {
			v := digit * math.Pow(10, power)
			if at := math.Log10(v); low <= at && at <= high {
				label := strconv.FormatFloat(v, 'g', 3, 64)
				if v >= 1 {
					label = thousands(v)
				}
				ticks = append(ticks, plot.Tick{Value: at, Label: label})
			}
		}
	}
	return ticks
}

// auditPlot draws the rows of the audit's table as bars: our time in that of the
// released implementation. It is nil when there is none.
func auditPlot(in *input) (*drawing, error) {
	var names []string
	var ratios plotter.Values
	labels := plotter.XYLabels{}
	for _, o := range slices.Backward(auditRows) { // the first is the highest
		ours, ok := in.median(one(o.row, "sealwright"), seconds)
		theirs, okTheirs := in.median(one(o.row, released), seconds)
		ratio, label := 0.0, notMeasured
		if ok && okTheirs {
			ratio = ours / theirs
			label = strconv.FormatFloat(ratio, 'f', 2, 64)
		}
		labels.XYs = append(labels.XYs, plotter.XY{X: ratio, Y: float64(len(names))})
		labels.Labels = append(labels.Labels, label)
		names, ratios = append(names, o.name), append(ratios, ratio)
	}
	if slices.Max(ratios) == 0 {
		return nil, nil
	}
	p := newPlot("Time of Sealwright in that of go-nostr v0.38.2")
	p.X.Label.Text = "ratio of medians (less is faster), key derived for each message"
	bars, err := plotter.NewBarChart(ratios, vg.Points(14))
	if err != nil {
		return nil, err
	}
	bars.Horizontal, bars.Color, bars.LineStyle.Width = true, colours[0], 0
	values, err := plotter.NewLabels(labels)
	if err != nil {
		return nil, err
	}
	for i := range values.TextStyle {
		values.TextStyle[i].Font = p.X.Tick.Label.Font
		values.TextStyle[i].YAlign = text.YCenter
	}
	values.Offset.X = vg.Points(4)
	equal, err := plotter.NewLine(plotter.XYs{{X: 1, Y: -0.6}, {X: 1, Y: float64(len(names)) - 0.4}})
	if err != nil {
		return nil, err
	}
	equal.Color, equal.Dashes, equal.Width = colours[1], dashes[1], vg.Points(1.5)
	p.Add(bars, equal, values)
	p.NominalY(names...)
	p.Y.Padding = vg.Points(18)
	p.X.Min, p.X.Max = 0, max(1, slices.Max(ratios))*1.1
	p.Y.Min, p.Y.Max = -0.6, float64(len(names))-0.4
	return &drawing{Plot: p}, nil
}

// save writes a drawing as SVG.
func save(d *drawing, name string, height vg.Length) error {
	canvas := vgsvg.New(20*vg.Centimeter, height)
	page := draw.New(canvas)
	page.SetColor(color.White) // as legible on a dark page
	page.Fill(page.Rectangle.Path())
	margin := vg.Points(8)
	inner := draw.Crop(page, margin, -margin, margin, -margin)
	if d.legend != nil {
		width := d.legend.Rectangle(inner).Size().X + 2*margin
		d.legend.Draw(draw.Crop(inner, inner.Size().X-width+margin, 0, 0, -vg.Points(30)))
		inner = draw.Crop(inner, 0, -width, 0, 0)
	}
	d.Draw(inner)
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(fitted(b.String())), 0o666)
}

var svgText = regexp.MustCompile(`font-size:([0-9.]+)px">([^<]*)</text>`)

// fitted has every text take the width that it was laid out with, for readers that
// lack the font and take another one.
func fitted(svg string) string {
	svg = strings.ReplaceAll(svg, "font-family:Liberation Sans;", "font-family:Liberation Sans,Arial,Helvetica,sans-serif;")
	return svgText.ReplaceAllStringFunc(svg, func(s string) string {
		m := svgText.FindStringSubmatch(s)
		points, _ := strconv.ParseFloat(m[1], 64)
		face := font.DefaultCache.Lookup(sans, vg.Points(points))
		return fmt.Sprintf(`font-size:%spx" textLength="%.2f" lengthAdjust="spacingAndGlyphs">%s</text>`,
			m[1], face.Width(html.UnescapeString(m[2])).Points(), m[2])
	})
}
