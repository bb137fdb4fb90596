import OverlineSystem
import OverlineTestKit
import OverlineTestSupport
import OverlineTestThread
import Testing

/// Links and names in documents point at existing things.
@Suite(.ownThread) struct DocumentTests {
  private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

  private func documents() throws -> [(name: String, text: String)] {
    let names = try Subprocess.run(
      "find", ["\(Self.root)/Sources", "\(Self.root)/README.md", "\(Self.root)/CONTRIBUTING.md", "-name", "*.md"]
    )
    .outputText
    return try names.split(separator: "\n").map {
      (String($0), String(decoding: try Files.read(String($0)), as: UTF8.self))
    }
  }

  /// A forge resolves an absolute path against the repository's root, and any other against the document's folder.
  @Test("each link of a document leads to a file, and to a heading that is there") func linksLeadSomewhere() throws {
    var count = 0
    for path in try documents().map({ String($0.name.dropFirst(Self.root.count + 1)) }) {
      let document = try MarkdownDocument(path)
      for link in document.links where !link.contains("://") {
        count += 1
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let target = Self.target(parts[0], from: path)
        guard Files.exists("\(Self.root)/\(target)") else {
          Issue.record("\(path): \(link) leads nowhere")
          continue
        }
        guard parts.count > 1 else { continue }
        #expect(try MarkdownDocument(target).anchors.contains(parts[1]), "\(path): \(link) has no such heading")
      }
    }
    #expect(count > 150)
  }

  /// The path from the repository's root.
  private static func target(_ link: String, from path: String) -> String {
    if link.isEmpty { return path }
    if link.hasPrefix("/") { return String(link.dropFirst()) }
    var folders = path.split(separator: "/").dropLast().map(String.init)
    for part in link.split(separator: "/") {
      if part == ".." { _ = folders.popLast() } else { folders.append(String(part)) }
    }
    return folders.joined(separator: "/")
  }

  @Test("the guide's first page links every other page") func theGuideIsComplete() throws {
    let pages = try MarkdownDocument.guide().dropFirst().map { String($0.path.split(separator: "/").last!) }
    let guide = try MarkdownDocument("Sources/OverlineCLI/OverlineCLI.docc/Guide/Guide.md")
    #expect(pages.count > 14)
    #expect(Set(pages).subtracting(guide.links) == ["Guide.md"])
  }

  /// A user finds only the names that the articles use.
  @Test(
    "the articles of the libraries use each part of them",
    arguments: [
      "startNetworkMonitoring()", "startNetworkMonitoring(monitor)", "startNetworkMonitoring(targets:",
      "stopNetworkMonitoring()", "retryingWhenOffline {", "shouldRetry", "settling", "waitUntilSatisfied",
      "detectsSilence",
      "noAnswers", "settled(for:", "cancellingWhenOffline", "contentRects", "SimulatedScreen",
      "window.suspend {", "window.alert(", "rows:", "`level`", "toast.ended()", "toast.isPresented",
      "hardSync()", "insets", "TerminalWindow(ownership: .own)", "SimulatedNetwork(", "router-silent",
    ])
  func theArticlesUseIt(_ name: String) throws {
    let articles = try documents().filter {
      $0.name.contains("/Overline.docc/") || $0.name.contains("/NetworkPath.docc/")
    }
    #expect(articles.contains { $0.text.contains(name) })
  }

  @Test("make guide renders each page, without a warning of docc") func theGuideIsRendered() throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let result = try Subprocess.run(
      "sh", ["-c", "cd \"$0\" && config/guide.sh \"$1\"", Self.root, "\(folder)/guide"], timeout: .seconds(120))
    #expect(result.status == 0, "\(result.outputText)\(result.errorText)")
    for page in try MarkdownDocument.guide().dropFirst() {
      let name = page.path.split(separator: "/").last!.dropLast(".md".count).lowercased()
      let place = name == "guide" ? name : "overline/\(name)"
      #expect(Files.exists("\(folder)/guide/documentation/\(place)/index.html"), "\(name)")
    }
  }

  /// Each test that a document names exists.
  /// `Suite.test`, `.another` (Folder/File.swift): the file has the suite, or extends it, and the tests.
  @Test func namedTestsAreInTheirFiles() throws {
    var count = 0
    for document in try documents() {
      for list in document.text.matches(of: /((?:`[\w.]+`,? )+)\(([\w\/]+\.swift)\)/) {
        let file = String(decoding: (try? Files.read("\(Self.root)/Tests/\(list.2)")) ?? [], as: UTF8.self)
        for name in list.1.matches(of: /`(\w*)\.([a-z]\w*)`/) {
          let isThere = file.contains(" \(name.1)") && file.contains("func \(name.2)(")
          #expect(isThere, "\(document.name): \(name.0) is not in \(list.2)")
          count += 1
        }
      }
    }
    #expect(count > 100)
  }

  @Test func namedTestsExist() throws {
    let tests = try Subprocess.run("grep", ["-rhoE", "func [A-Za-z0-9]+", "\(Self.root)/Tests"]).outputText
    let functions = Set(tests.split(separator: "\n").map { $0.dropFirst("func ".count) })
    var count = 0
    for document in try documents() {
      for name in document.text.matches(of: /`(?:(?:[A-Z]\w*\.)*[A-Z]\w*Tests)?\.([a-z]\w*)`/) {
        let isThere = functions.contains(name.1)
        #expect(isThere, "\(document.name): \(name.1)")
        count += 1
      }
    }
    #expect(count > 50)
  }
}
