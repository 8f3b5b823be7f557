//! Import and export of games: files of other programs, lists of moves.

mod annotated;

use crate::App;
use crate::aside::aside;
use crate::error::{ApiError, Body, ErrorBody};
use crate::peer::Peer;
use crate::refusals;
use crate::wire::{PositionView, WirePlace};
use annotated::AnnotatedGame;
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use polyply_engine::{Board, PositionSpec, Variant};
use polyply_lab::record::{Format, Record};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The format of a plain list of moves, which every variant has.
const MOVES: &str = "moves";

/// Import and export.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(import)).routes(routes!(export))
}

/// The other formats, with the endings of their files.
fn files() -> impl Iterator<Item = (Format, &'static str)> {
    Format::NAMES.into_iter().filter(|(format, _)| *format != Format::Moves)
}

/// Its files are binary. They are sent as base64.
fn is_binary(format: Format) -> bool {
    format == Format::Wthor
}

fn format(name: &str) -> Result<Format, ApiError> {
    files().find(|(_, known)| *known == name).map(|(format, _)| format).ok_or_else(|| {
        let known: Vec<&str> = files().map(|(_, name)| name).collect();
        ApiError::invalid(refusals::format_name(format!("{MOVES}, {}", known.join(", ")), name))
    })
}

/// The formats that games of a variant can be written in.
pub fn formats(variant: &Variant) -> Vec<&'static str> {
    let record = Record { variant: variant.name().to_owned(), ..Record::default() };
    let can = |(format, name): (Format, &'static str)| {
        let (_, faults) = format.write_all(std::slice::from_ref(&record));
        faults.is_empty().then_some(name)
    };
    std::iter::once(MOVES).chain(files().filter_map(can)).collect()
}

/// A text to read.
#[derive(Deserialize, ToSchema)]
pub struct ImportRequest {
    /// The text, or a binary file (`wtb`) in base64.
    text: String,
    /// The format; guessed without it.
    format: Option<String>,
    /// Which of several games, from 1.
    #[serde(default = "first")]
    game: usize,
    /// The variant, if the text does not say.
    variant: Option<String>,
}

fn first() -> usize {
    1
}

/// An imported game.
#[derive(Serialize, ToSchema)]
pub struct Imported {
    #[serde(flatten)]
    place: WirePlace,
    format: String,
    /// The game with everything that its file says.
    game: AnnotatedGame,
    /// How many games there were.
    games: usize,
    view: PositionView,
}

/// Imports a game.
#[utoipa::path(post, path = "/api/import", tag = "share", request_body = ImportRequest,
    responses((status = 200, body = Imported), (status = 422, body = ErrorBody), (status = 503, body = ErrorBody)))]
async fn import(
    State(app): State<App>,
    peer: Peer,
    Body(request): Body<ImportRequest>,
) -> Result<Json<Imported>, ApiError> {
    aside(&app, peer, move || imported(request)).await.map(Json)
}

fn imported(request: ImportRequest) -> Result<Imported, ApiError> {
    let name = request.format.clone().unwrap_or_else(|| guess(&request.text).to_owned());
    let (mut record, games) = if name == MOVES {
        (of_moves(&request)?, 1)
    } else {
        let variant = request.variant.as_deref().map(crate::wire::variant).transpose()?;
        let format = format(&name)?;
        let bytes = if is_binary(format) { decoded(&request.text)? } else { request.text.clone().into_bytes() };
        let mut games = format.read(&bytes, variant.as_ref()).map_err(ApiError::invalid)?;
        let count = games.len();
        if count == 0 {
            return Err(ApiError::invalid(refusals::import_empty()));
        }
        if !(1..=count).contains(&request.game) {
            return Err(ApiError::invalid(refusals::import_number(count)));
        }
        (games.swap_remove(request.game - 1), count)
    };
    let place = |variant: String| WirePlace {
        variant,
        position: record.opening.position.clone(),
        moves: record.all_moves().map(str::to_owned).collect(),
    };
    // A PSQ file has a board but no rules, so the variant of the request counts if the game fits it.
    let wished = request.variant.filter(|_| record.variant.is_empty() || name == "psq");
    let wished = wished.and_then(|variant| place(variant).board().ok());
    let board = match (wished, record.variant.as_str()) {
        (Some(board), _) => board,
        (None, "") => return Err(ApiError::invalid(refusals::import_variant())),
        (None, known) => place(known.to_owned()).board()?,
    };
    let place = WirePlace {
        variant: board.variant().name().to_owned(),
        position: board.spec().position.clone(),
        moves: board.moves().to_vec(),
    };
    record.variant.clone_from(&place.variant);
    record.replay().map_err(ApiError::invalid)?;
    let view = PositionView::of(&board, None);
    Ok(Imported { place, format: name, game: AnnotatedGame::of(&record), games, view })
}

