namespace Larder.Lab.Fleet;

/// <summary>The results of the calls of a <see cref="NumberedLoad"/>.</summary>
internal sealed record LoadCounts
{
    /// <summary>Gets the number of successful calls.</summary>
    public long Answered { get; init; }

    /// <summary>Gets the number of failed calls, by the kind of call and the error code.</summary>
    public IReadOnlyDictionary<string, long> Errors { get; init; } = new Dictionary<string, long>();

    public long Failed => Errors.Values.Sum();

    /// <summary>Gets the number of reads that did not find an acknowledged write.</summary>
    public long Lost { get; init; }

    /// <summary>Gets the number of reads that found a value that had been missing in an earlier read.</summary>
    public long Stale { get; init; }

    /// <summary>Gets the number of reads that found a value of another key, or a value that was never written.</summary>
    public long Crossed { get; init; }

    /// <summary>Gets the longest time without a successful call.</summary>
    public TimeSpan LongestGap { get; init; }

    /// <summary>Gets the time from the fault to the end of <see cref="LongestGap"/>; zero if the gap ended before the fault.</summary>
    public TimeSpan WorkedAgainAfter { get; init; }
}
