package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchunit"

	"github.com/sealwright/sealwright/bench/internal/measure"
)

// released is the implementation that the audit's table is about first.
const released = "gonostr"

// operation is a line of the audit's table, and the row that it shows.
type operation struct{ name, row string }

// auditRows are the eleven operations of the audit, which derived the conversation
// key for every message; cachedRows are those where a key can be kept.
var (
	auditRows = []operation{
		{"import identity", "Import"},
		{"encrypt 32 bytes", "Encrypt/len=32/key=derived"},
		{"encrypt 1,024 bytes", "Encrypt/len=1024/key=derived"},
		{"encrypt 64,000 bytes", "Encrypt/len=64000/key=derived"},
		{"decrypt 32 bytes", "Decrypt/len=32/key=derived"},
		{"decrypt 1,024 bytes", "Decrypt/len=1024/key=derived"},
		{"decrypt 64,000 bytes", "Decrypt/len=64000/key=derived"},
		{"sign event", "Sign"},
		{"parse and verify event", "Verify"},
		{"create durable gift wrap", "Wrap/len=32"},
		{"authenticate and unwrap", "Unwrap/len=32"},
	}
	cachedRows = []operation{
		{"encrypt 32 bytes", "Encrypt/len=32/key=cached"},
		{"encrypt 1,024 bytes", "Encrypt/len=1024/key=cached"},
		{"encrypt 64,000 bytes", "Encrypt/len=64000/key=cached"},
		{"decrypt 32 bytes", "Decrypt/len=32/key=cached"},
		{"decrypt 1,024 bytes", "Decrypt/len=1024/key=cached"},
		{"decrypt 64,000 bytes", "Decrypt/len=64000/key=cached"},
	}
)

// inboxRows are lines below the audit's in the short table: batches, by one event.
var inboxRows = []operation{
	{"verify 1,000 events, each", "VerifyAll/n=1000"},
	{"unwrap 1,000 wraps, each", "UnwrapAll/n=1000"},
}

// inbox is how many events the rows of inboxRows have.
const inbox = 1000

// auditPattern is the pattern of all rows of the audit's table for some
// implementations.
func auditPattern(impls ...string) string {
	var all []string
	for _, o := range slices.Concat(auditRows, cachedRows) {
		all = append(all, measure.Pattern(o.row, impls...))
	}
	return strings.Join(all, "|")
}

func renderCommand(args []string, stdout, stderr io.Writer) error {
	f := newFlags(stderr, "render -out DIR FILE...", `Reads benchmark files, also those of peers in other languages, and writes report.md
and plots as SVG. Each file is one invocation. Files of different machines are refused.`)
	out := f.String("out", "", "write to `DIR`")
	if err := f.parse(args); err != nil {
		return err
	}
	if *out == "" {
		return f.wrong("-out is needed")
	}
	// A pattern that matches nothing reaches us as it is.
	if f.NArg() == 0 {
		fmt.Fprintln(stderr, "report: no benchmark files given: run and collect make them")
		return errUsage
	}
	for _, name := range f.Args() {
		if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(stderr, "report: no benchmark file %s: run and collect make them\n", name)
			return errUsage
		}
	}
	in, err := readFiles(f.Args())
	if err != nil {
		return err
	}
	for _, gap := range in.gaps() {
		fmt.Fprintf(stderr, "report: %s\n", gap)
	}
	if err := os.MkdirAll(*out, 0o777); err != nil {
		return err
	}
	plots, err := writePlots(in, *out)
	if err != nil {
		return err
	}
	text := document(in, plots, "go run ./report render "+strings.Join(args, " "))
	if err := os.WriteFile(filepath.Join(*out, "report.md"), []byte(text), 0o666); err != nil {
		return err
	}
	drawn := 0
	for _, p := range plots {
		if p.file != "" {
			drawn++
		}
	}
	_, err = fmt.Fprintf(stdout, "%s: %d files, %d rows, %d plots\n", filepath.Join(*out, "report.md"), len(in.files), len(in.rows(all)), drawn)
	return err
}

func all(string) bool { return true }

