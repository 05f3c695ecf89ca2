"""Opens pages of annotated games in a browser, clicks and types, and compares the boards with those of the engine."""

import argparse
import json
import os
import pathlib
import re
import subprocess

from playwright.sync_api import sync_playwright

from sample import Game, variants

# Boards of all sizes, with letters and numbers, and those whose dark corner is at the right.
ALONE = ["english", "international", "turkish", "canadian", "italian"]
PLIES = 50
DESK = {"width": 1280, "height": 900}
PHONE = {"width": 360, "height": 740}

PIECES = """() => [...document.querySelectorAll('section.game.active .view .pieces use')].map((piece) => [
    Number(piece.getAttribute('y')) / 20, Number(piece.getAttribute('x')) / 20, piece.getAttribute('href').slice(-1)])"""

CONTRAST = """() => {
    const light = (color) => {
        const parts = color.match(/[0-9.]+/g).slice(0, 3).map((part) => part / 255);
        const [r, g, b] = parts.map((part) => part > 0.04045 ? ((part + 0.055) / 1.055) ** 2.4 : part / 12.92);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const style = getComputedStyle(document.body);
    return [light(style.color), light(style.backgroundColor)];
}"""


class Reader:
    """Somebody who reads a page."""

    def __init__(self, browser, path, **options):
        options = {"viewport": DESK, **options}
        self.context = browser.new_context(**options)
        self.context.set_default_timeout(300_000)
        self.page = self.context.new_page()
        self.address = path.resolve().as_uri()
        self.faults = []
        self.page.on("request", lambda request: self.note(request.url.split("#")[0] != self.address, f"request {request.url}"))
        self.page.on("console", lambda message: self.note(message.type in ("error", "warning"), f"console {message.text}"))
        self.page.on("pageerror", lambda error: self.note(True, f"error {error}"))
        self.page.goto(self.address)

    def note(self, is_fault, what):
        if is_fault:
            self.faults.append(what)

    def close(self):
        """Ends the visit, which must have been without a fault."""
        assert not self.faults, self.faults
        self.context.close()

    def pieces(self):
        return {(int(row), int(column)): letter for row, column, letter in self.page.evaluate(PIECES)}

    def sees(self, position, place):
        """The board shows the position, and the address says so."""
        assert self.pieces() == position.pieces, f"{self.address} {place}: {self.pieces()} {position.pieces}"
        found = self.page.evaluate("location.hash")
        assert found == place, f"{found} instead of {place}"
        label = self.page.get_attribute("section.active .view .board", "aria-label")
        assert label.lower().startswith(f"{position.side} to move"), label

    def press(self, key):
        self.page.keyboard.press(key)

    def click(self, selector):
        self.page.click("section.active " + selector)

    def count(self, selector):
        return self.page.locator("section.active " + selector).count()

    def fits(self):
        """Nothing sticks out at the right."""
        width = self.page.evaluate("document.documentElement.scrollWidth")
        assert width <= self.page.viewport_size["width"], f"{self.address} is {width} pixels wide"

    def picture(self, path, **options):
        self.page.screenshot(path=path, **options)


def annotated(program, folder, name, games):
    """The page of these games."""
    record, page = folder / f"{name}.pdn", folder / f"{name}.html"
    record.write_text("".join(game.record() for game in games))
    command = [program, "annotate", record, "--depth", "3", "--hash", "1", "--html", page, "--overwrite"]
    subprocess.run(command, check=True, capture_output=True)
    return page


def data_of(reader):
    return json.loads(reader.page.locator("section.active script").text_content())


def keys_lead_through(reader, game, number):
    """Every position is shown by the keys, forwards and back."""
    place = f"#game-{number}-ply-"
    reader.press("Home")
    for ply, position in enumerate(game.positions):
        reader.sees(position, place + str(ply))
        reader.press("ArrowRight")
    last = len(game.positions) - 1
    reader.sees(game.positions[last], place + str(last))
    reader.press("Home")
    reader.press("ArrowLeft")
    reader.sees(game.positions[0], place + "0")
    reader.press("End")
    reader.press("ArrowLeft")
    reader.sees(game.positions[last - 1], place + str(last - 1))


