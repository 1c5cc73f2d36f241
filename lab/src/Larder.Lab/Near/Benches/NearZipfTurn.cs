using Larder.Agent;

namespace Larder.Lab.Near;

/// <summary>The responses of the processes in one turn.</summary>
/// <param name="Answers">The responses in the order of the processes.</param>
internal sealed record NearZipfTurn(IReadOnlyList<NearAnswer> Answers)
{
    /// <summary>Returns the calls per second of all processes, or of one process if an index is given.</summary>
    public double CallsPerSecond(int? process = null) => Of(process).Sum(static answer => (answer.Reads + answer.Writes) / answer.Seconds);

    /// <summary>Returns the share of the reads that near copies served.</summary>
    public double HitShare(int? process = null) =>
        (double)Of(process).Sum(static answer => answer.Hits) / Math.Max(1, Of(process).Sum(static answer => answer.Reads));

    /// <summary>Returns a latency quantile of the reads, in µs. <paramref name="part"/> is the quantile as a share from 0 to 1.</summary>
    public double ReadUs(double part, int? process = null)
    {
        LoadHistogram sum = new();
        foreach (NearAnswer answer in Of(process))
        {
            sum.Add(answer.Gets);
        }

        return sum.QuantileUs(part);
    }

    private IEnumerable<NearAnswer> Of(int? process) => process is { } one ? [Answers[one]] : Answers;
}
