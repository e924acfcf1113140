// What the element says by itself. All else comes from the server, in the language of the message.
const words = {
  en: {
    region: "Scheduling", ask: "What would you like to arrange?", send: "Send", stop: "Stop", stopped: "Stopped.",
    sending: "Sending…", step: "Step {n} of {of}", understood: "Understood", change: "Change {x}",
    instead: "… instead of {x}", length: "Make it {n} minutes", at: "at … instead", minutes: "{n} min",
    video: "Video call", phone: "Phone call",
    proposed: "Proposed", confirmed: "Confirmed", cancelled: "Cancelled", replaced: "Replaced by a later proposal",
    times: "Time", places: "Place", more: "Other times", confirm: "Confirm",
    confirming: "Booking…", undo: "Undo", undoing: "Undoing…", add: "Add to", file: "Calendar file (.ics)",
    map: "{x} on a map, in a new tab", newTab: "{x}, in a new tab", open: "Open the booking page", away: "{n} km from the midpoint",
    travel: "{n} min are kept free for travel before and {m} min after.",
    unread: "{name}’s calendar could not be read: {reason}", unreadNow: "We could not check the calendar of {names}.",
    undelivered: "The invitation to {names} could not be delivered. Please pass the event on.",
    copied: "The invitation to {names} could not be delivered, so the event was added to their own calendar.",
    none: "No time suits everybody. These come closest.", gone: "Choose another time to confirm.",
    noneLeft: "No other time suits everybody. Ask for another day.", choose: "I’d like {x}", pick: "Let’s do number {n}",
    lost: "Connection lost. Trying again…", back: "Connected again.", offline: "There is no connection. What was asked is not lost.",
    again: "Try again", busy: "The server is busy. Trying again in {n} s.", failed: "Something went wrong. Please try again.",
    expired: "The permission to schedule from this page has expired. Please reload the page.",
    barred: "This page may not schedule here. Please tell those who run it.", join: "Join the meeting",
    forgotten: "The server no longer knows this request. Please send it again.",
  },
  es: {
    region: "Agenda", ask: "¿Qué te gustaría organizar?", send: "Enviar", stop: "Detener", stopped: "Detenido.",
    sending: "Enviando…", step: "Paso {n} de {of}", understood: "Entendido", change: "Cambiar {x}",
    instead: "… en vez de {x}", length: "Que dure {n} minutos", at: "mejor a las …", minutes: "{n} min",
    video: "Videollamada", phone: "Llamada",
    proposed: "Propuesto", confirmed: "Confirmado", cancelled: "Cancelado", replaced: "Sustituido por una propuesta posterior",
    times: "Hora", places: "Lugar", more: "Otras horas", confirm: "Confirmar",
    confirming: "Reservando…", undo: "Deshacer", undoing: "Deshaciendo…", add: "Añadir a", file: "Archivo de calendario (.ics)",
    map: "{x} en un mapa, en otra pestaña", newTab: "{x}, en otra pestaña", open: "Abrir la página de reservas", away: "a {n} km del punto medio",
    travel: "Quedan libres {n} min para el viaje antes y {m} min después.",
    unread: "No se pudo leer el calendario de {name}: {reason}", unreadNow: "No pudimos comprobar el calendario de {names}.",
    undelivered: "La invitación a {names} no se pudo entregar. Reenvía el evento, por favor.",
    copied: "La invitación a {names} no se pudo entregar, así que el evento se añadió a su propio calendario.",
    none: "Ninguna hora conviene a todos. Estas son las más cercanas.", gone: "Elige otra hora para confirmar.",
    noneLeft: "Ninguna otra hora conviene a todos. Pide otro día.", choose: "Prefiero {x}", pick: "Hagamos la número {n}",
    lost: "Se perdió la conexión. Reintentando…", back: "Conectado de nuevo.", offline: "No hay conexión. Lo que pediste no se ha perdido.",
    again: "Reintentar", busy: "El servidor está ocupado. Nuevo intento en {n} s.", failed: "Algo salió mal. Inténtalo de nuevo.",
    expired: "El permiso de esta página ha caducado. Vuelve a cargar la página.",
    barred: "Esta página no puede agendar aquí. Avisa a quien la gestiona.", join: "Unirse a la reunión",
    forgotten: "El servidor ya no conoce esta petición. Envíala de nuevo.",
  },
  he: {
    region: "תיאום פגישה", ask: "מה תרצו לתאם?", send: "שליחה", stop: "עצירה", stopped: "נעצר.",
    sending: "שולח…", step: "שלב {n} מתוך {of}", understood: "הובן", change: "שינוי: {x}",
    instead: "… במקום {x}", length: "שיימשך {n} דקות", at: "בשעה … במקום", minutes: "{n} דק׳",
    video: "שיחת וידאו", phone: "שיחת טלפון",
    proposed: "הצעה", confirmed: "אושר", cancelled: "בוטל", replaced: "הוחלף בהצעה מאוחרת יותר",
    times: "שעה", places: "מקום", more: "זמנים אחרים", confirm: "אישור",
    confirming: "קובע…", undo: "ביטול", undoing: "מבטל…", add: "הוספה ל־", file: "קובץ יומן (‎.ics)",
    map: "{x} במפה, בלשונית חדשה", newTab: "{x}, בלשונית חדשה", open: "פתיחת דף הקביעה", away: "{n} ק״מ מנקודת האמצע",
    travel: "נשמרות {n} דקות לדרך לפני ו־{m} דקות אחרי.",
    unread: "לא ניתן לקרוא את היומן של {name}: {reason}", unreadNow: "לא הצלחנו לבדוק את היומן של {names}.",
    undelivered: "ההזמנה אל {names} לא נמסרה. כדאי להעביר את האירוע.",
    copied: "ההזמנה אל {names} לא נמסרה, ולכן האירוע נרשם ביומן האישי.",
    none: "אין זמן שמתאים לכולם. אלה הקרובים ביותר.", gone: "יש לבחור זמן אחר כדי לאשר.",
    noneLeft: "אין זמן אחר שמתאים לכולם. אפשר לבקש יום אחר.", choose: "אעדיף {x}", pick: "בוא נעשה את מספר {n}",
    lost: "החיבור נותק. מנסה שוב…", back: "החיבור חודש.", offline: "אין חיבור. מה שביקשת לא אבד.",
    again: "ניסיון נוסף", busy: "השרת עמוס. ניסיון נוסף בעוד {n} שניות.", failed: "משהו השתבש. נסו שוב.",
    expired: "ההרשאה של דף זה פגה. יש לטעון את הדף מחדש.",
    barred: "דף זה אינו רשאי לקבוע כאן. כדאי לספר למי שמפעיל אותו.", join: "הצטרפות לפגישה",
    forgotten: "השרת אינו מכיר עוד את הבקשה. יש לשלוח אותה שוב.",
  },
};

// Voice is the element's words, and its way of writing times and numbers, in one locale.
class Voice {
  constructor(locale) {
    this.locale = Voice.known(locale);
    const language = this.locale.split("-")[0];
    this.words = words[language] ?? words.en;
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
    return this.words[key].replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
  }

  // kind names what is no meeting in person.
  kind(type) {
    return /^(video|phone)$/.test(type) && this.say(type);
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
