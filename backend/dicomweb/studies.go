package dicomweb

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"plumbline/backend/fault"
)

// Study is what an archive says of a study so that somebody can choose it. Names of persons are not asked for, and left where an archive
// tells them unasked.
type Study struct {
	UID         string   `json:"uid"`
	Date        string   `json:"date"`    // as 2026-01-31, or ""
	Patient     string   `json:"patient"` // the archive's number of the patient, or ""
	Description string   `json:"description"`
	Modalities  []string `json:"modalities"`
	Series      int      `json:"series"`    // 0: it does not say
	Instances   int      `json:"instances"` // 0: it does not say
}

// Wanted says which studies are asked for: "" is any.
type Wanted struct {
	Patient  string // the archive's number of the patient, or a part of it
	Modality string
	From, To string // of the study's day, as 2026-01-31
	Skip     int    // how many to leave out at the beginning
}

// Most is how many studies Find gives at once.
const Most = 50

// Find asks which studies an archive has. More tells that there are others behind these.
//
// Faults: Usage (a day that is none), Refused (a public host without consent, or a login that the server does not take), Endpoint, Cancelled.
func Find(ctx context.Context, root *url.URL, w Wanted, o Options) (found []Study, more bool, err error) {
	const op = "find studies"
	q, err := w.query()
	if err != nil {
		return nil, false, err
	}
	s, err := connect(ctx, root, o)
	if err != nil {
		return nil, false, err
	}
	defer s.http.CloseIdleConnections()
	b, err := s.answer(ctx, op, "/studies?"+q.Encode())
	if err == nil {
		found, err = parseStudies(b)
	}
	if err != nil {
		return nil, false, fault.In(op, root.String(), err)
	}
	if more = len(found) > Most; more {
		found = found[:Most]
	}
	return found, more, nil
}

// query makes the question of QIDO-RS (PS3.18 8.3.4). One study more than wanted tells whether there are more.
func (w Wanted) query() (url.Values, error) {
	q := url.Values{"limit": {strconv.Itoa(Most + 1)}, "offset": {strconv.Itoa(max(0, w.Skip))},
		"includefield": {"00081030", "00080061", "00201206", "00201208"}}
	if p := strings.Trim(w.Patient, " *"); p != "" {
		q.Set("PatientID", "*"+p+"*")
	}
	if w.Modality != "" {
		q.Set("ModalitiesInStudy", strings.ToUpper(strings.TrimSpace(w.Modality)))
	}
	var days [2]string
	for i, day := range []string{w.From, w.To} {
		if day == "" {
			continue
		}
		t, err := time.Parse(time.DateOnly, day)
		if err != nil {
			return nil, fault.New(fault.Usage, "find studies", day, "a day as 2026-01-31 expected")
		}
		days[i] = t.Format("20060102")
	}
	if days != [2]string{} {
		q.Set("StudyDate", days[0]+"-"+days[1])
	}
	return q, nil
}

// parseStudies reads a list of studies as DICOM JSON (PS3.18 F.2). One without a UID cannot be asked for and is left out.
func parseStudies(b []byte) ([]Study, error) {
	if len(strings.TrimSpace(string(b))) == 0 {
		return []Study{}, nil
	}
	var rows []map[string]attribute
	if err := json.Unmarshal(b, &rows); err != nil {
		return nil, fault.New(fault.Endpoint, "find studies", "", "what the server answers is no list of DICOM JSON: %w", err)
	}
	out := []Study{}
	for _, row := range rows {
		s := Study{UID: uidOf(row["0020000D"]), Date: dayOf(textOf(row["00080020"])), Patient: textOf(row["00100020"]),
			Description: textOf(row["00081030"]), Modalities: []string{}, Series: countOf(row["00201206"]), Instances: countOf(row["00201208"])}
		for i := range row["00080061"].Value {
			if m := textOf(attribute{row["00080061"].Value[i:]}); m != "" {
				s.Modalities = append(s.Modalities, m)
			}
		}
		if s.UID != "" && !slices.ContainsFunc(out, func(o Study) bool { return o.UID == s.UID }) {
			out = append(out, s)
		}
	}
	return out, nil
}

// textOf gives the first value of an attribute as a line that can be shown: at most 64 characters (VR LO), none of them a control.
func textOf(a attribute) string {
	var s string
	if len(a.Value) == 0 || json.Unmarshal(a.Value[0], &s) != nil {
		return ""
	}
	r := []rune(strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)))
	return string(r[:min(len(r), 64)])
}

// dayOf gives a date of DICOM as 2026-01-31, "" where it is none.
func dayOf(s string) string {
	t, err := time.Parse("20060102", s)
	if err != nil {
		return ""
	}
	return t.Format(time.DateOnly)
}

// countOf gives a number that the server wrote as one, or as text; 0 where it is none.
func countOf(a attribute) int {
	if len(a.Value) == 0 {
		return 0
	}
	n, err := strconv.Atoi(strings.Trim(string(a.Value[0]), `" `))
	if err != nil || n < 0 {
		return 0
	}
	return n
}
