// Reads the corpus of recurrences: pkg/calendar/icalendar/corpus_test.go says what its files look like.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

import { startOfDay } from "./zones.js";

const fence = /^-- (.+) --\n/gm;

/** All cases of the corpus in that folder. */
export function readCorpus(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith(".txtar")).sort();
  return files.flatMap((name) => casesOf(basename(name, ".txtar"), readFileSync(join(folder, name), "utf8")));
}

function casesOf(area, text) {
  const fences = [...text.matchAll(fence)];
  return fences.map((match, i) => {
    const end = i + 1 < fences.length ? fences[i + 1].index : text.length;
    return parseCase(`${area}/${match[1]}`, text.slice(match.index + match[0].length, end));
  });
}

function parseCase(name, text) {
  const cut = text.indexOf("\n\n");
  const fields = { busy: [], unknown: [] };
  for (const line of text.slice(0, cut).split("\n")) {
    const [, key, value] = /^(\S+): (.*)$/.exec(line);
    if (Array.isArray(fields[key])) fields[key].push(parseStretch(value));
    else fields[key] = value;
  }
  const [first, last] = fields.span.split("/");
  const body = text.slice(cut + 2);
  return {
    name,
    owner: fields.owner,
    span: [startOfDay(first, fields.owner), startOfDay(last, fields.owner)],
    busy: fields.busy,
    unknown: fields.unknown,
    // Why a program gives another answer, by its name.
    excuses: { "ical.js": fields["ical.js"], rrule: fields.rrule },
    calendar: body.startsWith("BEGIN:VCALENDAR") ? body : `BEGIN:VCALENDAR\nVERSION:2.0\n${body}END:VCALENDAR\n`,
  };
}

const parseStretch = (text) => text.split("/").map((moment) => Date.parse(moment));