def clicks_lead_there(reader, game, number):
    """Moves, the curve, the buttons and the boards of bad moves can be clicked."""
    place, last = f"#game-{number}-ply-", len(game.positions) - 1
    for ply in range(1, last + 1, 7):
        reader.click(f'.moves a[href="{place}{ply}"]')
        reader.sees(game.positions[ply], place + str(ply))
        assert reader.count('.moves a[aria-current="true"]') == 1
    box = reader.page.locator("section.active .curve svg").bounding_box()
    for ply in (last // 2, last - 1, 1):
        reader.page.locator("section.active .curve svg").click(position={"x": box["width"] * ply / last, "y": box["height"] / 2})
        reader.sees(game.positions[ply], place + str(ply))
        now = reader.page.get_attribute("section.active .curve .now", "transform")
        assert now == f"translate({ply})", now
    for action, ply in [("first", 0), ("on", 1), ("on", 2), ("back", 1), ("last", last)]:
        reader.click(f'[data-do="{action}"]')
        reader.sees(game.positions[ply], place + str(ply))


def bad_moves_are_shown(reader, game, number):
    """Keys and boards lead to the bad moves, where arrows show what was played and what is better."""
    place, data = f"#game-{number}-ply-", data_of(reader)
    bad = data["bad"]
    assert len(bad) > 2 and reader.count(".cards .board") == len(bad), f"{game.variant.name}: {bad}"
    reader.press("Home")
    # One that is in the first position is there already.
    for ply in [ply for ply in bad if ply > 0]:
        reader.press("ArrowDown")
        reader.sees(game.positions[ply], place + str(ply))
        assert reader.count(".view .arrow.bad") == 1 and reader.count(".view .arrow.better") == 1
        assert "Next:" in reader.page.text_content("section.active .caption")
    reader.press("ArrowUp")
    reader.sees(game.positions[bad[-2]], place + str(bad[-2]))
    for ply in bad[:: max(1, len(bad) // 3)]:
        reader.click(f"#game-{number}-bad-{ply} svg")
        reader.sees(game.positions[ply], place + str(ply))
        reader.page.locator("section.active .view .board").is_visible()
        # The better line can be played through.
        line = [move["text"] for move in data["better"][str(ply)]["moves"]]
        reader.click(".caption .note:last-child .line a")
        for step in range(1, len(line) + 1):
            position = game.table.position(game.moves[:ply] + line[:step])
            reader.sees(position, f"{place}{ply}-better-{step}")
            reader.press("ArrowRight")
        for _ in line:
            reader.press("ArrowLeft")
        reader.sees(game.positions[ply], place + str(ply))


def addresses_and_turning(reader, game, number):
    place, ply = f"#game-{number}-ply-", len(game.positions) // 2
    reader.page.evaluate("(hash) => { location.hash = hash; }", place + str(ply))
    reader.page.wait_for_function("(label) => document.querySelector('section.active .caption strong').textContent === label",
                                  arg=data_of(reader)["labels"][ply - 1])
    reader.sees(game.positions[ply], place + str(ply))
    reader.press("f")
    assert reader.pieces() == game.positions[ply].turned()
    black, white = (reader.page.locator(f"section.active .player.{side}").bounding_box()["y"] for side in ("black", "white"))
    assert white < black
    reader.press("f")
    reader.sees(game.positions[ply], place + str(ply))


def colours(browser, path, folder, name):
    """Dark and light, with text that can be read."""
    found = {}
    for scheme in ("light", "dark"):
        reader = Reader(browser, path, color_scheme=scheme)
        text, paper = found[scheme] = reader.page.evaluate(CONTRAST)
        assert (max(text, paper) + 0.05) / (min(text, paper) + 0.05) >= 7, (scheme, text, paper)
        reader.press("ArrowDown")
        reader.picture(folder / f"{name}-{scheme}.png", full_page=True)
        reader.close()
    assert found["light"][1] > 0.8 and found["dark"][1] < 0.1, found


def phone(browser, path, folder, name, game):
    """A narrow screen that is touched."""
    reader = Reader(browser, path, viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)
    reader.fits()
    for button in reader.page.locator("section.active .controls button").all():
        box = button.bounding_box()
        assert box["height"] >= 40 and box["width"] >= 36, box
    for _ in range(3):
        reader.page.tap('section.active [data-do="on"]')
    reader.sees(game.positions[3], "#game-1-ply-3")
    reader.page.tap('section.active [data-do="bad-after"]')
    reader.fits()
    reader.picture(folder / f"{name}-phone.png", full_page=True)
    reader.close()


def without_scripts(browser, path, game):
    """Moves, curve and the boards of bad moves are there."""
    reader = Reader(browser, path, java_script_enabled=False)
    page = reader.page
    assert page.locator("noscript p").is_visible() and not page.locator(".controls").first.is_visible()
    assert page.locator(".moves a").first.is_visible() and page.locator(".curve svg").first.is_visible()
    pictures = page.locator(".cards > li")
    assert pictures.count() > 2
    for card in pictures.all():
        ply = int(re.fullmatch(r"game-1-bad-(\d+)", card.get_attribute("id"))[1])
        assert card.is_visible() and card.locator(".pieces use").count() == len(game.positions[ply].pieces)
    reader.close()


def several(browser, path, folder, games):
    """Every game of a page can be reached, and keys move in it alone."""
    reader = Reader(browser, path)
    page = reader.page
    assert page.locator("section.game").count() == len(games) and page.locator("section.game:visible").count() == 1
    for number, game in enumerate(games, 1):
        reader.sees(game.positions[0], f"#game-{number}-ply-0")
        reader.press("End")
        last = len(game.positions) - 1
        reader.sees(game.positions[last], f"#game-{number}-ply-{last}")
        assert page.locator("section.game:visible").count() == 1
        reader.press("n")
    for number in (3, len(games), 1):
        page.click("nav summary")
        page.click(f'nav a[href="#game-{number}"]')
        reader.sees(games[number - 1].positions[0], f"#game-{number}-ply-0")
    reader.press("n")
    reader.press("p")
    reader.sees(games[0].positions[0], "#game-1-ply-0")
    page.click("nav summary")
    reader.picture(folder / "several.png")
    reader.close()
    reader = Reader(browser, path, viewport=PHONE, has_touch=True, is_mobile=True)
    for _ in games:
        reader.fits()
        reader.press("n")
    reader.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("chromium")
    parser.add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    played = {variant.name: Game(arguments.program, variant, 1, PLIES) for variant in variants(arguments.program)}
    with sync_playwright() as playwright:
        # The browser has no sandbox for root.
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=arguments.chromium, args=options, timeout=300_000)
        for variant in ALONE:
            game = played[variant]
            page = annotated(arguments.program, arguments.folder, variant, [game])
            reader = Reader(browser, page)
            keys_lead_through(reader, game, 1)
            clicks_lead_there(reader, game, 1)
            bad_moves_are_shown(reader, game, 1)
            addresses_and_turning(reader, game, 1)
            reader.close()
            colours(browser, page, arguments.folder, variant)
            phone(browser, page, arguments.folder, variant, game)
            without_scripts(browser, page, game)
            print(f"{variant}: {len(game.positions)} positions", flush=True)
        games = list(played.values())
        several(browser, annotated(arguments.program, arguments.folder, "several", games), arguments.folder, games)
        print(f"{len(games)} games in one page", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