// document is report.md.
func document(in *input, plots []figure, command string) string {
	var b strings.Builder
	b.WriteString("# Benchmark report\n\n")
	fmt.Fprintf(&b, "Rendered by `%s`, in the folder `bench`.\n\n", command)
	b.WriteString(machine(in) + "\n\n")
	for _, difference := range in.differences() {
		fmt.Fprintf(&b, "**The files differ in %s.**\n\n", difference)
	}
	for _, gap := range in.gaps() {
		fmt.Fprintf(&b, "**%s.**\n\n", gap)
	}
	b.WriteString(filesTable(in).text())
	for _, series := range in.series() {
		fmt.Fprintf(&b, "- %s: made by %s.\n", quoted(series), series[0].command())
	}
	b.WriteString("\n" + peersTable(in).text())
	b.WriteString(`A file is one invocation, a sample the mean of the calls of one benchmark in one
process on one processor. Medians and 95th percentiles (nearest rank) are those of
each file's samples, then the median of the files'. A delta is ours against theirs: below zero is faster.

Implementations in Go ran in turn in one series of processes; those in JavaScript and
Java in series of their own, at the time that stands beside their files. "Not measured"
stands where the files have no such row: the implementation cannot do it, or does not
count its allocations.

`)

	b.WriteString("## 1. The audit's table\n\nTimes are nanoseconds. With the key derived for each message, as the audit did; gift wraps are those of a message of 32 bytes. The last two lines of the first table are batches on one processor.\n\n")
	b.WriteString(shortTable(in).text())
	b.WriteString(auditTable(in, auditRows, released).text())
	b.WriteString(auditTable(in, auditRows, "").text())
	for _, peer := range []string{released, ""} {
		t := auditTable(in, cachedRows, peer)
		t.title += ", conversation key at hand"
		b.WriteString(t.text())
	}

	b.WriteString("## 2. Where the time goes\n\nThe layers of an operation, each measured alone, on texts of the sizes that the operation has. A share is that of the whole. The whole is measured by itself too, so noise can make the sum larger than it. The facade is what is around the layers: checks, caches, wiping, and that what one layer wrote has left the nearest caches before the next one reads it, which a layer alone, on the same text again and again, does not see.\n\n")
	for _, o := range layered {
		b.WriteString(layerTable(in, o).text())
	}
	b.WriteString("With the conversation key at hand, the calls on bytes into a kept buffer are measured too: what they take beyond the sum of the parts is left to the calls around those, and what the calls on strings take beyond all of it is that memory just allocated is in no cache, and the garbage collection. Every row finds a heap whose pages were touched before.\n\n")
	for _, of := range []string{"Encrypt", "Decrypt"} {
		b.WriteString(cachedTable(in, of).text())
	}

	b.WriteString("## 3. The curve\n\nEach operation beside its peers, and taken apart into steps that are measured alone.\n\n")
	b.WriteString(peersOfCurve(in).text() + countsOfCurve(in).text() + stepsOfCurve(in).text())

	b.WriteString("## 4. Allocations\n\nAllocations of one operation, and their bytes.\n\n")
	b.WriteString(allocationTable(in).text())

	b.WriteString("## 5. Tiers and peers\n\n")
	b.WriteString("This machine's alone: another architecture has a report of its own. All samples of all files are taken together, so medians differ a little from those above; the interval is of 95 %. A difference from portable, or from the fastest peer, is shown when a Mann-Whitney U test tells them apart at alpha 0.05, as ~ otherwise.\n\n")
	for _, t := range slices.Concat(tierTables(in, isProtocol), tierTables(in, isKernel)) {
		b.WriteString(t.text())
	}

	b.WriteString("## 6. Plots\n\n")
	for _, p := range plots {
		if p.file == "" {
			fmt.Fprintf(&b, "%s: %s.\n\n", p.title, notMeasured)
			continue
		}
		fmt.Fprintf(&b, "![%s](%s)\n\n%s\n\n", p.title, p.file, cite(p.sources))
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// machine says what was measured on, and what of it was in use.
func machine(in *input) string {
	return fmt.Sprintf("Machine: %s, %s/%s, %s processors; features: %s; tiers: %s; in use: %s%s. %s%s.",
		in.value("cpu")+in.optional(" (", "model", ")"), in.value("goos"), in.value("goarch"), in.value("processors"), in.value("features"),
		in.value("tiers"), in.value("selected"), in.optional(" (**SEALWRIGHT_CPU=", "restriction", " restricts them**)"), in.value("go"), in.optional(", tags ", "tags", ""))
}

func filesTable(in *input) *table {
	t := &table{header: []string{"file", "commit", "date", "rows", "samples of a row"}, left: 3, bare: true}
	for _, f := range in.files {
		least, most := 0, 0
		rows := make(map[string]bool)
		for k, values := range f.values {
			rows[k.row] = true
			n := len(values[seconds])
			if least == 0 || n < least {
				least = n
			}
			most = max(most, n)
		}
		samples := fmt.Sprint(least)
		if most > least {
			samples = fmt.Sprintf("%d to %d", least, most)
		}
		or := func(name string) string {
			if v := f.config[name]; v != "" {
				return v
			}
			return "not given"
		}
		t.add(filepath.Base(f.name), or("commit"), or("date"), fmt.Sprint(len(rows)), samples)
	}
	return t
}

func peersTable(in *input) *table {
	t := &table{header: []string{"peer", "version", "run by"}, left: 3, bare: true}
	for _, peer := range in.peers() {
		by := in.value("go")
		for _, f := range in.files {
			if f.config[peer] == "" {
				continue
			}
			for _, runtime := range []string{"node", "java"} {
				if v := f.config[runtime]; v != "" {
					by = runtime + " " + v
				}
			}
		}
		t.add(peer, in.value(peer), by)
	}
	return t
}

// shortTable is the audit's table as README shows it: medians and allocations, and
// below it those of an inbox.
func shortTable(in *input) *table {
	t := &table{title: "In short", left: 1, header: []string{"operation", "go-nostr", "fastest peer", "Sealwright", "of go-nostr", "of the fastest", "allocations"}}
	var beside []string
	for _, o := range slices.Concat(auditRows, inboxRows) {
		theirs, okTheirs := in.median(one(o.row, released), seconds)
		name := in.fastestPeer(o.row, 1)
		peer, okPeer := in.median(one(o.row, name), seconds)
		ours, ok := in.median(one(o.row, "sealwright"), seconds)
		fastest := notMeasured
		if okPeer {
			fastest = nanoseconds(peer, true) + " " + name
			beside = append(beside, name)
		}
		made := func(impl string) string {
			n, ok := in.median(one(o.row, impl), allocs)
			if slices.Contains(inboxRows, o) {
				n /= inbox // the time is that of one event already
			}
			return count(n, ok)
		}
		t.add(o.name, nanoseconds(theirs, okTheirs), fastest, nanoseconds(ours, ok),
			ratio(ours, ok, theirs, okTheirs), ratio(ours, ok, peer, okPeer), made(released)+" → "+made("sealwright"))
	}
	t.noteApart(in, beside)
	t.sources = in.sources()
	return t
}

// fewest is how many samples benchmath wants for an interval of 95 %, and to tell
// two implementations apart at all.
const fewest = 6

// steady is how many samples a file needs for a 95th percentile, by nearest rank,
// that is not the largest of them.
const steady = 20

// noteApart names below a table those implementations that were measured apart.
func (t *table) noteApart(in *input, impls []string) {
	var names []string
	for _, impl := range impls {
		if in.apart(impl) && !slices.Contains(names, impl) {
			names = append(names, impl)
		}
	}
	if names != nil {
		t.notes = append(t.notes, "Measured in processes of their own, at another time than Sealwright: "+strings.Join(names, ", ")+".")
	}
}

// auditTable is the audit's table beside one peer, or beside the fastest peer of
// each row for "".
func auditTable(in *input, operations []operation, peer string) *table {
	t := &table{left: 1}
	if peer != "" {
		t.title = "Beside " + peer
		t.header = []string{"operation", peer + " median", "ours", "delta", peer + " p95", "ours", "delta", peer + " allocs", "ours"}
	} else {
		t.title = "Beside the fastest peer of each row"
		t.left = 2
		t.header = []string{"operation", "peer", "its median", "ours", "delta", "its p95", "ours", "delta", "its allocs", "ours"}
	}
	var alike, few, largest, beside []string
	for _, o := range operations {
		cells := []string{o.name}
		than := peer
		if peer == "" {
			than = in.fastestPeer(o.row, 1)
			name := than
			if name == "" {
				name = notMeasured
			}
			cells = append(cells, name)
		}
		beside = append(beside, than)
		theirs, ours := one(o.row, than), one(o.row, "sealwright")
		for _, k := range []key{theirs, ours} {
			if n := in.least(k); n > 0 && n < steady && !slices.Contains(largest, o.name) {
				largest = append(largest, o.name)
			}
		}
		for _, of := range []func(key, string) (float64, bool){in.median, in.p95} {
			a, okA := of(theirs, seconds)
			b, okB := of(ours, seconds)
			cells = append(cells, nanoseconds(a, okA), nanoseconds(b, okB), delta(b, okB, a, okA))
		}
		cells = append(cells, count(in.median(theirs, allocs)), count(in.median(ours, allocs)))
		t.add(cells...)
		if a, b := in.sample(theirs, seconds), in.sample(ours, seconds); a != nil && b != nil {
			if min(len(a.Values), len(b.Values)) < fewest {
				few = append(few, o.name)
			} else if c := benchmath.AssumeNothing.Compare(a, b); c.P > c.Alpha {
				alike = append(alike, o.name)
			}
		}
	}
	listed := func(names []string) string {
		if len(names) == len(operations) && len(names) > 1 {
			return "all rows"
		}
		return strings.Join(names, ", ")
	}
	if alike != nil {
		t.notes = append(t.notes, "Not told apart by a Mann-Whitney U test of all samples at alpha 0.05: "+listed(alike)+".")
	}
	if few != nil {
		t.notes = append(t.notes, fmt.Sprintf("Of fewer than %d samples, so only a first look: %s.", fewest, listed(few)))
	}
	if largest != nil {
		t.notes = append(t.notes, fmt.Sprintf("With fewer than %d samples in a file, p95 is the largest of them: %s.", steady, listed(largest)))
	}
	t.noteApart(in, beside)
	t.sources = in.sources()
	return t
}

// The layers, as the benchmarks name them, and how the report calls them.
var layerNames = [][2]string{
	{"curve", "curve"},
	{"keys", "key expansion"},
	etmLayer, chachaLayer, macLayer, base64Layer,
	{"memory", "allocation"},
	{"json", "JSON"},
	{"signature", "ids and signatures"},
}

// What encrypts has ChaCha20 and MAC beside each other, what decrypts one after the other.
var (
	etmLayer    = [2]string{"etm", "ChaCha20 and MAC"}
	chachaLayer = [2]string{"chacha20", "ChaCha20"}
	macLayer    = [2]string{"mac", "MAC"}
	base64Layer = [2]string{"base64", "base64"}
)

// layered are the operations that are taken apart: their names in the rows of
// layers, the row of the whole for a length, and the layers that they have not.
var layered = []struct {
	of, title, whole string
	without          []string
}{
	{"Encrypt", "Encrypt, with the key derived", "Encrypt/len=%d/key=derived", []string{"chacha20", "mac", "json", "signature"}},
	{"Decrypt", "Decrypt, with the key derived", "Decrypt/len=%d/key=derived", []string{"etm", "json", "signature"}},
	{"Wrap", "Create a gift wrap, for a known peer", "Wrap/len=%d", []string{"chacha20", "mac"}},
	{"Unwrap", "Parse, authenticate and unwrap, from a known peer", "Unwrap/len=%d", []string{"etm"}},
}

func layerTable(in *input, o struct {
	of, title, whole string
	without          []string
}) *table {
	t, whole := newLayers(o.title), in.times(o.whole, "sealwright")
	var layers []times
	for _, name := range layerNames {
		if slices.Contains(o.without, name[0]) {
			continue
		}
		layer := in.layer(o.of, name[0])
		layers = append(layers, layer)
		t.part(name[1], layer, whole)
	}
	sum := plus(layers...)
	t.part("sum of the layers", sum, whole)
	t.part("whole", whole, whole)
	t.part("facade: the whole less the sum", less(whole, sum), whole)
	t.sources = in.sources()
	return t
}

// cachedTable takes apart Encrypt or Decrypt with the conversation key at hand.
func cachedTable(in *input, of string) *table {
	row := of + "/len=%d/key=cached"
	t, whole := newLayers(of+", with the key at hand"), in.times(row, "sealwright")
	names := [][2]string{{"expand", "key expansion"}, {"nonce", "random nonce"}, etmLayer, base64Layer}
	if of == "Decrypt" {
		names = [][2]string{{"expand", "key expansion"}, chachaLayer, macLayer, base64Layer}
	}
	var parts []times
	for _, name := range names {
		part := in.layer(of, name[0])
		parts = append(parts, part)
		t.part(name[1], part, whole)
	}
	sum, kept, utf8, memory := plus(parts...), in.layer(of, "kept"), in.layer(of, "utf8"), in.layer(of, "memory")
	t.part("sum of the parts", sum, whole)
	t.part("bytes into a kept buffer", kept, whole)
	t.part("left: that less the sum", less(kept, sum), whole)
	t.part("check of UTF-8", utf8, whole)
	t.part("allocation", memory, whole)
	t.part("whole, on strings", whole, whole)
	t.part("left: the whole less buffer, check and allocation", less(whole, kept, utf8, memory), whole)
	t.part("go-nostr", in.times(row, released), whole)
	t.sources = in.sources()
	return t
}

// times are nanoseconds by the column of a table of parts.
type times func(column int) (ns float64, ok bool)

// partLengths are the lengths that a table of layers has columns for.
var partLengths = []int{32, 1024, 64000}

// times are those of a row, which has a length in it, by one implementation.
func (in *input) times(row, impl string) times {
	return func(column int) (float64, bool) {
		return in.median(one(fmt.Sprintf(row, partLengths[column]), impl), seconds)
	}
}

func (in *input) layer(of, layer string) times {
	return in.times("Layer/of="+of+"/layer="+layer+"/len=%d", "sealwright")
}

func plus(parts ...times) times {
	return func(column int) (sum float64, ok bool) {
		for _, part := range parts {
			v, ok := part(column)
			if !ok {
				return 0, false
			}
			sum += v
		}
		return sum, true
	}
}

func less(whole times, parts ...times) times {
	return func(column int) (float64, bool) {
		v, ok := whole(column)
		sum, okSum := plus(parts...)(column)
		return v - sum, ok && okSum
	}
}

// newParts makes a table of the parts of an operation.
func newParts(title string, columns ...string) *table {
	t := &table{title: title, left: 1, header: []string{"layer"}}
	for _, name := range columns {
		t.header = append(t.header, name+", ns", "share")
	}
	return t
}

// newLayers makes a table of the layers of an operation, by length.
func newLayers(title string) *table {
	var columns []string
	for _, n := range partLengths {
		columns = append(columns, count(float64(n), true)+" bytes")
	}
	return newParts(title, columns...)
}

// part adds the line of a part.
func (t *table) part(name string, part, whole times) {
	cells := []string{name}
	for column := range len(t.header) / 2 {
		v, ok := part(column)
		all, okAll := whole(column)
		of := notMeasured
		if ok && okAll {
			of = share(v, all)
		}
		cells = append(cells, nanoseconds(v, ok), of)
	}
	t.add(cells...)
}

// base is the benchmark that a row belongs to.
func base(row string) string {
	name, _, _ := strings.Cut(row, "/")
	return name
}

func isProtocol(row string) bool {
	return slices.Contains([]string{"Import", "ConversationKey", "Encrypt", "Decrypt", "Sign", "Verify", "Wrap", "Unwrap", "UnwrapUnknown", "UnwrapInTurn", "VerifyAll", "UnwrapAll"}, base(row))
}

func isKernel(row string) bool { return !isProtocol(row) && base(row) != "Layer" }

func allocationTable(in *input) *table {
	t := &table{left: 1, header: []string{"row", "sealwright"}, notes: []string{"A row of batches is a whole batch."}}
	rows := in.rows(isProtocol)
	var peers []string
	for _, row := range rows {
		for _, impl := range in.impls(row, 1) {
			if !in.ours[impl] && !slices.Contains(peers, impl) {
				peers = append(peers, impl)
			}
		}
	}
	t.header = append(t.header, peers...)
	for _, row := range rows {
		cells := []string{row}
		for _, impl := range t.header[1:] {
			n, ok := in.median(one(row, impl), allocs)
			b, okB := in.median(one(row, impl), size)
			cell := notMeasured
			if ok && okB {
				cell = count(n, true) + ", " + count(b, true) + " B"
			}
			cells = append(cells, cell)
		}
		t.add(cells...)
	}
	t.compact()
	t.sources = in.sources()
	return t
}

// tierTables are one table for each benchmark that keep says yes to, with every
// implementation.
func tierTables(in *input, keep func(row string) bool) (tables []*table) {
	rows := in.rows(keep)
	for _, name := range rows {
		if len(tables) > 0 && tables[len(tables)-1].title == base(name) {
			continue
		}
		t := &table{title: base(name), left: 2, header: []string{"row", "implementation", "median", "interval", "speed", "allocations", "beside portable", "beside the fastest peer"}}
		var impls []string
		for _, row := range rows {
			if base(row) == t.title {
				for _, cpus := range in.processors(row) {
					tierLines(in, t, row, cpus)
					impls = append(impls, in.impls(row, cpus)...)
				}
				t.estimate(in, row)
			}
		}
		if strings.HasSuffix(t.title, "All") {
			t.notes = append(t.notes, "Times are of one event, allocations of the whole batch.")
		}
		t.noteApart(in, impls)
		t.compact()
		t.sources = in.sources()
		tables = append(tables, t)
	}
	return tables
}

func tierLines(in *input, t *table, row string, cpus int) {
	label := row
	if cpus > 1 {
		label = fmt.Sprintf("%s, %d processors", row, cpus)
	}
	portable := in.sample(key{row, "portable", cpus}, seconds)
	fastest := in.fastestPeer(row, cpus)
	peer := in.sample(key{row, fastest, cpus}, seconds)
	for _, impl := range in.impls(row, cpus) {
		k := key{row, impl, cpus}
		s := in.sample(k, seconds)
		if s == nil {
			continue
		}
		summary := benchmath.AssumeNothing.Summary(s, 0.95)
		through := ""
		if v, ok := in.median(k, speed); ok {
			through = benchunit.Scale(v, benchunit.Decimal) + "B/s"
		}
		allocations := ""
		if v, ok := in.median(k, allocs); ok {
			allocations = count(v, true)
		}
		name := impl
		if impl == fastest {
			name += ", fastest peer"
		}
		t.add(label, name, benchunit.Scale(summary.Center, benchunit.Decimal)+"s", summary.PctRangeString(), through, allocations,
			compared(t, portable, s, impl == "portable"), compared(t, peer, s, impl == fastest))
		t.warn(summary.Warnings)
	}
}

// compared tells how a sample differs from another one, by benchmath.
func compared(t *table, from, to *benchmath.Sample, same bool) string {
	switch {
	case same:
		return ""
	case from == nil:
		return notMeasured
	}
	c := benchmath.AssumeNothing.Compare(from, to)
	a, b := benchmath.AssumeNothing.Summary(from, 0.95), benchmath.AssumeNothing.Summary(to, 0.95)
	t.warn(c.Warnings)
	return c.FormatDelta(a.Center, b.Center) + " (" + c.String() + ")"
}

// newest is the part of the time of the measured libsecp256k1, release 0.2.0, that
// its newest release is estimated to need.
const newest = 0.8

// estimate says below a table what part of the time of the newest libsecp256k1 ours
// would be.
func (t *table) estimate(in *input, row string) {
	theirs, okTheirs := in.median(one(row, "libsecp256k1"), seconds)
	ours, ok := in.median(one(row, "sealwright"), seconds)
	if ok && okTheirs {
		t.notes = append(t.notes, fmt.Sprintf("An estimate, not a measurement: the newest libsecp256k1 needs about %.1f of the time of the release above, so that Sealwright takes %s of its time.", newest, ratio(ours, true, newest*theirs, true)))
	}
}

// warn puts what benchmath warns of below the table, once.
func (t *table) warn(warnings []error) {
	for _, w := range warnings {
		note := "Warning: " + w.Error() + "."
		if !slices.Contains(t.notes, note) {
			t.notes = append(t.notes, note)
		}
	}
}
