//! Pictures of positions: SVG drawn by our own code, and PNG made of it.

mod chess_pieces;
mod letters;
mod svg;

use crate::App;
use crate::aside::aside;
use crate::engines::place_of;
use crate::error::{ApiError, ErrorBody, Query};
use crate::peer::Peer;
use crate::refusals;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use serde::Deserialize;
use svg::Theme;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The width of a PNG: the default, and the range.
const USUAL_WIDTH: u32 = 800;
const LEAST_WIDTH: u32 = 16;
const MAX_WIDTH: u32 = 2000;

/// Pictures.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(as_svg)).routes(routes!(as_png))
}

/// What to draw.
#[derive(Deserialize, IntoParams)]
pub struct PictureRequest {
    #[param(example = "connect4")]
    variant: String,
    position: Option<String>,
    /// Separated by spaces or commas.
    moves: Option<String>,
    /// `light` or `dark`.
    theme: Option<String>,
    /// The width of a PNG in pixels, up to 2000.
    #[param(minimum = 16, maximum = 2000)]
    width: Option<u32>,
}

fn drawn(request: &PictureRequest) -> Result<String, ApiError> {
    let name = request.theme.as_deref().unwrap_or("light");
    let theme =
        Theme::find(name).ok_or_else(|| ApiError::invalid(refusals::theme_unknown(Theme::NAMES.join(", "), name)))?;
    let board = place_of(request.variant.clone(), request.position.clone(), request.moves.as_deref()).board()?;
    Ok(svg::draw(&board.variant().layout(), &board.look(), theme))
}

/// A position as an SVG.
#[utoipa::path(get, path = "/api/picture.svg", tag = "share", params(PictureRequest),
    responses((status = 200, content_type = "image/svg+xml", body = String), (status = 422, body = ErrorBody)))]
async fn as_svg(
    State(app): State<App>,
    peer: Peer,
    Query(request): Query<PictureRequest>,
) -> Result<Response, ApiError> {
    let drawn = aside(&app, peer, move || drawn(&request)).await?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], drawn).into_response())
}

/// A position as a PNG.
#[utoipa::path(get, path = "/api/picture.png", tag = "share", params(PictureRequest),
    responses((status = 200, content_type = "image/png", body = Vec<u8>), (status = 422, body = ErrorBody)))]
async fn as_png(
    State(app): State<App>,
    peer: Peer,
    Query(request): Query<PictureRequest>,
) -> Result<Response, ApiError> {
    let width = request.width.unwrap_or(USUAL_WIDTH);
    if !(LEAST_WIDTH..=MAX_WIDTH).contains(&width) {
        return Err(ApiError::invalid(refusals::picture_width(LEAST_WIDTH, MAX_WIDTH)));
    }
    let painted = aside(&app, peer, move || painted(&drawn(&request)?, width)).await?;
    Ok(([(header::CONTENT_TYPE, "image/png")], painted).into_response())
}

fn painted(text: &str, width: u32) -> Result<Vec<u8>, ApiError> {
    let tree = Tree::from_str(text, &Options::default()).map_err(ApiError::internal)?;
    let scale = width as f32 / tree.size().width();
    let height = (tree.size().height() * scale).ceil() as u32;
    let mut pixels = Pixmap::new(width, height).ok_or_else(|| ApiError::internal("there are no pixels"))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(ApiError::internal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyply_engine::Variant;

    #[test]
    fn every_variant_can_be_drawn_and_painted() {
        for variant in Variant::all() {
            for theme in ["light", "dark"] {
                let request = PictureRequest {
                    variant: variant.name().to_owned(),
                    position: None,
                    moves: None,
                    theme: Some(theme.to_owned()),
                    width: None,
                };
                let png = painted(&drawn(&request).unwrap(), 64).unwrap();
                assert!(png.starts_with(b"\x89PNG"), "{}", variant.name());
            }
        }
    }

    #[test]
    fn a_stone_a_last_move_and_a_winning_line_are_there() {
        let request = |moves: &str| PictureRequest {
            variant: "freestyle".into(),
            position: None,
            moves: Some(moves.into()),
            theme: None,
            width: None,
        };
        let count = |moves: &str, what: &str| drawn(&request(moves)).unwrap().matches(what).count();
        assert_eq!(count("h8 i9", "url(#black)"), 1);
        assert_eq!(count("h8 i9", "url(#white)"), 1);
        assert_eq!(count("h8,h1,i8,i1,j8,j1,k8,k1,l8", r#"r="45""#), 5);
    }

    #[test]
    fn the_last_move_and_a_king_in_check_lie_under_the_men() {
        let request = |moves: &str| PictureRequest {
            variant: "chess".into(),
            position: None,
            moves: Some(moves.into()),
            theme: None,
            width: None,
        };
        let count = |moves: &str, what: &str| drawn(&request(moves)).unwrap().matches(what).count();
        assert_eq!(count("f2f3 e7e5 g2g4 d8h4", "#e6c229"), 2);
        assert_eq!(count("f2f3 e7e5 g2g4 d8h4", "url(#alarm)"), 1);
        assert_eq!(count("f2f3 e7e5 g2g4", "url(#alarm)"), 0);
    }
}
