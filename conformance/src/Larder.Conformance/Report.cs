namespace Larder.Conformance;

/// <summary>Counts the verdicts. Prints each failure in red with the number of its rule, each skipped case, and a summary line.</summary>
internal sealed class Report(TextWriter output, bool colour, bool verbose)
{
    private readonly Lock _lock = new();
    private readonly HashSet<string> _broken = [];

    public int Passed { get; private set; }

    public int Failed { get; private set; }

    public int Skipped { get; private set; }

    /// <summary>Counts a case that passed. In verbose mode, also prints the duration of the case.</summary>
    public void Pass(string run, Case vector, TimeSpan? took = null)
    {
        lock (_lock)
        {
            Passed++;
            if (verbose)
            {
                output.WriteLine($"ok   {vector.Rule,-11} {run}: {vector.Name}{(took is { } time ? $" [{time.TotalMilliseconds:0} ms]" : "")}");
            }
        }
    }

    public void Fail(string run, Case vector, string why)
    {
        lock (_lock)
        {
            Failed++;
            _broken.Add(vector.Rule);
            string line = $"FAIL {vector.Rule,-11} {run}: {vector.Name}: {why}";
            output.WriteLine(colour ? $"\e[31m{line}\e[0m" : line);
        }
    }

    public void Skip(string run, Case vector, string why)
    {
        lock (_lock)
        {
            Skipped++;
            output.WriteLine($"SKIPPED {vector.Rule} {run}: {vector.Name}: {why}");
        }
    }

    /// <summary>Prints the rules that failed, and the summary line.</summary>
    public void Close()
    {
        if (_broken.Count > 0)
        {
            output.WriteLine($"broken rules: {string.Join(' ', _broken.Order(StringComparer.Ordinal))}");
        }

        output.WriteLine($"{Passed} passed, {Failed} failed{(Skipped > 0 ? $", {Skipped} skipped" : "")}");
    }
}
