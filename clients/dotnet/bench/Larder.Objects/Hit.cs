using System.Diagnostics;

namespace Larder.Objects;

/// <summary>Measures one way to read the record.</summary>
/// <param name="name">The name in the table.</param>
/// <param name="read">Reads the record once and returns a number that is not 0.</param>
internal sealed class Hit(string name, Func<ValueTask<int>> read)
{
    private const int ReadsPerBatch = 1_000;

    private readonly List<(double Nanoseconds, double Bytes)> _rounds = [];

    /// <summary>Reads the record for a time, and records the time and the allocated bytes of one read.</summary>
    public async Task MeasureAsync(TimeSpan time)
    {
        long reads = 0;
        long found = 0;
        long allocated = GC.GetTotalAllocatedBytes(precise: true);
        long begun = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(begun) < time)
        {
            for (int each = 0; each < ReadsPerBatch; each++)
            {
                found += await read().ConfigureAwait(false) == 0 ? 0 : 1;
            }

            reads += ReadsPerBatch;
        }

        TimeSpan took = Stopwatch.GetElapsedTime(begun);
        allocated = GC.GetTotalAllocatedBytes(precise: true) - allocated;
        if (found != reads)
        {
            throw new InvalidOperationException($"{name}: {reads - found} of {reads} reads found no record.");
        }

        _rounds.Add((took.TotalNanoseconds / reads, (double)allocated / reads));
    }

    /// <summary>Forgets the rounds of the warm-up.</summary>
    public void Forget() => _rounds.Clear();

    /// <summary>Returns the row of the table.</summary>
    public string Row() => $"| {name} | {Median(static round => round.Nanoseconds):N0} | {Median(static round => round.Bytes):N0} |";

    private double Median(Func<(double Nanoseconds, double Bytes), double> of) => _rounds.Select(of).Order().ElementAt(_rounds.Count / 2);
}
