// Writes names.json: how each language names weekdays and months, and how it writes a date with a time.
// Run it with Node.js (full ICU): node generate.mjs > names.json
const tags = ('en es he fr de it pt nl sv da nb nn fi is fo pl cs sk sl hr sr sr-Latn bs mk bg ru uk be ro hu el tr az kk uz ky ' +
  'tg tk mn ar fa ur ps ku hi bn ta te kn ml mr gu pa or as ne si th lo km my vi id ms fil jv sw am ti ka hy et lv lt sq eu ca ' +
  'gl cy ga gd br lb zh zh-Hant ja ko zu xh af so ha yo ig mt eo yi').split(' ');

const day = (d) => new Date(Date.UTC(2023, 9, 1 + d, 14, 5)); // 2023-10-01 is a Sunday
const month = (m) => new Date(Date.UTC(2023, m, 24, 14, 5));
const clean = (s) => s.replace(/[\u200b\u200e\u200f\u061c]/g, '').replace(/[\u00a0\u202f\u2009]/g, ' ').trim();
const base = { timeZone: 'UTC', calendar: 'gregory', numberingSystem: 'latn' };
const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };

function parts(tag, options, date) {
  return new Intl.DateTimeFormat(tag, { ...base, ...options }).formatToParts(date);
}
function part(tag, options, date, type) {
  return clean(parts(tag, options, date).find((p) => p.type === type)?.value ?? '');
}
const keys = { weekday: '{weekday}', month: '{month}', day: '{day}', year: '{year}', hour: '{hour}', minute: '{minute}' };
function pattern(tag, options) {
  const text = parts(tag, options, day(24)).map((p) => (p.type === 'literal' ? p.value : keys[p.type] ?? '')).join('');
  return clean(text).replace(/  +/g, ' ').replace(/\{hour\}[.:]\{minute\}/, '{hour}:{minute}');
}
const unique = (list) => [...new Set(list.filter(Boolean))];

const languages = {};
for (const tag of tags) {
  if (Intl.DateTimeFormat.supportedLocalesOf(tag).length === 0) continue;
  const dated = { weekday: 'long', day: 'numeric', month: 'long' };
  const days = [...Array(7).keys()];
  const months = [...Array(12).keys()];
  const forms = [dated, { ...dated, month: 'short' }, { ...dated, weekday: 'short' }];
  languages[tag] = {
    weekdays: days.map((d) => part(tag, dated, day(d), 'weekday')),
    months: months.map((m) => part(tag, dated, month(m), 'month')),
    long: pattern(tag, { ...dated, ...clock }),
    longYear: pattern(tag, { ...dated, year: 'numeric', ...clock }),
    short: pattern(tag, { weekday: 'long', ...clock }),
    weekdayWords: unique(days.flatMap((d) => [
      part(tag, { weekday: 'long' }, day(d), 'weekday'), part(tag, { weekday: 'short' }, day(d), 'weekday'),
      ...forms.map((f) => part(tag, f, day(d), 'weekday'))])),
    monthWords: unique(months.flatMap((m) => [
      part(tag, { month: 'long' }, month(m), 'month'), part(tag, { month: 'short' }, month(m), 'month'),
      ...forms.map((f) => part(tag, f, month(m), 'month'))])),
  };
}
const lines = Object.entries(languages).map(([tag, l]) => `  ${JSON.stringify(tag)}: ${JSON.stringify(l)}`);
process.stdout.write(`{"source": "Unicode CLDR ${process.versions.cldr}, read through ICU ${process.versions.icu} (Intl of Node.js)",\n"languages": {\n${lines.join(',\n')}\n}}\n`);
