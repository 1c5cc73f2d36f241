using Larder.Agent;

namespace Larder.Lab.Near;

/// <summary>What the processes answered in one turn.</summary>
/// <param name="Answers">Each process's, in their order.</param>
internal sealed record NearZipfTurn(IReadOnlyList<NearAnswer> Answers)
{
    /// <summary>Calls a second of all, or of those of one place.</summary>
    public double CallsPerSecond(int? process = null) => Of(process).Sum(static answer => (answer.Reads + answer.Writes) / answer.Seconds);

    /// <summary>Part of the reads that copies answered.</summary>
    public double HitShare(int? process = null) =>
        (double)Of(process).Sum(static answer => answer.Hits) / Math.Max(1, Of(process).Sum(static answer => answer.Reads));

    /// <summary>The time in µs that a part of the reads did not exceed.</summary>
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
