package event

import "slices"

// Tag is one tag: its name, its value, and what the kind defines beyond.
type Tag []string

// Tags are the tags of an event, in their order. Nil is written as [].
type Tags []Tag

// Name returns the first string, or "" when there is none.
func (t Tag) Name() string { return t.at(0) }

// Value returns the second string, or "" when there is none.
func (t Tag) Value() string { return t.at(1) }

func (t Tag) at(i int) string {
	if i >= len(t) {
		return ""
	}
	return t[i]
}

// Find returns the first tag of this name, or nil.
func (ts Tags) Find(name string) Tag {
	for _, t := range ts {
		if len(t) > 0 && t[0] == name {
			return t
		}
	}
	return nil
}

// Clone returns a copy that shares no slice with ts.
func (ts Tags) Clone() Tags {
	c := slices.Clone(ts)
	for i, t := range c {
		c[i] = slices.Clone(t)
	}
	return c
}

// Equal tells whether both hold the same strings in the same order.
func (ts Tags) Equal(other Tags) bool {
	return slices.EqualFunc(ts, other, func(a, b Tag) bool { return slices.Equal(a, b) })
}
