// A game with its variations.

export class GameTree {
  constructor({ variant, letters, fen, position, tags = [], result = "*", comment = null, parts = [], score = null, ways = [], guess = false, ending = null, extra = [], lead = "" }) {
    Object.assign(this, { variant, letters, fen, tags, result, ways, guess, ending, extra, lead });
    this.root = { parent: null, children: [], ply: 0, text: "", position, comment, parts, score, glyphs: [], route: [], taken: [] };
    this.current = this.root;
  }

  /** Creates a tree from the JSON form that the rules return and the store contains. */
  static from(data) {
    const tree = new GameTree(data);
    const nodes = [];
    for (const node of data.nodes) {
      const parent = node.parent === null ? tree.root : nodes[node.parent];
      const made = { glyphs: [], taken: [], route: [], parts: [], ...node, parent, children: [], ply: parent.ply + 1 };
      parent.children.push(made);
      nodes.push(made);
    }
    tree.current = nodes[data.current] || tree.root;
    return tree;
  }

  /** Returns the JSON form that `from` reads. */
  toJson() {
    const nodes = [];
    const places = new Map([[this.root, null]]);
    const walk = (node) => {
      for (let at = node; at.children.length; at = at.children[0]) {
        const add = (child) => {
          const { children, ply, ...rest } = child;
          places.set(child, nodes.length);
          nodes.push({ ...rest, parent: places.get(at) });
        };
        add(at.children[0]);
        at.children.slice(1).forEach((child) => {
          add(child);
          walk(child);
        });
      }
    };
    walk(this.root);
    const { variant, letters, fen, tags, result, guess, ending, extra, lead, root } = this;
    return { variant, letters, fen, tags, result, guess, ending, extra, lead, position: root.position, comment: root.comment, parts: root.parts, score: root.score, nodes, current: places.get(this.current), ...(this.ways.length && { ways: this.ways }) };
  }

  /** Returns a new game with the moves up to the current one, without variations, players and result. */
  cut() {
    const data = this.toJson();
    const nodes = this.path().map(({ text, route, taken, position }, at) => ({ text, route, taken, position, parent: at ? at - 1 : null }));
    const tags = this.tags.filter(([name]) => ["FEN", "SetUp", "GameType"].includes(name));
    return GameTree.from({ ...data, nodes, tags, result: "*", ending: null, extra: [], lead: "", current: nodes.length - 1, ways: [] });
  }

  path(node = this.current) {
    const path = [];
    for (let at = node; at.parent; at = at.parent) path.unshift(at);
    return path;
  }

  /** Returns the game up to `node`, in the form that requests to the rules contain. */
  upTo(node = this.current) {
    const path = this.path(node);
    // A position such as /FEN "W:W31:B20"/ can stand between moves.
    const last = path.findLastIndex((at) => at.text.startsWith("/"));
    const fen = last < 0 ? this.fen : path[last].text.split('"')[1];
    return { variant: this.variant, letters: this.letters, fen, moves: path.slice(last + 1).map((at) => at.text) };
  }

  /** Returns the moves from the start through `node` to the end of its line. */
  line(node = this.current) {
    const line = this.path(node);
    for (let at = node; at.children.length; at = at.children[0]) line.push(at.children[0]);
    return line;
  }

  isMain(node) {
    for (let at = node; at.parent; at = at.parent) if (at.parent.children[0] !== at) return false;
    return true;
  }

  /** Adds a move after `parent` if it is not already there, and returns its node. */
  add(parent, { text, route, taken, position }) {
    const same = parent.children.find((child) => child.text === text);
    if (same) return same;
    const node = { parent, children: [], ply: parent.ply + 1, text, route, taken, position, glyphs: [], parts: [] };
    parent.children.push(node);
    return node;
  }

  /** Promotes the line through `node` at the last branch where it is not the main line. */
  promote(node) {
    for (let at = node; at.parent; at = at.parent) {
      const siblings = at.parent.children;
      if (siblings[0] !== at) {
        siblings.splice(siblings.indexOf(at), 1);
        siblings.unshift(at);
        return;
      }
    }
  }

  remove(node) {
    const siblings = node.parent.children;
    siblings.splice(siblings.indexOf(node), 1);
    if (this.path().includes(node) || this.current === node) this.current = node.parent;
  }

  tag(name) {
    return this.tags.find(([known]) => known === name)?.[1] || "";
  }

  /** 1 if the first move is the second in a numbered pair of moves, otherwise 0. */
  get firstPly() {
    const side = { B: "black", W: "white" }[this.tag("FEN").trim()[0]?.toUpperCase()];
    return side && side !== (this.starts || "white") ? 1 : 0;
  }

  /** Returns the number of a move, such as `12.` or `12…`. */
  number(node) {
    const ply = node.ply - 1 + this.firstPly;
    return Math.floor(ply / 2) + 1 + (ply % 2 ? "…" : ".");
  }
}

/** Glyphs of a mistake, a blunder and a dubious move. */
export const BAD_GLYPHS = [2, 4, 6];
export const SYMBOLS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□" };
export const symbols = (node) => node.glyphs.map((glyph) => SYMBOLS[glyph] || (glyph > 9 ? ` $${glyph}` : "")).join("");
