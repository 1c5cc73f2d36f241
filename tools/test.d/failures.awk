# Prints the failed tests from the output of a runner (dotnet test, pytest, node's TAP and spec, vitest, our conformance program): one line per test, and
# below it the messages, indented by four spaces. At most `most` lines per test, including its name.

BEGIN { if (!most) most = 15 }

function open(title) { close_block(); now = title; lines = 0; text = "" }

function say(line) {
  if (now == "" || line ~ /^ *$/ || lines >= most - 1) return
  text = text "    " substr(line, 1, 240) "\n"
  lines++
}

function close_block() {
  if (now != "") {
    said[now] = 1
    if (reader == "pytest") told[now, ++count[now]] = text
    else printf "%s\n%s", now, text
  }
  now = ""
  reader = ""
}

function indent(line) { match(line, /^ */); return RLENGTH }

# xunit prints the name of a failed test immediately, and usually its message later.
/^\[xUnit.*\[FAIL\]$/ {
  sub(/^\[xUnit[^]]*\] */, "")
  sub(/ \[FAIL\]$/, "")
  failed[++named] = $0
  next
}
/^  Failed .* \[[^]]*\]$/ {
  sub(/^  Failed /, "")
  sub(/ \[[^]]*\]$/, "")
  open($0)
  reader = "dotnet"
  next
}
reader == "dotnet" {
  if (/^Data collector |^\[xUnit|^  (Passed|Skipped) |^(Failed|Passed)! /) close_block()
  else if (!/^  (Error Message|Stack Trace):$|^ *at (System|Xunit|InvokeStub)|^--- End of stack trace/) say($0)
  next
}

# pytest prints the messages first, below a title, and the names of failed tests at the end.
/^_+ .* _+$/ {
  gsub(/^_+ | _+$/, "")
  sub(/^ERROR at [a-z]+ of /, "ERROR ")
  open($0)
  reader = "pytest"
  next
}
reader == "pytest" && /^=+ .* =+$/ { close_block() }
reader == "pytest" && /^E( |$)|^[^ ]+:[0-9]+: / { say($0) }
/^(FAILED|ERROR) [^ ]+(::|\.py)/ {
  close_block()
  title = $0
  sub(/^(FAILED|ERROR) /, "", title)
  sub(/ - .*$/, "", title)
  sub(/^[^:]*::/, "", title)
  gsub(/::/, ".", title)
  if (/^ERROR/) title = "ERROR " title
  print $0
  printf "%s", told[title, ++taken[title]]
  next
}

# node's TAP: a YAML block for each failure. A suite that only reports a failed test inside it is not printed.
/^ *not ok / && !/# (TODO|SKIP)/ {
  close_block()
  sub(/^ +/, "")
  tap = $0
  detail = ""
  lines = 0
  wanted = 0
  next
}
tap != "" && /^ *\.\.\.$/ {
  if (!parent) printf "%s\n%s", tap, detail
  tap = ""
  parent = 0
  next
}
tap != "" && /^ *failureType: 'subtestsFailed'/ { parent = 1 }
tap != "" {
  # A key of the block itself, not a similar line inside an error text.
  if (/^ *---$/) { depth = indent($0); next }
  if (/^ *[a-zA-Z]+:/ && indent($0) <= depth) wanted = /^ *(error|location):/
  if (wanted && !/^ *$/ && lines < most - 1) { detail = detail "    " substr($0, 1, 240) "\n"; lines++ }
  next
}

# node's spec reporter prints all failures at its end.
/^✖ failing tests:/ { spec = 1; next }
spec && /^test at / { close_block(); place = $0; next }
spec && /^✖ / { open($0); if (place != "") say(place); place = ""; reader = "spec"; next }
reader == "spec" { if (!/^ *at .*node:internal/) say($0); next }
!spec && /^ *✖ / { sub(/^ +/, ""); early[++earlier] = $0; next }

# vitest, and our conformance program.
/^ FAIL  / { open(substr($0, 2)); reader = "vitest"; next }
reader == "vitest" { if (/^ *⎯/) close_block(); else say($0); next }
/^ *× / { sub(/^ +/, ""); early[++earlier] = $0; next }
/^FAIL / { print; next }

# The test host names the tests that hang or crash it when it aborts.
/running when the crash occurred/ { aborted = 1; next }
NF == 0 { aborted = 0 }
aborted { print $0 " [running when the test process ended]" }

END {
  close_block()
  for (i = 1; i <= named; i++) if (!(failed[i] in said)) print failed[i]
  if (!spec) for (i = 1; i <= earlier; i++) print early[i]
}
