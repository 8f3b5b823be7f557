//! Analysis, review, the engine room and what is shared, through the web.

use crate::client::{TestServer, engine, person};
use reqwest::Method;
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn an_analysis_tells_what_it_finds_and_ends() {
    let server = TestServer::new().await;
    let mut socket = server.socket("/api/analysis").await;
    let ask = |more: Value| {
        let mut wish = json!({"type": "analyse", "variant": "connect4", "position": "4455", "moves": ["f"], "id": 7});
        wish.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        wish
    };
    socket.say(ask(json!({"lines": 2, "limits": {"depth": 8}}))).await;
    let info = socket.hear_of("info").await;
    assert!(info["id"] == 7 && info["depth"].as_i64().unwrap() > 0);
    let done = socket.hear_of("done").await;
    assert_eq!(done["lines"][0]["score"], json!({"win": 2}));
    assert_eq!(done["lines"].as_array().unwrap().len(), 2);
    // Only one move is allowed, so it is the best.
    socket.say(ask(json!({"only": ["a"], "limits": {"depth": 4}}))).await;
    assert_eq!(socket.hear_of("done").await["best"], "a");
    socket
        .say(json!({"type": "analyse", "variant": "freestyle", "moves": ["h8", "a1"], "threats": true,
        "limits": {"nodes": 2000}}))
        .await;
    let line = socket.hear_of("done").await;
    assert!(line["best"].is_string());
    socket.say(ask(json!({"threats": true}))).await;
    assert_eq!(socket.hear_of("error").await["code"], "no_threats");
}

