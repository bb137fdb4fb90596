#!/bin/sh
# Renders the guide as a static site, for `make guide`: config/guide.sh OUTPUT
#
# The pages have the links of a forge. DocC finds an article by its name, draws pictures of its own catalogue only, and knows no other file
# of the repository; a link to one becomes its name.
set -eu
output=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
catalog=$work/Overline.docc
mkdir "$catalog"

for article in Sources/OverlineCLI/OverlineCLI.docc/*.md Sources/OverlineCLI/OverlineCLI.docc/Guide/*.md \
  Sources/OverlineCore/OverlineCore.docc/*.md \
  Sources/NetworkPath/NetworkPath.docc/*.md Sources/Overline/Overline.docc/*.md; do
  name=$(basename "$article")
  # Leaves out pages that list symbols, and one of two with the same name.
  case $article in
    */OverlineCLI.md | */NetworkPath.md | */Overline.docc/Overline.md | */Overline.docc/PortingFromApple.md) continue ;;
  esac
  sed -E \
    -e 's/\[([^]]+)\]\(\/Sources\/Overline\/Overline.docc\/PortingFromApple.md\)/\1/g' \
    -e 's/``[^`]*\/([^`\/]+)``/`\1`/g; s/``([^`]+)``/`\1`/g; s/^# `([^`]+)`/# \1/' \
    -e 's/\]\(\/config\/pictures\/([^)]+)\)/](\1)/g' \
    -e 's/\]\((\.\.\/|\/Sources\/[^)]*\/)?([A-Za-z]+)\.md(#[^)]*)?\)/](doc:\2\3)/g' \
    -e 's/\[([^]]+)\]\(\/[^)]*\)/\1/g; s/\[([^]]+)\]\(doc:(README|OverlineCLI|NetworkPath|Overline)\)/\1/g' \
    -e 's/(\]\(doc:[A-Za-z]+#)([a-z])/\1\u\2/g' -e '/^<!--/d' "$article" >"$catalog/$name"
done
cp config/pictures/*.svg config/pictures/*.png "$catalog"
printf '\n@Metadata {\n  @TechnologyRoot\n}\n' >>"$catalog/Guide.md"

# docc cannot use pages of another user, such as the one that installed Swift (fchown(2) reports EPERM).
cp -r "$(dirname "$(readlink -f "$(command -v docc)")")/../share/docc/render" "$work/pages"
rm -rf "$output"
DOCC_HTML_DIR=$work/pages docc convert "$catalog" --fallback-display-name Overline --fallback-bundle-identifier overline \
  --warnings-as-errors --transform-for-static-hosting --output-dir "$output"
echo '<meta http-equiv="refresh" content="0; url=documentation/guide/">' >"$output/index.html"
