//! The score curve of a game, which fits itself to any width.

use soffio::annotate::{Analysis, Mark, WhiteScore};
use soffio::rules::Color;

/// Scores are drawn up to so many men.
const MOST_MEN: f64 = 5.0;

/// Where a win is drawn, at the edge.
const WIN: f64 = 6.0;

/// The lines with a label, in men.
const TICKS: [i8; 3] = [3, 0, -3];

/// The most numbers of moves below the curve.
const MOST_NUMBERS: usize = 8;

/// The curve of the game with this number, `first_ply` being 1 if its first move is the second of a pair.
pub(super) fn curve(analysis: &Analysis, first_ply: usize) -> String {
    let plies = analysis.moves.len();
    let points: Vec<_> =
        analysis.scores.iter().enumerate().map(|(ply, &score)| format!("{ply} {:.2}", height(score))).collect();
    let line = points.join("L");
    let dot = |(ply, mark): (usize, Mark)| {
        let score = analysis.scores.get(ply)?;
        Some(format!("<path class=\"dot {}\" d=\"M{ply} {:.2}h0\"/>", super::words::class(mark), height(*score)))
    };
    let marked = (1..).zip(&analysis.moves).filter_map(|(ply, judgement)| Some((ply, judgement.mark?)));
    let dots: String = marked.filter_map(dot).collect();
    let ticks: String = TICKS.iter().map(|tick| format!("<path class=\"tick\" d=\"M0 {}h{plies}\"/>", -tick)).collect();
    format!(
        "<figure class=\"curve\"><div class=\"axis\" aria-hidden=\"true\">{}</div>\
         <svg viewBox=\"0 {} {} {}\" preserveAspectRatio=\"none\" role=\"img\" \
         aria-label=\"White's score in men after each move\">\
         {ticks}<path class=\"area\" d=\"M0 0L{line}L{plies} 0z\"/><path class=\"score\" d=\"M{line}\"/>{dots}\
         <path class=\"now\" d=\"M0 -{WIN}v{}\"/></svg><div class=\"numbers\" aria-hidden=\"true\">{}</div></figure>\n",
        labels(),
        -WIN,
        plies.max(1),
        2.0 * WIN,
        2.0 * WIN,
        numbers(plies, first_ply),
    )
}

/// How far below the line of equality a score is drawn.
fn height(score: WhiteScore) -> f64 {
    match score {
        WhiteScore::Centimen(_) => -score.men(MOST_MEN),
        WhiteScore::Wins(Color::White, _) => -WIN,
        WhiteScore::Wins(Color::Black, _) => WIN,
    }
}

/// The labels of the vertical axis.
fn labels() -> String {
    let label = |height: f64, text: &str| {
        format!("<span style=\"top:{:.1}%\">{text}</span>", 100.0 * (WIN - height) / (2.0 * WIN))
    };
    let men = TICKS.map(|tick| {
        let sign = if tick == 0 { String::new() } else { format!("{tick:+}").replace('-', "\u{2212}") };
        label(f64::from(tick), if tick == 0 { "0" } else { &sign })
    });
    [label(WIN, "White wins"), men.concat(), label(-WIN, "Black wins")].concat()
}

/// Numbers of moves where they begin.
fn numbers(plies: usize, first_ply: usize) -> String {
    let moves = (first_ply + plies) / 2;
    let steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
    let step = steps.into_iter().find(|step| moves / step < MOST_NUMBERS).unwrap_or(moves.max(1));
    let place = |number: usize| 100.0 * (2 * number - 1 - first_ply) as f64 / plies.max(1) as f64;
    let shown = (1..).map(|index| index * step).take_while(|&number| 2 * number - 1 - first_ply <= plies);
    shown.map(|number| format!("<span style=\"left:{:.1}%\">{number}</span>", place(number))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use soffio::annotate::Judgement;

    fn analysis(scores: &[WhiteScore], mark: Option<Mark>) -> Analysis {
        let judgement =
            |_: &WhiteScore| Judgement { side: Color::White, loss: 0, mark, given_away: None, better: Vec::new() };
        Analysis { scores: scores.to_vec(), moves: scores.iter().skip(1).map(judgement).collect() }
    }

    #[test]
    fn wins_are_at_the_edge_and_scores_within() {
        let scores = [
            WhiteScore::Centimen(0),
            WhiteScore::Centimen(250),
            WhiteScore::Centimen(-900),
            WhiteScore::Wins(Color::White, 3),
            WhiteScore::Wins(Color::Black, 0),
        ];
        let text = curve(&analysis(&scores, Some(Mark::Mistake)), 0);
        assert!(text.contains("class=\"score\" d=\"M0 -0.00L1 -2.50L2 5.00L3 -6.00L4 6.00\""), "{text}");
        assert_eq!(text.matches("<path class=\"dot mistake\"").count(), 4);
        assert!(text.contains("viewBox=\"0 -6 4 12\""), "{text}");
        assert!(!curve(&analysis(&scores, None), 0).contains("dot"));
    }

    #[test]
    fn moves_are_numbered_as_in_the_record() {
        assert_eq!(numbers(4, 0), "<span style=\"left:25.0%\">1</span><span style=\"left:75.0%\">2</span>");
        assert_eq!(
            numbers(4, 1),
            "<span style=\"left:0.0%\">1</span><span style=\"left:50.0%\">2</span><span style=\"left:100.0%\">3</span>"
        );
        assert_eq!((numbers(0, 0), numbers(300, 0).matches("span style").count()), (String::new(), 7));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

        #[test]
        fn every_curve_is_xml(scores in proptest::collection::vec(any::<i32>(), 0..200), first in 0_usize..2) {
            let scores: Vec<_> = scores.into_iter().map(WhiteScore::Centimen).collect();
            let text = curve(&analysis(&scores, None), first);
            prop_assert!(roxmltree::Document::parse(&text).is_ok(), "{}", text);
        }
    }
}
