// table reads rows of words: a name, and its words in English, Spanish and Hebrew. An empty word equals the name. A line
// that begins with a bar continues the previous row.
const languages = ["en", "es", "he"];
const table = (rows) => new Map(rows.trim().split(/\n(?!\|)/).map((row) => {
  const [name, ...words] = row.split(/\n?\|/);
  return [name, words.map((word) => word || name)];
}));

// The element's own words. All others come from the server, in the language of the message.
const words = table(`
region|Scheduling|Agenda|תיאום פגישה
ask|What would you like to arrange?|¿Qué te gustaría organizar?|מה תרצו לתאם?
send|Send|Enviar|שליחה
stop|Stop|Detener|עצירה
stopped|Stopped.|Detenido.|נעצר.
sending|Sending…|Enviando…|שולח…
step|Step {n} of {of}|Paso {n} de {of}|שלב {n} מתוך {of}
understood|Understood|Entendido|הובן
change|Change {x}|Cambiar {x}|שינוי: {x}
instead|… instead of {x}|… en vez de {x}|… במקום {x}
length|Make it {n} minutes|Que dure {n} minutos|שיימשך {n} דקות
at|at … instead|mejor a las …|בשעה … במקום
minutes|{n} min|{n} min|{n} דק׳
proposed|Proposed|Propuesto|הצעה
confirmed|Confirmed|Confirmado|אושר
cancelled|Cancelled|Cancelado|בוטל
replaced|Replaced by a later proposal|Sustituido por una propuesta posterior|הוחלף בהצעה מאוחרת יותר
times|Time|Hora|שעה
places|Place|Lugar|מקום
more|Other times|Otras horas|זמנים אחרים
confirm|Confirm|Confirmar|אישור
confirming|Booking…|Reservando…|קובע…
undo|Undo|Deshacer|ביטול
undoing|Undoing…|Deshaciendo…|מבטל…
add|Add to|Añadir a|הוספה ל־
file|Calendar file (.ics)|Archivo de calendario (.ics)|קובץ יומן (‎.ics)
map|{x} on a map, in a new tab|{x} en un mapa, en otra pestaña|{x} במפה, בלשונית חדשה
newTab|{x}, in a new tab|{x}, en otra pestaña|{x}, בלשונית חדשה
open|Open the booking page|Abrir la página de reservas|פתיחת דף הקביעה
away|{n} km from the midpoint|a {n} km del punto medio|{n} ק״מ מנקודת האמצע
travel|{n} min are kept free for travel before and {m} min after.
|Quedan libres {n} min para el viaje antes y {m} min después.
|נשמרות {n} דקות לדרך לפני ו־{m} דקות אחרי.
unread|{name}’s calendar could not be read: {reason}
|No se pudo leer el calendario de {name}: {reason}
|לא ניתן לקרוא את היומן של {name}: {reason}
unreadNow|We could not check the calendar of {names}.
|No pudimos comprobar el calendario de {names}.
|לא הצלחנו לבדוק את היומן של {names}.
undelivered|The invitation to {names} could not be delivered. Please pass the event on.
|La invitación a {names} no se pudo entregar. Reenvía el evento, por favor.
|ההזמנה אל {names} לא נמסרה. כדאי להעביר את האירוע.
copied|The invitation to {names} could not be delivered, so the event was added to their own calendar.
|La invitación a {names} no se pudo entregar, así que el evento se añadió a su propio calendario.
|ההזמנה אל {names} לא נמסרה, ולכן האירוע נרשם ביומן האישי.
none|No time suits everybody. These come closest.
|Ninguna hora conviene a todos. Estas son las más cercanas.
|אין זמן שמתאים לכולם. אלה הקרובים ביותר.
gone|Choose another time to confirm.|Elige otra hora para confirmar.|יש לבחור זמן אחר כדי לאשר.
noneLeft|No other time suits everybody. Ask for another day.
|Ninguna otra hora conviene a todos. Pide otro día.
|אין זמן אחר שמתאים לכולם. אפשר לבקש יום אחר.
choose|I’d like {x}|Prefiero {x}|אעדיף {x}
pick|Let’s do number {n}|Hagamos la número {n}|בוא נעשה את מספר {n}
lost|Connection lost. Trying again…|Se perdió la conexión. Reintentando…|החיבור נותק. מנסה שוב…
back|Connected again.|Conectado de nuevo.|החיבור חודש.
offline|There is no connection. What was asked is not lost.
|No hay conexión. Lo que pediste no se ha perdido.
|אין חיבור. מה שביקשת לא אבד.
again|Try again|Reintentar|ניסיון נוסף
busy|The server is busy. Trying again in {n} s.
|El servidor está ocupado. Nuevo intento en {n} s.
|השרת עמוס. ניסיון נוסף בעוד {n} שניות.
failed|Something went wrong. Please try again.|Algo salió mal. Inténtalo de nuevo.|משהו השתבש. נסו שוב.
expired|The permission to schedule from this page has expired. Please reload the page.
|El permiso de esta página ha caducado. Vuelve a cargar la página.
|ההרשאה של דף זה פגה. יש לטעון את הדף מחדש.
barred|This page may not schedule here. Please tell those who run it.
|Esta página no puede agendar aquí. Avisa a quien la gestiona.
|דף זה אינו רשאי לקבוע כאן. כדאי לספר למי שמפעיל אותו.
join|Join the meeting|Unirse a la reunión|הצטרפות לפגישה
forgotten|The server no longer knows this request. Please send it again.
|El servidor ya no conoce esta petición. Envíala de nuevo.
|השרת אינו מכיר עוד את הבקשה. יש לשלוח אותה שוב.
changes|Changes|Cambios|שינויים
waits|Waiting for you|A la espera|ממתין לך
working|Working…|En curso…|מבצע…
made|Done|Hecho|בוצע
partly|Partly done|Hecho en parte|בוצע חלקית
late|Expired|Caducado|פג תוקף
renewed|Replaced|Sustituido|הוחלף
undone|Undone|Deshecho|הוחזר לקדמותו
notMade|Not done.|No se hizo.|לא בוצע.
left|Left out.|Omitido.|הושמט.
unsure|It may or may not have been done.|Puede que se haya hecho o no.|ייתכן שבוצע וייתכן שלא.
new|New|Nuevo|חדש
edit|Change|Cambio|שינוי
archive|Archive|Archivar|לארכיון
remove|Delete|Eliminar|מחיקה
reply|Answer|Respuesta|תשובה
guests|Guests|Invitados|מוזמנים
notes|Notes|Notas|הערות
scopeThis|Only this one of the series.|Solo este de la serie.|רק המופע הזה של הסדרה.
scopeFollowing|This one and all later ones of the series.
|Este y todos los siguientes de la serie.
|המופע הזה וכל הבאים בסדרה.
scopeAll|The whole series.|Toda la serie.|כל הסדרה.
hear|{names} will hear of it.|Se avisará a {names}.|תישלח הודעה אל {names}.
final|This cannot be undone.|Esto no se puede deshacer.|אי אפשר להחזיר את זה לקדמותו.
dismiss|Cancel|Cancelar|לא לבצע
`);

