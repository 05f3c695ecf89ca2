// The position and the game as text next to the board: both can be copied, edited and replaced.
import { button, byId, element, notice } from "./dom.js";
import { t } from "./words.js";

export class Fields {
  constructor(app) {
    this.app = app;
    byId("fields-box").addEventListener("toggle", () => this.draw());
  }

  build() {
    const { app } = this;
    const take = (field) => async () => (await app.files.take(field.value)) || this.draw();
    byId("fields-box").hidden = !app.host.has;
    this.fen = element("input", { class: "code", "aria-label": t("fen"), title: t("fen"), spellcheck: "false", autocomplete: "off", onchange: () => take(this.fen)() });
    this.pdn = element("textarea", { class: "code", rows: 4, "aria-label": t("pdn"), spellcheck: "false" });
    byId("fields").replaceChildren(this.fen, this.pdn, element("div", { class: "tools" }, button("show", take(this.pdn))));
    this.draw();
  }

  /** Writes the current position and game into the fields, except into a field that is being edited. */
  async draw() {
    const { app, fen, pdn } = this;
    if (!fen || !byId("fields-box").open || !app.host.has) return;
    const put = (field, text) => field !== document.activeElement && field.value !== text && (field.value = text);
    put(fen, app.position?.fen || app.tree.fen);
    try {
      put(pdn, await app.files.pdn());
    } catch (error) {
      notice(error.message, "wrong");
    }
  }
}
