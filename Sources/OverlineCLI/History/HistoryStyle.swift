/// The style sheet of ``HistoryPage``: light and dark, and A4 paper.
enum HistoryStyle {
  static let sheet = """
    :root { color-scheme: light dark; --line: #c8ccd0; --soft: #5c6670; --online: #cfe8d5; --limited: #f9c72c;
      --short: #f2a69f; --long: #d9534a; --longest: #8c1d18; --gap: #e4e7ea; }
    @media (prefers-color-scheme: dark) { :root { --line: #3c434b; --soft: #9aa4ae; --online: #24513a; --limited: #b28704;
      --short: #7d2f29; --long: #b8433b; --longest: #ff8a80; --gap: #2a2f35; } }
    body { font: 14px/1.45 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
    h1 { font-size: 1.5rem; margin: 0 0 1rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; break-after: avoid; }
    .facts { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: 0; }
    dt { color: var(--soft); } dd { margin: 0; font-size: 1.25rem; font-weight: 600; }
    .months { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 1rem 1.5rem; }
    .month { border-collapse: separate; border-spacing: 2px; font-size: 11px; break-inside: avoid; }
    .month caption { text-align: left; font-weight: 600; } .month th { color: var(--soft); font-weight: 400; }
    .month td { width: 1.9em; height: 1.9em; text-align: center; border-radius: 3px; }
    .online { background: var(--online); } .limited { background: var(--limited); } .short { background: var(--short); }
    .long { background: var(--long); color: #fff; } .longest { background: var(--longest); color: #fff; }
    @media (prefers-color-scheme: dark) { .longest { color: #000; } }
    .day .unwatched, .day .outside { background-color: Canvas; }
    .unwatched { background: repeating-linear-gradient(45deg, var(--gap) 0 3px, transparent 3px 6px); }
    .legend { color: var(--soft); font-size: 12px; }
    .legend i { display: inline-block; width: 1em; height: 1em; border-radius: 3px; vertical-align: -.15em; margin-left: .8em; }
    .day { display: flex; align-items: center; gap: .75rem; margin: 3px 0; break-inside: avoid; }
    .day b { flex: 0 0 6.5em; font-weight: 400; font-variant-numeric: tabular-nums; }
    .day span { position: relative; flex: 1; height: 1.1em; background: var(--online); border-radius: 3px; overflow: hidden; }
    .day span i { position: absolute; top: 0; bottom: 0; min-width: 2px; } .day .offline { background: var(--long); }
    .hours span { background: none; overflow: visible; color: var(--soft); font-size: 11px; }
    .hours span i { font-style: normal; transform: translateX(-50%); }
    .list { border-collapse: collapse; width: 100%; } .list th { text-align: left; color: var(--soft); font-weight: 400; }
    .list td, .list th { border-bottom: 1px solid var(--line); padding: .25rem .75rem .25rem 0; vertical-align: top; }
    .list td:not(:last-child) { white-space: nowrap; } .list td:last-child { overflow-wrap: anywhere; }
    .list .limited { background: none; } .list .limited td:last-child { border-left: 4px solid var(--limited); padding-left: .5rem; }
    .list tr { break-inside: avoid; }
    @page { size: A4; margin: 15mm; }
    @media print { body { max-width: none; margin: 0; padding: 0; font-size: 10pt; } * { print-color-adjust: exact; } }
    """
}
