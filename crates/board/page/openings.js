// Names of openings by their first moves. Sources: startcheckers.com (pages 11-15 and 12-16), Fred Reinfeld, How to Win
// at Checkers (1957) for the other first moves, Encyclopædia Britannica (1911), article Draughts, for 10-15 23-18, and
// the list of start positions in py-draughts for 11-15 22-18 and 11-15 21-17.

const ENGLISH = new Map([
  ["9-13", "Edinburgh"],
  ["9-14", "Double Corner"],
  ["10-14", "Denny"],
  ["10-15", "Kelso"],
  ["10-15 23-18", "Kelso-Cross"],
  ["11-15 21-17", "Switcher"],
  ["11-15 22-17 8-11 17-13 15-18", "Maid of the Mill"],
  ["11-15 22-17 8-11 17-13 4-8 25-22", "Douglas"],
  ["11-15 22-17 9-13 17-14", "Boston"],
  ["11-15 22-17 15-19", "Dyke"],
  ["11-15 22-18", "Single Corner"],
  ["11-15 23-18", "Cross"],
  ["11-15 23-18 8-11 27-23 11-16", "Slip Cross"],
  ["11-15 23-19 8-11 22-17 11-16", "Glasgow"],
  ["11-15 23-19 8-11 22-17 15-18", "Centre"],
  ["11-15 23-19 8-11 22-17 3-8", "Alma"],
  ["11-15 23-19 8-11 22-17 4-8", "Old Fourteenth"],
  ["11-15 23-19 8-11 22-17 9-13", "Laird and Lady"],
  ["11-15 23-19 8-11 22-17 9-13 17-14 10-17 19-10 7-14", "Black Doctor"],
  ["11-15 23-19 8-11 22-17 9-13 25-22", "Laird and Lady Refused"],
  ["11-15 23-19 8-11 26-23", "Nailor"],
  ["11-15 23-19 9-14 22-17 5-9", "Fife"],
  ["11-15 23-19 9-14 27-23", "Defiance"],
  ["11-15 24-20", "Ayrshire Lassie"],
  ["11-16", "Bristol"],
  ["12-16", "Dundee"],
  ["12-16 21-17 9-14", "Minotaur"],
  ["12-16 24-20 8-12", "Bonnie Dundee"],
  ["12-16 24-20 10-15", "Skunk"],
]);
const NAMES = new Map([["english", ENGLISH]]);

/** Returns the name of the opening that a game begins with: the longest known line, or an empty string. */
export function openingName(tree, board) {
  const names = NAMES.get(tree.variant);
  let [moves, name] = ["", ""];
  if (!names || tree.root.position !== board.position) return name;
  for (const { route } of tree.line(tree.root)) {
    if (!route.length) break;
    moves += `${moves && " "}${route[0] + 1}-${route.at(-1) + 1}`;
    name = names.get(moves) ?? name;
  }
  return name;
}