fn decoded(text: &str) -> Result<Vec<u8>, ApiError> {
    let text: String = text.split_whitespace().collect();
    BASE64_STANDARD.decode(text).map_err(|_| ApiError::invalid(refusals::import_base64()))
}

/// The format that a text seems to have.
fn guess(text: &str) -> &'static str {
    let text = text.trim_start();
    match text.as_bytes() {
        [b'(', b';', ..] if text.contains("GM[Othello]") => "ggf",
        [b'(', ..] => "sgf",
        [b'[', ..] => "pgn",
        [b'{', ..] => "jsonl",
        _ if text.starts_with("Piskvorky") => "psq",
        _ => MOVES,
    }
}

/// Reads moves, or a position, of the variant in the request.
fn of_moves(request: &ImportRequest) -> Result<Record, ApiError> {
    let name = request.variant.as_deref().ok_or_else(|| ApiError::invalid(refusals::import_moves()))?;
    let variant = crate::wire::variant(name)?;
    let words = request.text.split([' ', ',', '\n', '\r', '\t']).map(without_number);
    let words: Vec<&str> = words.filter(|word| !word.is_empty() && !RESULTS.contains(word)).collect();
    let as_moves = PositionSpec { position: None, moves: words.iter().map(|&word| word.to_owned()).collect() };
    let as_position = PositionSpec { position: Some(request.text.trim().to_owned()), moves: Vec::new() };
    let opening =
        |board: &Board| Record { variant: name.to_owned(), opening: board.spec().clone(), ..Record::default() };
    let moves = match Board::at(&variant, &as_moves) {
        Ok(board) => return Ok(opening(&board)),
        Err(error) => error,
    };
    // Moves may be written without spaces, as in `f5d6c3`. Some positions are a list of moves too, so they come last.
    if let Ok(mut games) = Format::Moves.read(words.join(" ").as_bytes(), Some(&variant))
        && let Some(game) = games.pop().filter(|game| !game.moves.is_empty())
    {
        return Ok(game);
    }
    match Board::at(&variant, &as_position) {
        Ok(board) => Ok(opening(&board)),
        Err(position) => Err(if words.len() > 1 { moves } else { position }.into()),
    }
}

/// Results that may end a list of moves.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// A move without its number, as in `1.` and `1.e4`.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|sign: char| sign.is_ascii_digit());
    if rest.starts_with('.') { rest.trim_start_matches('.') } else { word }
}

/// A game to export.
#[derive(Deserialize, ToSchema)]
pub struct ExportRequest {
    #[serde(flatten)]
    place: WirePlace,
    /// One of the variant's formats.
    format: String,
    /// The game with its comments and variations; without it only the moves are written.
    game: Option<AnnotatedGame>,
}

/// Exports a game.
#[utoipa::path(post, path = "/api/export", tag = "share", request_body = ExportRequest,
    responses((status = 200, body = String, content_type = "text/plain"), (status = 422, body = ErrorBody),
    (status = 503, body = ErrorBody)))]
async fn export(
    State(app): State<App>,
    peer: Peer,
    Body(request): Body<ExportRequest>,
) -> Result<impl IntoResponse, ApiError> {
    let text = aside(&app, peer, move || {
        let board = request.place.board()?;
        if request.format == MOVES { Ok(board.moves().join(" ")) } else { written(request, &board) }
    });
    let text = text.await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text))
}

fn written(request: ExportRequest, board: &Board) -> Result<String, ApiError> {
    let record = request.game.unwrap_or_else(|| AnnotatedGame::of_moves(board.moves())).into_record(board)?;
    let format = format(&request.format)?;
    if is_binary(format) {
        let (bytes, faults) = format.write_all(&[record]);
        return faults
            .into_iter()
            .next()
            .map_or_else(|| Ok(BASE64_STANDARD.encode(bytes)), |fault| Err(ApiError::invalid(fault)));
    }
    format.write(&record).map_err(ApiError::invalid)
}
