extension Substring {
    /// Whether a part of a path looks like a token: at least 20 characters, with letters and digits, that are not
    /// words.
    ///
    /// Words are separated by characters that are neither letters nor digits. A word is letters, or digits, or letters
    /// followed by up to three digits (`v1`, `van007`). An id such as a UUID looks like a token: for many servers it
    /// is one.
    ///
    /// | shown | three stars |
    /// |---|---|
    /// | `ingest-overland-2026-v2` | `9f8a7c1e5b3d4a6f8c2e` |
    /// | `phonetrackreceiver001` | `7b8e6f0a-1111-4222-8333-abcdef012345` |
    /// | `12345678901234567890` | `bot123456:ABC-DEF1234ghIkl-zyx57W2v1u1` |
    var looksLikeToken: Bool {
        let text = PercentEncoding.decoded(self) ?? String(self)
        guard text.utf8.count >= 20, text.contains(where: \.isLetter), text.contains(where: \.isNumber) else {
            return false
        }
        return !text.split(whereSeparator: { !$0.isLetter && !$0.isNumber }).allSatisfy { word in
            let rest = word.drop(while: \.isLetter)
            return rest.allSatisfy(\.isNumber) && (rest.count <= 3 || rest.count == word.count)
        }
    }
}
