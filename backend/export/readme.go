package export

import (
	"fmt"
	"strings"
)

// readme writes what whoever finds the folder must know of it.
func readme(f Format, m Manifest) []byte {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("# %s: %s\n", m.Dataset, f.Title)
	say("Written by Plumbline %s on %s as `%s`. For research and education; not a medical device, not for diagnosis.\n", m.Version, m.Made, f.Name)
	say("`manifest.json` holds the SHA-256 of each file, counts, licence flags, where labels are from, and the split; `side.jsonl` names everything that was left aside, and why.\n")
	for _, u := range m.Units {
		say("- %s: %d in, %d out%s", u.Unit, u.In, u.Out, leftText(u.Side))
	}
	if m.Split != nil {
		say("\nSplit by %s; seed %d.", strings.Join(m.Split.By, ", "), m.Split.Seed)
		for _, p := range m.Split.Parts {
			say("- %s: %d cases, %d clusters", p.Name, p.Cases, p.Clusters)
		}
	}
	for _, w := range m.Warnings {
		say("\n**%s**", w)
	}
	if f.For == "training" && m.Split != nil {
		say("\n`rows.jsonl` says of every row of every file what case, chain, question and step it is of, its cluster and split, and where its label is from.")
	}
	if text := notes(f.Name); text != "" {
		say("\n%s", text)
	}
	say("\n## Files\n")
	for _, s := range f.Files {
		say("- `%s`: %s", s.Path, strings.Join(s.Fields, ", "))
	}
	return []byte(b.String())
}

func leftText(side []Left) string {
	if len(side) == 0 {
		return ""
	}
	var parts []string
	for _, l := range side {
		parts = append(parts, fmt.Sprintf("%d %s", l.N, l.Why))
	}
	return "; left aside: " + strings.Join(parts, ", ")
}

// notes says what belongs to one format.
func notes(format string) string {
	switch {
	case format == "csv":
		return "RFC 4180: commas, CRLF, UTF-8, a header. A text that a spreadsheet would take for a formula (it begins with = + - @, tab or carriage return) has an apostrophe in front here, and only here. An empty cell is a missing value."
	case format == "parquet":
		return parquetNotes
	case format == "jsonl":
		return "The folder opens again as a dataset (`plumb import`); images are named and not copied. `ledger.jsonl` holds every event byte for byte as stored, so that its hash chains can be checked; `readings.jsonl` what holds now."
	case strings.HasPrefix(format, "trl"):
		return "For TRL: cast the column of paths with `datasets.Image()` and set `max_length=None` for vision-language models, or image tokens are cut off. Paths are relative to this folder."
	case strings.HasPrefix(format, "llamafactory"):
		return "For LLaMA-Factory: this folder is its `dataset_dir` and `media_dir`; `dataset_info.json` names the files. For samples B and C (`_b`, `_c`) train on the last turn only (`mask_history: true`): the earlier turns are given, not learned."
	case format == "mdpo":
		return "One ordinary row each: mDPO masks the image itself for its image-conditional term."
	case format == "dicom-sr" || format == "dicom-seg":
		return "The objects belong to the study of the images: they keep its UIDs, and carry the case's patient code in place of a name."
	}
	return ""
}

const parquetNotes = "A missing value is null; times are RFC 3339 text in UTC; `evidence` and `missed_text` hold JSON. Dictionary encoding, Zstandard, row groups of 20,000 rows. " +
	"Three worked queries, as DuckDB takes them (Spark and Ray Data read the same files):\n\n" + "```sql\n" + parquetQueries + "```"

// parquetQueries are the worked queries of the README; a test runs them.
const parquetQueries = `-- 1. Grounding by stage beside accuracy: two columns, never one.
select stage_k, stage, count(*) as ratings, avg((support = 'supported')::int) as grounded, avg(answer_correct::int) as answers_right
from 'ratings.parquet' where counts and support not in ('not_visual', 'cannot_assess') group by all order by stage_k;
-- 2. Right for the wrong reason, by model and condition.
select model, condition, count(*) as right_answers, avg(wrong_reason::int) as right_for_the_wrong_reason from (
  select model, condition, chain, question, bool_or(support in ('unsupported', 'contradicted')) as wrong_reason
  from 'ratings.parquet' where counts and answer_correct group by all) group by all order by model, condition;
-- 3. What readers spend: active seconds a step, by reader and support.
select r.reader, r.support, count(*) as steps, median(r.active_ms) / 1000 as active_s, c.cases
from 'ratings.parquet' r join (select reader, count(distinct "case") as cases from 'ratings.parquet' group by reader) c using (reader)
where r.counts group by all order by r.reader, r.support;
`
