# Sourced by tools/test: repeats failed tests (option --repeat).
#
# Many tests use real sockets, processes and clocks on a machine that is busy with other tests. Without this option, one test that fails by chance would make
# a run of half an hour useless. A test that passes when it is repeated alone is reported as unstable. That is a fault of the test or of the product, and its
# cause must be found.

# The number of failed tests above which nothing is repeated.
most_repeated=3

# The folder of each .NET suite, the names of each suite's failed tests (one per line), and the suites that pytest runs.
declare -A folder_of=() failed_in=() pytest_suites=()
unstable=()

# note_failed NAME COUNTER: records the failed tests of a suite, unless the suite did not run to its end.
note_failed() {
  [ "$2" != count_pytest ] || pytest_suites[$1]=yes
  grep -qE '^Test Run Aborted|^The active test run was aborted|^!+ ' "$log" || failed_in[$1]=$(awk -f tools/test.d/failures.awk "$log" | grep -v '^ ')
}

# again NAME: repeats the failed tests of a suite.
again() {
  local test tests=() filter=
  if [ -n "${pytest_suites[$1]:-}" ]; then
    mapfile -t tests < <(sed -E 's/^(FAILED|ERROR) //; s/ - .*$//' <<<"${failed_in[$1]}")
    "${fresh[@]}" "${limit[@]}" tools/python -m pytest -q "${tests[@]}"
  else
    while read -r test; do filter="$filter${filter:+|}FullyQualifiedName=${test%%(*}"; done <<<"${failed_in[$1]}"
    "${fresh[@]}" "${limit[@]}" dotnet test "${folder_of[$1]}/$1.csproj" -c Release --no-build --nologo -v quiet --filter "$filter" "${hang[@]}"
  fi
}

# repeat_failed: repeats the failed tests of .NET's and pytest's suites, if there are few. Tests that pass are counted as passed and added to `unstable`.
repeat_failed() {
  [ -n "$repeat" ] && [ "$failed" -gt 0 ] && [ "$failed" -le $most_repeated ] || return
  local name count remaining=() log
  for name in "${broken[@]}"; do
    if [ -z "${failed_in[$name]:-}" ] || [ -z "${folder_of[$name]:-}${pytest_suites[$name]:-}" ]; then
      remaining+=("$name")
      continue
    fi
    printf '\n== %s: repeating the failed tests …\n' "$name"
    name_log "$name, repeated"
    if again "$name" >"$log" 2>&1 </dev/null; then
      mapfile -t -O "${#unstable[@]}" unstable < <(sed "s/^/  $name: /" <<<"${failed_in[$name]}")
      count=$(wc -l <<<"${failed_in[$name]}")
      add "$count" "-$count"
    else
      cat "$log"
      remaining+=("$name")
    fi
  done
  broken=("${remaining[@]}")
}

# say_unstable: names the unstable tests.
say_unstable() {
  [ ${#unstable[@]} -eq 0 ] || printf '%s\n' 'unstable (failed once, passed when repeated alone; find the cause):' "${unstable[@]}"
}
