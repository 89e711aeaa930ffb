package review

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestRestoreFinalValue(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"rating":{"support":"partly"}}`, ""},
		{`{"chain_rating":{"answer":"correct","missed":[]}}`, ""},
		{`{"look":{"question":"q1","answer":"A"}}`, ""},
		{`{}`, "exactly one of look, rating, chain_rating"},
		{`{"rating":{},"look":{}}`, "exactly one of look, rating, chain_rating"},
		{`{"rating":{"suport":"partly"}}`, `unknown field "suport"`},
		{`{"rating":{}} {}`, "one JSON object expected"},
		{`{"rating":{"support":3}}`, "rating.support: text expected, found number"},
		{`{"rating":`, "it ends too early"},
	} {
		v, err := RestoreFinalValue([]byte(c.text))
		if c.want == "" && (err != nil || v.On() == "") || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %+v, %v, want %q", c.text, v, err, c.want)
		}
	}
}

// Nothing that an adjudicator said of what a chain misses is also nothing after it was written and read; no other list is null.
func TestAdjudicationRoundTrip(t *testing.T) {
	e := Event{Schema: EventSchema, Kind: KindAdjudication, Body: Body{Adjudication: &Adjudication{On: KindRating, Part: "s1", FinalValue: FinalValue{Rating: &Rating{Support: Partly}}}}}
	b, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	got, err := RestoreEvent(b)
	a := got.Body.Adjudication
	if err != nil || a.Rating.Support != Partly || a.Kinds == nil || a.RestsOn == nil || a.Rating.Evidence == nil || a.Rating.Error == nil {
		t.Fatalf("%+v, %v", a, err)
	}
	again, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	if third, err := RestoreEvent(again); err != nil || !reflect.DeepEqual(third, got) {
		t.Errorf("%+v, %v", third, err)
	}
	for _, c := range [][4]string{{"rating", "c1", "x", "s"}, {"rating", "c1/x", "", "s"}, {"look", "c1", "", "s"}, {"rating", "c", "1", "s"}} {
		key := AdjudicationKey(Kind(c[0]), CaseID(c[1]), ChainID(c[2]), c[3])
		if !strings.HasPrefix(key, "/adjudication/") || strings.Count(key, "/") != 3 {
			t.Errorf("key %s", key)
		}
	}
}

func FuzzRestoreFinalValue(f *testing.F) {
	f.Add([]byte(`{"rating":{"support":"partly","evidence":[{"image":"i","shape":"box","coords":[0,0,1,1]}]}}`))
	f.Add([]byte(`{"chain_rating":{"missed":[{"text":"x","region":null}]}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := RestoreFinalValue(b)
		if err == nil && v.On() == "" {
			t.Errorf("%+v", v)
		}
	})
}
