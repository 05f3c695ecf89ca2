"use strict";
// Shows one game at a time. What is shown is a game, a number of moves, and a number of moves of the line that is better there;
// every link has such an address, and so has the page.
(() => {
  const SIDE = 20; // of a square in the units of the pictures
  const SVG = "http://www.w3.org/2000/svg";
  const sections = [...document.querySelectorAll("section.game")];
  const boards = JSON.parse(document.getElementById("boards").textContent);
  const games = sections.map(() => null); // what the page knows of each, once it is shown
  const shown = { game: 0, ply: 0, step: 0 };
  let turned = false;

  const within = (value, least, most) => Math.min(Math.max(value, least), most);

  function game(index) {
    if (games[index] === null) {
      const data = JSON.parse(sections[index].querySelector("script").textContent);
      data.board = { ...boards[data.board], id: "board-" + data.board };
      games[index] = data;
    }
    return games[index];
  }

  function address({ game, ply, step }) {
    return "#game-" + (game + 1) + "-ply-" + ply + (step > 0 ? "-better-" + step : "");
  }

  // The place that an address means, as far as there is one.
  function place(address) {
    const parts = /^#game-(\d+)(?:-ply-(\d+)(?:-better-(\d+))?)?$/.exec(address);
    if (parts === null || sections[parts[1] - 1] === undefined) return null;
    return { game: parts[1] - 1, ply: Number(parts[2] || 0), step: Number(parts[3] || 0) };
  }

  function draw(name, attributes) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  }

  // Draws a position with the last move and the arrows of the moves from here.
  function drawBoard(picture, { board, position, last, arrows }) {
    const corner = (index) => {
      const [column, row] = board.squares[index];
      return (turned ? [board.columns - 1 - column, board.rows - 1 - row] : [column, row]).map((at) => at * SIDE);
    };
    const centre = (index) => corner(index).map((at) => at + SIDE / 2);
    const at = (index) => { const [x, y] = corner(index); return { x, y }; };
    picture.querySelector(".place").setAttribute("href", "#" + board.id + (turned ? "-turned" : ""));
    const trail = last === undefined ? [] : [...last.route];
    picture.querySelector(".trail").replaceChildren(
      ...trail.map((index) => draw("rect", { ...at(index), width: SIDE, height: SIDE })));
    const letters = [...position.slice(1)];
    picture.querySelector(".pieces").replaceChildren(...letters.flatMap((letter, index) =>
      letter === "e" ? [] : [draw("use", { href: "#piece-" + letter, ...at(index) })]));
    picture.querySelector(".arrows").replaceChildren(...arrows.flatMap(([kind, move]) => [
      ...(move.taken || []).map((index) => {
        const [cx, cy] = centre(index);
        return draw("circle", { class: "taken " + kind, cx, cy, r: 9 });
      }),
      ...(move.route.length < 2 ? [] : [
        draw("path", { class: "arrow " + kind, d: "M" + move.route.map((index) => centre(index).join(" ")).join("L") })]),
    ]));
    picture.setAttribute("aria-label", inWords(board, position));
  }

  // A position for those who do not see it.
  function inWords(board, position) {
    const squares = (letter) => board.names.filter((_, index) => position[index + 1] === letter).join(", ");
    const pieces = (name, man, king) => {
      const men = squares(man), kings = squares(king);
      return name + ": " + ([men, kings && "kings " + kings].filter((text) => text).join("; ") || "no piece");
    };
    const side = position[0] === "W" ? "White" : "Black";
    return [side + " to move", pieces("White", "w", "W"), pieces("Black", "b", "B")].join(". ");
  }

  function element(name, text, attributes = {}) {
    const made = document.createElement(name);
    made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  // What is said about the moves around the position.
  function caption(section, data, position) {
    const { ply, step } = shown;
    const said = [];
    const remarks = (move, kinds) => {
      for (const remark of section.querySelectorAll('.moves [data-move="' + move + '"]')) {
        if (!kinds.includes(remark.className)) continue;
        const copy = element("p", "", { class: remark.className });
        copy.append(...remark.cloneNode(true).childNodes);
        said.push(copy);
      }
    };
    const side = position[0] === "W" ? "White" : "Black";
    const first = element("p", "");
    if (step > 0) {
      first.append(element("strong", data.better[ply].moves[step - 1].text), " instead of " + data.labels[ply]);
      said.push(first);
      remarks(ply, ["note"]);
    } else {
      if (ply > 0) first.append(element("strong", data.labels[ply - 1]), " ");
      first.append(element("span", data.scores[ply], { class: "value" }));
      if (data.labels.length > ply) first.append(" \u00b7 " + side + " to move");
      said.push(first);
      remarks(ply - 1, ["comment", "variation", "note"]);
      if (data.bad.includes(ply)) {
        const next = element("p", "Next: ");
        next.append(element("strong", data.labels[ply]));
        said.push(next);
        remarks(ply, ["note"]);
      }
    }
    section.querySelector(".caption").replaceChildren(...said);
  }

  // Marks the links that lead to what is shown, and moves the list so that the move can be seen in it.
  function mark(section) {
    for (const link of section.querySelectorAll("a[aria-current]")) link.removeAttribute("aria-current");
    for (const link of section.querySelectorAll('a[href="' + address(shown) + '"]')) link.setAttribute("aria-current", "true");
    const list = section.querySelector(".moves");
    const link = list.querySelector("a[aria-current]");
    if (link === null) {
      if (shown.ply === 0) list.scrollTop = 0;
      return;
    }
    const top = link.getBoundingClientRect().top - list.getBoundingClientRect().top;
    if (top - link.offsetHeight < 0 || top + 2 * link.offsetHeight > list.clientHeight) {
      list.scrollTop += top - list.clientHeight / 2;
    }
  }

  function show(wanted) {
    const index = within(wanted.game, 0, sections.length - 1);
    const section = sections[index], data = game(index);
    const ply = within(wanted.ply, 0, data.moves.length);
    const better = data.better[ply];
    const step = better === undefined || better.positions === undefined ? 0 : within(wanted.step, 0, better.moves.length);
    Object.assign(shown, { game: index, ply, step });
    sections.forEach((other) => other.classList.toggle("active", other === section));
    const line = step > 0 ? better : data;
    const at = step > 0 ? step : ply;
    const arrows = [];
    if (step > 0) {
      if (better.moves[step] !== undefined) arrows.push(["better", better.moves[step]]);
    } else {
      if (data.moves[ply] !== undefined) arrows.push([data.bad.includes(ply) ? "bad" : "played", data.moves[ply]]);
      if (better !== undefined) arrows.push(["better", better.moves[0]]);
      arrows.push(...((data.marks || {})[ply] || []));
    }
    const position = line.positions[at];
    drawBoard(section.querySelector(".view .board"), { board: data.board, position, last: line.moves[at - 1], arrows });
    section.querySelector(".view").classList.toggle("turned", turned);
    for (const player of section.querySelectorAll(".player")) {
      player.classList.toggle("to-move", player.classList.contains(position[0] === "W" ? "white" : "black"));
    }
    const now = section.querySelector(".curve .now");
    if (now !== null) now.setAttribute("transform", "translate(" + ply + ")");
    caption(section, data, position);
    mark(section);
    for (const entry of document.querySelectorAll("nav a")) {
      if (entry.getAttribute("href") === "#game-" + (index + 1)) entry.setAttribute("aria-current", "true");
      else entry.removeAttribute("aria-current");
    }
    for (const which of document.querySelectorAll("nav summary span")) which.textContent = ", game " + (index + 1) + " is shown";
    try {
      history.replaceState(null, "", address(shown));
    } catch {
      // A browser may refuse when addresses change too fast; the next one will do.
    }
  }

  // The board must be seen by whoever chose a position elsewhere on the page.
  function showAndSee(wanted) {
    show(wanted);
    sections[shown.game].querySelector(".view").scrollIntoView({ block: "nearest" });
  }

  // The board is wanted, not the list of games.
  function closeContents() {
    for (const contents of document.querySelectorAll("nav details")) contents.open = false;
  }

  function goToBad(forward) {
    const bad = game(shown.game).bad;
    const ply = forward ? bad.find((at) => at > shown.ply) : bad.findLast((at) => shown.ply > at);
    if (ply !== undefined) show({ ...shown, ply, step: 0 });
  }

  function goToGame(index) {
    if (sections[index] !== undefined) showAndSee({ game: index, ply: 0, step: 0 });
  }

  const actions = {
    first: () => show({ ...shown, ply: 0, step: 0 }),
    back: () => show(shown.step > 0 ? { ...shown, step: shown.step - 1 } : { ...shown, ply: shown.ply - 1 }),
    on: () => show(shown.step > 0 ? { ...shown, step: shown.step + 1 } : { ...shown, ply: shown.ply + 1 }),
    last: () => show({ ...shown, ply: Infinity, step: 0 }),
    "bad-before": () => goToBad(false),
    "bad-after": () => goToBad(true),
    turn: () => { turned = !turned; show(shown); },
    "game-before": () => goToGame(shown.game - 1),
    "game-after": () => goToGame(shown.game + 1),
  };
  const keys = {
    Home: "first", ArrowLeft: "back", ArrowRight: "on", End: "last", ArrowUp: "bad-before", ArrowDown: "bad-after",
    f: "turn", p: "game-before", n: "game-after",
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (action === undefined) return;
    event.preventDefault();
    actions[action]();
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-do]");
    if (button !== null) actions[button.dataset.do]();
    const link = event.target.closest("a[href]");
    const wanted = link === null ? null : place(link.getAttribute("href"));
    if (wanted !== null) {
      event.preventDefault();
      closeContents();
      showAndSee(wanted);
    }
    const curve = event.target.closest(".curve svg");
    if (curve !== null) {
      const { left, width } = curve.getBoundingClientRect();
      const plies = game(shown.game).moves.length;
      showAndSee({ ...shown, ply: Math.round((event.clientX - left) / width * plies), step: 0 });
    }
  });

  window.addEventListener("hashchange", () => {
    const wanted = place(location.hash);
    if (wanted !== null) showAndSee(wanted);
  });

  document.documentElement.classList.add("scripted");
  closeContents();
  if (sections.length > 0) show(place(location.hash) || shown);
})();
