/// The style of the page.
///
/// The rules' colours are those of Okabe and Ito, which people with any kind of colour blindness can distinguish,
/// darker on white and lighter on black for contrast. Each colour is also shown next to its rule's name.
enum ReportStyle {
    /// The style sheet. It needs no escaping in XML.
    static let sheet: StaticString = """
        :root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--soft:#57606a;--line:#d5dbe1;--card:#f6f8fa;
        --track:#8a939d;--distance:#b84a00;--any:#a0417f;--all:#00735a;--deviation:#0067a3}
        @media (prefers-color-scheme:dark){:root{--paper:#0f1318;--ink:#e6edf3;--soft:#a3adb8;--line:#333b44;
        --card:#181e25;--track:#7d8690;--distance:#f0a030;--any:#e79ac8;--all:#3ccfa3;--deviation:#62bdf0}}
        *{box-sizing:border-box}
        body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
        main{max-width:1140px;margin:0 auto;padding:1rem}
        h1{font-size:1.5rem;line-height:1.25;overflow-wrap:anywhere;margin:.5rem 0}
        h2{font-size:1.2rem;margin:2rem 0 .5rem}
        h3{font-size:1.05rem;margin:0;color:var(--k)}
        p{margin:.3rem 0;max-width:75ch}
        .facts,.legend,li,figcaption{color:var(--soft)}
        .defs{position:absolute;width:0;height:0}
        .k-distance{--k:var(--distance)}.k-any{--k:var(--any)}.k-all{--k:var(--all)}.k-deviation{--k:var(--deviation)}
        .advice{--k:var(--soft);border-left:6px solid var(--k);background:var(--card);padding:.75rem 1rem;margin:1rem 0}
        .advice.k-distance{--k:var(--distance)}.advice.k-any{--k:var(--any)}
        .advice.k-all{--k:var(--all)}.advice.k-deviation{--k:var(--deviation)}
        .advice h2{margin:0}
        pre{background:var(--paper);border:1px solid var(--line);padding:.5rem .75rem;margin:.5rem 0 0;overflow-x:auto}
        .scroll{overflow-x:auto}
        table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:.85rem}
        th,td{padding:.35rem .4rem;text-align:right;white-space:nowrap;border-bottom:1px solid var(--line)}
        thead th{color:var(--soft);font-weight:600}
        tr th:first-child{text-align:left;position:sticky;left:0;background:var(--paper)}
        tbody th{border-left:5px solid var(--k);font-weight:600}
        small{font-weight:400;color:var(--soft)}
        tbody small{display:block}
        .best th,.best td,.best th:first-child{background:var(--card);font-weight:700}
        .rule{border:1px solid var(--line);border-top:4px solid var(--k);background:var(--card);padding:.75rem 1rem;
        margin:1rem 0;break-inside:avoid}
        .panels{display:grid;gap:.75rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,280px),1fr));
        margin-top:.5rem}
        .wide{max-width:720px;margin-top:1rem}
        figure{margin:0}
        figcaption{font-size:.85rem}
        svg{display:block;width:100%;height:auto;background:var(--paper);border:1px solid var(--line)}
        .defs{border:0}
        svg path{fill:none;stroke-linejoin:round;stroke-linecap:round}
        .track{fill:none;stroke:var(--track);stroke-width:1.5}
        svg .dots{stroke:var(--k);stroke-width:4}
        svg .small{stroke-width:2.5}
        svg .large{stroke-width:8}
        .fixes{stroke:var(--track);stroke-width:4}
        .rebuilt{stroke:var(--k);stroke-width:1.5}
        .error{stroke:var(--ink);stroke-width:3}
        .errorend{fill:var(--ink)}
        svg .area{fill:var(--k);fill-opacity:.35;stroke:var(--k);stroke-width:1}
        .grid{stroke:var(--line);stroke-width:1}
        .bound{stroke:var(--ink);stroke-width:1.5;stroke-dasharray:5 4}
        .scale{stroke:var(--ink);stroke-width:1.5}
        .series{stroke:var(--k);stroke-width:1.5;stroke-opacity:.6}
        .mark{fill:var(--k)}
        .lead{stroke:var(--k);stroke-width:1}
        svg .name{font-size:10.5px;fill:var(--k)}
        text{font:11.5px system-ui,sans-serif;fill:var(--soft);paint-order:stroke;stroke:var(--paper);stroke-width:3px;
        stroke-linejoin:round}
        .strong{fill:var(--ink);font-weight:700}
        .v-plain{--k:var(--deviation)}.v-found{--k:var(--all)}.v-wrong{--k:var(--distance)}
        .v-missed{--k:var(--any)}.v-unsure{--k:var(--track)}
        .trial{--k:var(--soft)}.trial h3{color:var(--ink)}.trial tr th:first-child{background:var(--card)}
        .trial h3,.cases figcaption{overflow-wrap:anywhere}
        svg .way{stroke:var(--deviation);stroke-width:2.5}
        svg .other{stroke-opacity:.55}
        svg .disc{fill:var(--k);fill-opacity:.3;stroke:var(--k);stroke-width:2}
        .v-missed .disc{fill-opacity:0;stroke-dasharray:4 3}
        .v-wrong .disc{fill-opacity:.12}
        svg .cross{stroke:var(--k);stroke-width:2}
        svg .bar{fill:var(--k);fill-opacity:.75}
        .v-missed .bar{fill-opacity:.25;stroke:var(--k);stroke-width:1.5}
        .v-unsure .bar{fill-opacity:.35}
        svg .number{font-size:10.5px;font-weight:700;fill:var(--k)}
        td.what,th.what{text-align:left}
        .tag{color:var(--k);font-weight:600}
        .key span{display:inline-block;margin-right:1rem}.key{max-width:none}
        .cases{display:grid;gap:.75rem;grid-template-columns:repeat(auto-fill,minmax(min(100%,280px),1fr));
        margin-top:.75rem}
        @media print{.rule{border-top-width:2px}}
        """
}
