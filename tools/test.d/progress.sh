# Sourced by tools/test: shows the running suites, and records how long suites take.

# Lines of a log that are counted but not shown: one per passed test, and xunit's discovery messages.
unshown='^  Passed .* \[[^]]*\]$|^ok   |^\[xUnit\.net [0-9:.]+\] +(Discover|Start|Finish)|^\[xUnit\.net [0-9:.]+\] +Larder\.|^Results File: '

# done_in LOG: prints the number of completed tests in a log of any runner.
done_in() {
  awk '
    /^  (Passed|Failed|Skipped) .* \[[^]]*\]$/ || /^(ok|FAIL|SKIPPED) +[A-Z]/ { done++ }
    /^ *(not )?ok [0-9]+ / || /^ *[✔✖] / { done++ }
    /^[.FEsxX]+( +\[ *[0-9]+%\])?$/ { sub(/ .*/, ""); done += length($0) }
    END { print done + 0 }' "$1"
}

# Prints one line every few seconds while suites run: each suite with its number of completed tests and its duration.
progress() {
  local log counter began name line tests seconds
  while sleep "${LARDER_PROGRESS_S:-10}"; do
    line=
    while read -r log counter began name; do
      [ -f "$log" ] || continue
      IFS=$'\t' read -r _ tests seconds < <(awk -F '\t' -v name="$name" '$1 == name' "$times") || tests='' seconds=''
      line="$line${line:+; }$name: $(done_in "$log")${tests:+ of about $tests} tests, $((SECONDS - began))${seconds:+ of about $seconds} s"
    done <"$results/running"
    [ -z "$line" ] || printf '.. %s\n' "$line"
  done
}

# keep_time NAME TESTS SECONDS: records the size and duration of a passed suite.
keep_time() {
  local others
  others=$(awk -F '\t' -v name="$1" '$1 != name' "$times")
  printf '%s\n' ${others:+"$others"} "$1"$'\t'"$2"$'\t'"$3" >"$times"
}
