// The parts of the page that do not depend on the moves of the game: menu, buttons, texts, settings and help.
import { button, byId, checkbox, dialog, element, menuButton, repeating, select, sign, translate } from "./dom.js";
import { isKnown, languages, resultText, setLanguage, t, variantName } from "./words.js";

export class Frame {
  constructor(app) {
    this.app = app;
    const opener = byId("menu-button");
    opener.addEventListener("click", () => this.openMenu(opener.getAttribute("aria-expanded") !== "true"));
    document.addEventListener("click", (event) => opener.contains(event.target) || this.openMenu(false));
    byId("menu").addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.openMenu(false);
      opener.focus();
    });
    const remarks = byId("remarks-box");
    remarks.open = app.settings.remarks;
    remarks.addEventListener("toggle", () => remarks.open === app.settings.remarks || app.set("remarks", remarks.open));
  }

  /** Opens or closes the menu, in layouts that hide it behind a button. */
  openMenu(isOpen) {
    byId("menu").classList.toggle("open", isOpen);
    byId("menu-button").setAttribute("aria-expanded", String(isOpen));
    if (isOpen) byId("menu").firstChild?.focus();
  }

  draw() {
    const { app } = this;
    const { settings } = app;
    document.documentElement.dataset.appearance = settings.appearance;
    document.documentElement.dataset.colours = settings.colours;
    document.documentElement.dataset.pieces = settings.pieces;
    translate();
    const engine = app.host.has;
    const variants = byId("variant");
    variants.replaceChildren(...[...app.rules.boards.values()].map((board) => element("option", { value: board.name }, variantName(board))));
    variants.value = app.tree.variant;
    variants.disabled = !engine;
    variants.onchange = () => {
      app.set("variant", variants.value);
      app.newGame(variants.value);
    };
    const { games, title } = app.start;
    const menu = engine ? [menuButton("new", () => app.newGame(app.tree.variant)), menuButton("play", () => app.play.ask()), menuButton("open", () => app.files.ask()), menuButton("setUp", () => app.setUp.begin()), menuButton("share", () => app.files.save())] : [];
    if (games.length > 1 || app.files.listId) menu.push(menuButton("gamesOf", () => (app.files.listId ? app.files.choose() : this.chooseGame())));
    byId("menu").replaceChildren(...menu, menuButton("settings", () => this.askSettings()), menuButton("help", () => this.help()));
    byId("menu-button").replaceChildren(sign("menu"));
    byId("menu-button").setAttribute("aria-label", t("menu"));
    byId("controls").replaceChildren(button("first", () => app.step("first")), repeating("previous", () => app.step("previous")), repeating("next", () => app.step("next")), button("last", () => app.step("last")), button("autoplay", () => app.autoplay.toggle()), button("flip", () => app.flip()));
    app.autoplay.draw();
    app.fields.build();
    byId("entry").classList.toggle("no-entry", !engine);
    byId("remarks-box").hidden = !engine;
    // Otherwise, the title of a page of puzzles would be its file name, which means nothing to users.
    if (games[0]?.ways?.length) document.title = byId("title").textContent = t("puzzles");
    else if (title) byId("title").textContent = title;
  }

  help() {
    const { app } = this;
    const keys = [["← →", "keyStep"], ["Home End", "keyEnds"], ["↑ ↓", "keyBad"], ["F", "flip"], ...(app.host.has ? [["A", "keyAnalyse"], ["T", "threatHelp"], ["Ctrl+Z", "undo"]] : []), ...(app.own === undefined ? [] : [["N P", "keyGames"]]), ["?", "help"]];
    const names = (text) => text.split(" ").flatMap((name) => [element("kbd", {}, name), " "]);
    const rows = keys.map(([text, key]) => element("tr", {}, element("th", { scope: "row" }, ...names(text)), element("td", {}, t(key))));
    dialog(t("help"), ...(app.host.has ? [] : [element("p", {}, t("noEngine"))]), element("table", { class: "keys" }, element("tbody", {}, ...rows)), element("p", {}, t("boardHelp")), element("p", {}, t("about", { version: app.start.version })));
  }

  /** Shows the games embedded in the page to choose from. */
  chooseGame() {
    const { app } = this;
    const row = (game, at) => {
      const tag = (name) => game.tags.find(([known]) => known === name)?.[1] || "";
      const players = [tag("White"), tag("Black")].some(isKnown) ? `${tag("White")} – ${tag("Black")}` : t(game.ways?.length ? "puzzleOf" : "gameOf", { n: at + 1, all: app.start.games.length });
      return element("li", {}, element("button", { type: "button", onclick: () => {
        box.close();
        app.loadOwn(at);
      } }, element("span", {}, `${at + 1}. ${players}`), element("small", {}, game.result === "*" || game.ways?.length ? "" : resultText(game.result, app.rules.boards.get(game.variant)))));
    };
    const box = dialog(t("gamesTitle", { n: app.start.games.length }), element("ol", { class: "games" }, ...app.start.games.map(row)));
  }

  askSettings() {
    const { app } = this;
    const { settings } = app;
    const change = (name, read = (value) => value) => (value) => {
      app.set(name, read(value));
      setLanguage(settings.language);
      this.draw();
      app.analysis.build();
      app.play.draw();
      app.learn.draw();
      app.moves.draw();
      app.refresh();
    };
    const names = (value) => {
      change("names")(value);
      if (app.host.has) app.rename();
    };
    const switches = ["arrows", "targets", "motion", "sound", "inner"].map((name) => checkbox(t(name), settings[name], change(name)));
    dialog(t("settingsTitle"), element("div", { class: "form" },
      select(t("language"), [["", t("system")], ...Object.values(languages).map(({ code, name }) => [code, name])], settings.language, change("language")),
      select(t("appearance"), ["system", "light", "dark"].map((name) => [name, t(name)]), settings.appearance, change("appearance")),
      select(t("colours"), ["wood", "blue", "green", "slate", "print", "contrast"].map((name) => [name, t(name)]), settings.colours, change("colours")),
      select(t("pieces"), ["classic", "glossy", "flat"].map((name) => [name, t(name)]), settings.pieces, change("pieces")),
      select(t("names"), [["usual", t("asUsual")], ["numbers", t("numbers")], ["letters", t("letters")], ["none", t("unsaid")]], settings.names, names),
      ...(app.host.has ? [select(t("hash"), [16, 32, 64, 128, 256].map((n) => [n, n]), settings.hash, change("hash", Number))] : []),
      ...(app.start.engine === "server" ? [select(t("threads"), [1, 2, 4, 8, 16].map((n) => [n, n]), settings.threads, change("threads", Number))] : []),
      ...switches));
  }
}
