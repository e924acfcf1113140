// Frame is the element's frame: the log of turns, the composer, and the live region for screen readers.
class Frame {
  constructor(host) {
    this.host = host;
    this.log = make("div", { part: "log" });
    this.live = make("div", { class: "unseen", role: "status", "aria-live": "polite", "aria-atomic": "true" });
    this.input = make("textarea", {
      part: "input", rows: 1, maxlength: 8000, enterkeyhint: "send", dir: "auto",
      keydown: (key) => {
        if (key.key !== "Enter" || key.shiftKey || key.isComposing) return;
        key.preventDefault();
        form.requestSubmit();
      },
    });
    this.button = make("button", { part: "send", class: "primary", type: "submit" });
    const form = make("form", { part: "composer", submit: (submit) => this.submit(submit) }, this.input, this.button);
    this.node = make("div", { part: "frame", role: "group" }, this.log, form, this.live);
    this.label();
    new ResizeObserver(this.fit).observe(this.node);
  }

  label() {
    const { voice } = this.host;
    this.node.dir = voice.direction;
    this.node.lang = voice.locale;
    this.node.setAttribute("aria-label", voice.say("region"));
    this.input.setAttribute("aria-label", voice.say("ask"));
    this.input.placeholder = voice.say("ask");
    this.button.textContent = voice.say("send");
    this.live.textContent = "";
  }

  // redraw draws everything anew in another language, and keeps the focus.
  redraw(turns) {
    const places = () => [...this.node.querySelectorAll("a, button, [tabindex]")];
    const at = places().indexOf(this.node.getRootNode().activeElement);
    this.label();
    for (const turn of turns) turn.draw();
    places()[at]?.focus({ preventScroll: true });
  }

  submit(submit) {
    submit.preventDefault();
    const message = this.input.value.trim();
    if (!message) return this.input.focus();
    this.input.value = "";
    this.host.ask(message);
  }

  // suggest puts the beginning of a change into the input, and selects the part to fill in.
  suggest(text) {
    this.input.value = text;
    this.input.focus();
    const at = text.search(/…|\d+/);
    if (at >= 0) this.input.setSelectionRange(at, at + /^…|^\d+/.exec(text.slice(at))[0].length);
  }

  // retract removes the message of a turn that continues from the input.
  retract({ message }) {
    if (this.input.value === message) this.input.value = "";
  }

  // limited reports whether the page limits the element's height; otherwise the page scrolls.
  get limited() {
    return getComputedStyle(this.node).maxBlockSize !== "none";
  }

  // scroll shows the end, but never hides the beginning of the newest turn or card. The page scrolls too if the focus is
  // in here.
  scroll(page) {
    const newest = [...this.log.querySelectorAll(".turn:last-child, .turn:last-child .card")].at(-1);
    this.fit();
    this.log.scrollTop = Math.min(this.log.scrollHeight, newest.offsetTop - 12);
    if (page && this.node.matches(":focus-within")) (this.limited ? this.node : newest).scrollIntoView({ block: "nearest" });
  }

  // fit keeps the confirmation in sight: at the end of the scroll area, and above an on-screen keyboard.
  fit = () => {
    const { limited, log, node } = this;
    log.classList.toggle("limited", limited);
    const { height, offsetTop, scale } = visualViewport;
    const covered = (end) => Math.max(0, end - height - offsetTop);
    const shown = scale > 1 || covered(innerHeight) < 1 ? 0 : covered(limited ? log.getBoundingClientRect().bottom : innerHeight);
    node.style.setProperty("--covered", `${shown}px`);
  };
}
