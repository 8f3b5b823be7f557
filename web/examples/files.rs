//! Lists the files of the web app with their types and sizes.

use polyply_web::Files;

fn main() {
    let mut total = 0;
    for path in Files::iter() {
        if let Some(file) = Files::get(&path) {
            println!("{:>8} {:<24} {path}", file.data.len(), file.metadata.mimetype());
            total += file.data.len();
        }
    }
    println!("{total:>8} bytes in all");
}