#[tokio::test(flavor = "multi_thread")]
async fn moves_are_shown_as_people_write_them_where_that_is_another_way() {
    let server = TestServer::new().await;
    let place = json!({"variant": "chess", "moves": ["e2e4", "e7e5", "g1f3"]});
    let view = server.post("/api/positions", None, place.clone()).await;
    assert_eq!(view["shown"], json!(["e4", "e5", "Nf3"]));
    let knight = view["legal"].as_array().unwrap().iter().find(|legal| legal["text"] == "b8c6").unwrap();
    assert_eq!(knight["shown"], "Nc6");
    let mut socket = server.socket("/api/analysis").await;
    let only = json!({"type": "analyse", "variant": "chess", "moves": ["e2e4", "e7e5", "g1f3"], "only": ["b8c6"],
        "limits": {"depth": 4}});
    socket.say(only).await;
    let line = &socket.hear_of("done").await["lines"][0];
    assert_eq!((&line["moves"][0], &line["shown"][0]), (&json!("b8c6"), &json!("Nc6")));
    assert_eq!(line["moves"].as_array().unwrap().len(), line["shown"].as_array().unwrap().len());
    let numbered = json!({"variant": "chess", "text": "1. e4 e5 2.Nf3 *"});
    assert_eq!(server.post("/api/import", None, numbered).await["moves"], place["moves"]);
    let five = server.post("/api/positions", None, json!({"variant": "caro", "moves": ["j10"]})).await;
    assert!(five["shown"].is_null() && five["legal"][0]["shown"].is_null());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_pieces_do_not_show_is_told_and_can_be_wished() {
    let server = TestServer::new().await;
    let start = server.post("/api/positions", None, json!({"variant": "chess"})).await;
    let keys: Vec<_> = start["unseen"].as_array().unwrap().iter().map(|one| one["key"].as_str().unwrap()).collect();
    assert_eq!(keys.len(), 4);
    let wishes = json!({ keys[0]: "no" });
    let wish = json!({"variant": "chess", "cells": start["cells"], "side": "first", "unseen": wishes});
    let made = server.post("/api/positions/arranged", None, wish).await;
    assert!(made["text"].as_str().unwrap().contains(" w Qkq "), "{made}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_live_move_goes_before_analyses_and_these_take_turns() {
    let server = TestServer::new().await;
    let mut sockets = Vec::new();
    for position in ["", "44", "4444"] {
        let mut socket = server.socket("/api/analysis").await;
        let wish =
            json!({"type": "analyse", "variant": "freestyle:15", "moves": [], "position": null, "id": position.len()});
        socket.say(wish).await;
        sockets.push(socket);
    }
    // None of them has an end, and each is heard of.
    for socket in &mut sockets {
        socket.hear_of("info").await;
    }
    let (id, token) = server.game("freestyle:15", person(), engine(3)).await;
    server.post(&format!("/api/games/{id}/moves"), Some(&token), json!({"move": "h8"})).await;
    server.wait(&id, |state| state["moves"].as_array().unwrap().len() == 2).await;
    let engines = server.get("/api/engines").await;
    let here = engines.as_array().unwrap().iter().find(|engine| engine["variant"] == "freestyle").unwrap();
    assert!(here["times"]["count"] == 1 && here["caches"]["search_tt"]["stores"].as_u64().unwrap() > 0);
    sockets[0].say(json!({"type": "stop"})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_table_can_be_looked_into_emptied_and_resized() {
    let server = TestServer::new().await;
    let mut socket = server.socket("/api/analysis").await;
    socket.say(json!({"type": "analyse", "variant": "connect4", "moves": ["d"], "limits": {"depth": 10}})).await;
    socket.hear_of("done").await;
    let found = server.get("/api/engines/connect4/lookup?moves=d").await;
    assert!(found["entry"]["depth"].as_i64().unwrap() >= 9, "{found}");
    assert!(!found["children"].as_array().unwrap().is_empty());
    let idle = server.send(Method::POST, "/api/engines/connect4/idle", None, Some(&json!({"on": false}))).await;
    assert_eq!(idle.status(), 204);
    let flushed = server.send(Method::POST, "/api/engines/connect4/flush", None, Some(&json!({}))).await;
    assert_eq!(flushed.status(), 204);
    assert_eq!(server.get("/api/engines/connect4/lookup?moves=d").await["entry"], Value::Null);
    let set = |name: &'static str, value: i64| {
        let body = json!({"name": name, "value": value});
        let server = &server;
        async move { server.send(Method::PUT, "/api/engines/connect4/options", None, Some(&body)).await }
    };
    let options: Value = set("EvalCache", 2).await.json().await.unwrap();
    let cache = options.as_array().unwrap().iter().find(|option| option["name"] == "EvalCache").unwrap();
    assert_eq!(cache["value"], 2);
    assert_eq!(server.get("/api/engines").await[0]["caches"]["eval_cache"]["bytes"], 2 << 20);
    for (name, value) in [("Hash", 1 << 30), ("Threads", 100), ("lmr", 9), ("speed", 1)] {
        assert_eq!(set(name, value).await.status(), 422, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_table_knows_outlives_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::at(folder.path()).await;
    let mut socket = server.socket("/api/analysis").await;
    socket.say(json!({"type": "analyse", "variant": "connect4", "moves": ["d"], "limits": {"depth": 10}})).await;
    socket.hear_of("done").await;
    server.close().await;
    let server = TestServer::at(folder.path()).await;
    let found = server.get("/api/engines/connect4/lookup?moves=d").await;
    assert!(found["entry"]["depth"].as_i64().unwrap() >= 9, "{found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_review_finds_the_blunder() {
    let server = TestServer::new().await;
    // The second player lets an open three stand.
    let game = json!({"variant": "connect4", "moves": ["d", "d", "e", "e", "f", "a", "g"], "level_of_effort": "quick"});
    let id = server.post("/api/reviews", None, game).await["id"].as_str().unwrap().to_owned();
    let mut live = server.socket(&format!("/api/reviews/{id}/live")).await;
    while live.hear().await.expect("the review goes on")["done"] != true {}
    let review = server.get(&format!("/api/reviews/{id}")).await;
    let moves = review["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 7);
    assert_eq!((&moves[3]["quality"], &moves[3]["side"]), (&json!("??"), &json!("second")), "{review}");
    assert_eq!(moves[6]["quality"], "");
    let accuracy = |side: &str| review["summary"][side]["accuracy"].as_f64().unwrap();
    assert!(accuracy("first") > accuracy("second"));
    assert_eq!(server.send(Method::DELETE, &format!("/api/reviews/{id}"), None, None).await.status(), 204);
    assert_eq!(server.refused("/api/reviews", None, json!({"variant": "connect4"})).await.0, 422);
}

#[tokio::test(flavor = "multi_thread")]
async fn games_go_out_in_every_format_and_come_back_the_same() {
    let server = TestServer::new().await;
    let games = [
        ("freestyle", vec!["h8", "i9", "h9", "a1"]),
        ("caro:15", vec!["h8", "i9", "l12", "a1"]),
        ("connect4", vec!["d", "d", "c"]),
        ("othello", vec!["f5", "d6", "c3"]),
        ("chess", vec!["e2e4", "e7e5", "g1f3"]),
    ];
    for (variant, moves) in games {
        let look = server.get(&format!("/api/variants/{variant}")).await;
        // A position says nothing of the way to it.
        let formats = look["formats"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|format| !["epd", "obf"].contains(&format.as_str().unwrap()));
        for format in formats {
            let wish = json!({"variant": variant, "moves": moves, "format": format});
            let text = server.post("/api/export", None, wish).await;
            let text = text.as_str().map_or_else(|| text.to_string(), str::to_owned);
            // One game is written on a line of its own, which ends with the line.
            let back = json!({"variant": variant, "text": format!("{text}\n"), "format": format});
            let read = server.post("/api/import", None, back).await;
            assert_eq!((&read["moves"], &read["variant"]), (&json!(moves), &json!(variant)), "{format}: {text}");
        }
    }
    let othello = server.get("/api/variants/othello").await;
    assert_eq!(othello["formats"], json!(["moves", "jsonl", "pgn", "sgf", "ggf", "wtb", "obf"]));
    let two = json!({"text": "(;GM[4]SZ[15];B[hh])(;GM[4]SZ[15];B[ii])", "game": 2});
    let second = server.post("/api/import", None, two.clone()).await;
    assert_eq!((&second["games"], &second["moves"]), (&json!(2), &json!(["i7"])));
    let third = server.refused("/api/import", None, json!({"text": two["text"], "game": 3})).await;
    assert_eq!((third.0, &third.1["code"], &third.1["args"]), (422, &json!("import_number"), &json!({"count": 2})));
    assert_eq!(server.refused("/api/import", None, json!({"text": "é", "format": "wtb"})).await.0, 422);
    let guessed = server.post("/api/import", None, json!({"variant": "connect4", "text": "4455"})).await;
    assert_eq!(guessed["view"]["side"], "first");
    assert_eq!(server.refused("/api/import", None, json!({"variant": "connect4", "text": "rubbish!"})).await.0, 422);
    let svg = server.send(Method::GET, "/api/picture.svg?variant=caro&moves=j10", None, None).await;
    assert!(svg.text().await.unwrap().contains("url(#black)"));
    let png = server.send(Method::GET, "/api/picture.png?variant=caro&moves=j10&width=64", None, None).await;
    assert!(png.bytes().await.unwrap().starts_with(b"\x89PNG"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_keeps_its_names_comments_clocks_and_variations_on_the_way_through() {
    let server = TestServer::new().await;
    let pgn = "[Event \"Open\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"0-1\"]\n[Termination \"time forfeit\"]\n\n\
        {A game} 1. e4 $1 {[%clk 0:03:00] best} (1. d4 {solid} d5 (1... Nf6)) 1... e5 0-1\n";
    let sgf =
        "(;GM[4]SZ[15]PB[Ann]PW[Bob]RE[B+T]C[A game](;B[hh]BL[170]C[best];W[ii])(;B[gg]C[solid](;W[hh])(;W[ff])))";
    let psq = "Piskvorky 15x15, 11:11, 0\n8,8,420\n9,7,381\nAnn\nBob\n0\n";
    let ggf = "(;GM[Othello]PC[x]PB[Ann]PW[Bob]RE[+64.000:t]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- \
        -------- -------- -------- *]B[F5/2.00/0.420]W[D6//1.5];)";
    let kept = [
        ("pgn", pgn, vec!["Open", "Ann", "Bob", "0-1", "time forfeit", "A game", "[%clk 0:03:00]", "solid", "Nf6"]),
        ("sgf", sgf, vec!["Ann", "Bob", "B+T", "A game", "[%clk 0:02:50", "best", ")(;B[gg]C[solid](;W[hh])(;W[ff]"]),
        ("psq", psq, vec!["8,8,420", "9,7,381", "Ann", "Bob"]),
        ("ggf", ggf, vec!["Ann", "Bob", ":t]", "F5/2.00/0.420", "D6//1.5"]),
    ];
    for (format, text, kept) in kept {
        let read = server.post("/api/import", None, json!({"text": text, "format": format})).await;
        assert_eq!(read["game"]["players"], json!(["Ann", "Bob"]), "{read}");
        let mut wish = json!({"format": format, "game": read["game"]});
        for key in ["variant", "position", "moves"] {
            wish[key] = read[key].clone();
        }
        let again = server.post("/api/export", None, wish).await;
        let again = again.as_str().unwrap().replace("\\]", "]").replace("\\:", ":");
        for part in kept {
            assert!(again.contains(part), "{part} is not in {again}");
        }
    }
    let variations = &server.post("/api/import", None, json!({"text": pgn})).await["game"]["line"][0]["variations"];
    assert_eq!(variations[0][1]["variations"][0][0]["move"], "g8f6");
}

#[tokio::test(flavor = "multi_thread")]
async fn moves_need_no_spaces() {
    let server = TestServer::new().await;
    let moves = async |variant: &str, text: &str| {
        server.post("/api/import", None, json!({"variant": variant, "text": text})).await["moves"].clone()
    };
    assert_eq!(moves("othello", "f5d6c3d3").await, json!(["f5", "d6", "c3", "d3"]));
    assert_eq!(moves("freestyle", "h8i9j10").await, json!(["h8", "i9", "j10"]));
    assert_eq!(moves("freestyle", "1. h8 i9\n2. j10").await, json!(["h8", "i9", "j10"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_interface_describes_itself_and_counts() {
    let server = TestServer::new().await;
    let document = server.get("/api/openapi.json").await;
    let paths = document["paths"].as_object().unwrap();
    for path in ["/api/games", "/api/analysis", "/api/reviews/{id}", "/api/engines", "/api/import", "/api/picture.svg"]
    {
        assert!(paths.contains_key(path), "{path}");
    }
    let metrics = server.send(Method::GET, "/metrics", None, None).await.text().await.unwrap();
    assert!(metrics.contains("polyply_requests_total"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_is_played_followed_and_stopped() {
    let server = TestServer::with_memory(512).await;
    for (engine, code) in [
        ("cmd=/bin/sh,proto=uci", "match_programs"),
        ("builtin:weights=/etc/passwd", "match_weights"),
        ("builtin:lmr=0,params=/etc/passwd", "match_weights"),
        ("builtin:Hash=99999", "match_option"),
        ("builtin:speed=9", "unknown_option"),
    ] {
        let wish = json!({"variant": "tictactoe", "engines": ["builtin", engine], "nodes": 10});
        let (status, refusal) = server.refused("/api/matches", None, wish).await;
        assert_eq!((status, &refusal["code"]), (422, &json!(code)));
    }
    assert_eq!(server.refused("/api/matches/nothing/stop", None, json!({})).await.0, 404);
    let wish = json!({"variant": "tictactoe", "engines": ["builtin", "builtin:lmr=0"], "games": 4, "nodes": 50});
    let id = server.post("/api/matches", None, wish).await["id"].as_str().unwrap().to_owned();
    let mut live = server.socket(&format!("/api/matches/{id}/live")).await;
    let over = loop {
        let now = live.hear().await.expect("the match is told of");
        if now["running"] == false {
            break now;
        }
    };
    assert_eq!((&over["played"], &over["faults"]), (&json!(4), &json!(0)));
    assert_eq!(over["standings"][1]["name"], "builtin:lmr=0");
    let games = server.get(&format!("/api/matches/{id}/games")).await;
    assert!(games.as_array().unwrap().len() == 4 && games[0]["moves"].as_array().unwrap().len() > 4, "{games}");
    assert_eq!(server.send(Method::GET, "/api/matches/nothing/games", None, None).await.status(), 404);
    assert_eq!(server.refused(&format!("/api/matches/{id}/stop"), None, json!({})).await.0, 409);
    let endless = json!({"variant": "connect4", "engines": ["builtin", "builtin"], "games": 10_000, "nodes": 5000});
    let id = server.post("/api/matches", None, endless).await["id"].as_str().unwrap().to_owned();
    server.send(Method::POST, &format!("/api/matches/{id}/stop"), None, None).await;
    while server.get(&format!("/api/matches/{id}")).await["running"] == true {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(server.get("/api/matches").await.as_array().unwrap().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_that_has_not_begun_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("matches")).unwrap();
    let request = json!({"variant": "connect4", "engines": ["builtin", "builtin:lmr=0"], "nodes": 10});
    let stored = json!({"created": 1, "request": request});
    std::fs::write(folder.path().join("matches/early.match.json"), stored.to_string()).unwrap();
    let server = TestServer::at(folder.path()).await;
    let matches = server.get("/api/matches").await;
    assert_eq!((&matches[0]["id"], &matches[0]["players"]), (&json!("early"), &request["engines"]));
    assert_eq!((&matches[0]["resumable"], &matches[0]["standings"]), (&json!(true), &json!([])));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_protocol_is_spoken_over_a_socket() {
    use futures_util::{SinkExt, StreamExt};
    use tokio_tungstenite::tungstenite::Message;
    let server = TestServer::with_memory(512).await;
    for (name, said, answer) in [("gomocup", "START 15", "OK"), ("uci", "isready", "readyok")] {
        let mut socket = server.socket(&format!("/api/protocols/{name}")).await;
        socket.stream.send(Message::text(said)).await.unwrap();
        while let Some(Ok(message)) = socket.stream.next().await {
            if message.into_text().unwrap().as_str() == answer {
                break;
            }
        }
        socket.stream.close(None).await.ok();
    }
}
