//! Describes the boards of the variants.

use serde::Serialize;
use soffio::board::Corner;
use soffio::engine::SquareStyle;
use soffio::notation::WrittenGame;
use soffio::rules::{Color, RuleSet, Variant};

#[derive(Debug, Serialize)]
pub(crate) struct VariantBoard {
    name: &'static str,
    aliases: &'static [&'static str],
    /// The name of the same variant with forced captures, if this variant can be selected only by the `Forced Capture`
    /// option.
    #[serde(skip_serializing_if = "Option::is_none")]
    optional: Option<&'static str>,
    width: u8,
    height: u8,
    /// Whether every square is playable.
    full: bool,
    letters: bool,
    starts: Color,
    men: u8,
    fen: String,
    position: String,
    /// The squares in numeric order. Each square is given by its row from the top, its column from the left, its number
    /// and its algebraic name.
    squares: Vec<(u8, u8, String, String)>,
}

/// Returns the variant with this name. Variants that can be selected only by an option are included.
pub(crate) fn variant(name: &str) -> Result<Variant, String> {
    let unknown = || format!("unknown variant '{}'", soffio::notation::printable(name.chars()));
    Variant::called(name).or_else(|| Variant::named(name)).ok_or_else(unknown)
}

pub(crate) fn boards() -> Vec<VariantBoard> {
    Variant::ALL.iter().copied().map(VariantBoard::new).collect()
}

impl VariantBoard {
    fn new(variant: Variant) -> Self {
        let spec = variant.spec();
        let styled = |style: SquareStyle| RuleSet { notation: style.of(spec.notation), ..*spec };
        let (numbers, letters) = (styled(SquareStyle::Numeric), styled(SquareStyle::Algebraic));
        let mut squares: Vec<_> = spec.shape.all_squares().collect();
        squares.sort_by_key(|&square| spec.number(square));
        let names = squares.into_iter().map(|square| {
            let name = |spec: &RuleSet| spec.square_name(square).to_string();
            (spec.shape.row(square), spec.shape.column(square), name(&numbers), name(&letters))
        });
        let game = WrittenGame::new(variant);
        Self {
            name: variant.name(),
            aliases: variant.aliases(),
            optional: variant.with_forced_capture().map(Variant::name),
            width: spec.shape.width,
            height: spec.shape.height,
            full: spec.shape.corner == Corner::Both,
            letters: spec.notation.algebraic,
            starts: spec.starts,
            men: spec.men(),
            fen: game.fen().to_string(),
            position: game.hub_position(),
            squares: names.collect(),
        }
    }
}
