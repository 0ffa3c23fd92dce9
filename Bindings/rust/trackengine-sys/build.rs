//! Links libtrackengine: from the folder in TRACKENGINE_LIB_DIR, or from the system's folders. TRACKENGINE_LIB is the name
//! of another library with the same functions: trackengine-agent.

fn main() {
    println!("cargo:rerun-if-env-changed=TRACKENGINE_LIB_DIR");
    println!("cargo:rerun-if-env-changed=TRACKENGINE_LIB");
    if let Ok(folder) = std::env::var("TRACKENGINE_LIB_DIR") {
        println!("cargo:rustc-link-search=native={folder}");
    }
    let library = std::env::var("TRACKENGINE_LIB").unwrap_or_else(|_| "trackengine".into());
    println!("cargo:rustc-link-lib=dylib={library}");
}
