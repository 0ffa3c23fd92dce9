//! Links libtrackengine: from the folder in TRACKENGINE_LIB_DIR, or from the system's folders.

fn main() {
    println!("cargo:rerun-if-env-changed=TRACKENGINE_LIB_DIR");
    if let Ok(folder) = std::env::var("TRACKENGINE_LIB_DIR") {
        println!("cargo:rustc-link-search=native={folder}");
    }
    println!("cargo:rustc-link-lib=dylib=trackengine");
}
