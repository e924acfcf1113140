// Compares the corpus of recurrences with what other programs say of it: node check.js FOLDER.
//
// A program's answer is right where it says busy exactly where the case does; time that the case calls unknown may be
// either. A case that says why a program differs must differ, unless the program is not asked, because it would not end.
// Anything else is printed, and the exit code is 1.
import { readCorpus } from "./corpus.js";
import * as icaljs from "./icaljs.js";
import * as rrulejs from "./rrulejs.js";

const programs = { "ical.js": icaljs.busy, rrule: rrulejs.busy };

/** Stretches in order and merged, without time outside of span or in any of the holes. */
function normal(stretches, [from, to], holes) {
  const events = stretches.map(([start, end]) => (end < start ? [end, start] : [start, end]))
    .map(([start, end]) => [Math.max(start, from), Math.min(end, to)])
    .filter(([start, end]) => start < end)
    .sort(([a], [b]) => a - b);
  const merged = [];
  for (const [start, end] of events) {
    const last = merged.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return holes.reduce((left, hole) => left.flatMap((stretch) => minus(stretch, hole)), merged);
}

const minus = ([start, end], [from, to]) =>
  [[start, Math.min(end, from)], [Math.max(start, to), end]].filter(([a, b]) => a < b);

const show = (stretches) =>
  stretches.map((stretch) => stretch.map((moment) => new Date(moment).toISOString()).join("/")).join("\n      ") || "nothing";

/** What is wrong with a program's answer to a case, or undefined. */
function verdict(one, program) {
  const excuse = one.excuses[program];
  if (excuse?.startsWith("not asked")) return { asked: false };
  const want = normal(one.busy, one.span, one.unknown);
  let got;
  try {
    const answer = programs[program](one);
    if (!answer) return { asked: false };
    got = show(normal(answer, one.span, one.unknown));
  } catch (error) {
    got = `refused: ${error.message}`;
  }
  const differs = got !== show(want);
  if (differs && !excuse) return { asked: true, complaint: `want ${show(want)}\n  got ${got}` };
  if (!differs && excuse) return { asked: true, complaint: `agrees, and the case says that it does not` };
  return { asked: true, differs };
}

let failed = false;
for (const program of Object.keys(programs)) {
  let agreed = 0;
  let excused = 0;
  for (const one of readCorpus(process.argv[2])) {
    const { asked, differs, complaint } = verdict(one, program);
    if (complaint) {
      failed = true;
      console.log(`${one.name}: ${program}\n  ${complaint}`);
    } else if (differs) excused++;
    else if (asked) agreed++;
  }
  console.log(`${program}: ${agreed} agree, ${excused} differ for a reason`);
}
process.exitCode = failed ? 1 : 0;
