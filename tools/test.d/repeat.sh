# Sourced by tools/test: repeats failed tests (option --repeat).
#
# Many tests use real sockets, processes and clocks on a machine that is busy with other tests. Without this option, one test that fails by chance would make
# a run of half an hour useless. A test that passes when it is repeated alone is reported as unstable. That is a fault of the test or of the product, and its
# cause must be found.

# The number of failed tests above which nothing is repeated.
most_repeated=3

# The folder of each .NET suite, and the names of its failed tests, one per line.
declare -A folder_of=() failed_in=()
unstable=()

# repeat_failed: repeats the failed tests of .NET suites, if there are few. Tests that pass are counted as passed and added to `unstable`.
repeat_failed() {
  [ -n "$repeat" ] && [ "$failed" -gt 0 ] && [ "$failed" -le $most_repeated ] || return
  local name test filter remaining=() log
  for name in "${broken[@]}"; do
    if [ -z "${folder_of[$name]:-}" ] || [ -z "${failed_in[$name]:-}" ]; then
      remaining+=("$name")
      continue
    fi
    filter=
    while read -r test; do filter="$filter${filter:+|}FullyQualifiedName=${test%%(*}"; done <<<"${failed_in[$name]}"
    printf '\n== %s: repeating the failed tests …\n' "$name"
    name_log "$name, repeated"
    if "${limit[@]}" dotnet test "${folder_of[$name]}/$name.csproj" -c Release --no-build --nologo -v quiet --filter "$filter" "${hang[@]}" >"$log" 2>&1 </dev/null; then
      mapfile -t -O "${#unstable[@]}" unstable < <(sed "s/^/  $name: /" <<<"${failed_in[$name]}")
      add "$(wc -l <<<"${failed_in[$name]}")" "-$(wc -l <<<"${failed_in[$name]}")"
    else
      cat "$log"
      remaining+=("$name")
    fi
  done
  broken=("${remaining[@]}")
}

# say_unstable: names the unstable tests.
say_unstable() {
  [ ${#unstable[@]} -eq 0 ] || printf 'unstable (failed once, passed when repeated alone; find the cause):\n'
  [ ${#unstable[@]} -eq 0 ] || printf '%s\n' "${unstable[@]}"
}