// Voice is the element's words, and its way of writing times and numbers, in one locale.
class Voice {
  constructor(locale) {
    this.locale = Voice.known(locale);
    const language = this.locale.split("-")[0];
    this.at = Math.max(languages.indexOf(language), 0);
    this.direction = /^(ar|fa|he|iw|ur|yi)$/.test(language) ? "rtl" : "ltr";
  }

  // known is a locale that Intl takes; a wrong attribute must not break the page.
  static known(locale) {
    try {
      return Intl.getCanonicalLocales(locale)[0] ?? "en";
    } catch {
      return "en";
    }
  }

  say(key, values = {}) {
    return words.get(key)[this.at].replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
  }

  // kind names what is no meeting in person.
  kind(type) {
    return type !== "in-person" && this.called(type);
  }

  // called is the word for a token. One that is in no vocabulary is a word of English, or the person's own.
  called(token = "", own = false) {
    const known = vocabulary.get(token.toLowerCase().replaceAll("_", " "));
    return known ? known[this.at] : own || !this.at ? token.replaceAll("_", " ") : "";
  }

  list(names) {
    return new Intl.ListFormat(this.locale).format(names);
  }

  number(n) {
    return new Intl.NumberFormat(this.locale, { maximumFractionDigits: 1 }).format(n);
  }

  // format writes moments in a zone; one that this browser does not know counts as its own.
  format(options, zone) {
    try {
      return new Intl.DateTimeFormat(this.locale, { ...options, timeZone: zone || undefined });
    } catch {
      return new Intl.DateTimeFormat(this.locale, options);
    }
  }

  day(moment, zone) {
    return this.format({ weekday: "long", month: "long", day: "numeric" }, zone).format(new Date(moment));
  }

  hours(start, end, zone) {
    const clock = this.format({ hour: "numeric", minute: "2-digit", timeZoneName: "short" }, zone);
    return clock.formatRange(new Date(start), new Date(end));
  }

  short(moment, zone) {
    const options = { weekday: "short", month: "short", day: "numeric", hour: "numeric", minute: "2-digit" };
    return this.format(options, zone).format(new Date(moment));
  }

  // spoken names a moment so that a message with it is understood.
  spoken(moment, zone) {
    const options = { weekday: "long", month: "long", day: "numeric", hour: "numeric", minute: "2-digit" };
    return this.format(options, zone).format(new Date(moment));
  }

  // dates writes a run of days, which belong to no zone.
  dates({ start, end }) {
    const options = start === end ? { weekday: "long" } : { month: "short", day: "numeric" };
    return this.format(options, "UTC").formatRange(new Date(start), new Date(end));
  }

  // window writes a stretch of a day; an exact one is a single time.
  window({ start, end }) {
    const clock = this.format({ hour: "numeric", minute: "2-digit" }, "UTC");
    const at = (time) => new Date(Date.UTC(2000, 0, 1, ...time.split(":").map(Number)));
    return clock.formatRange(at(start), at(end));
  }
}
