namespace Larder.Lab.Fleet;

/// <summary>The results of the calls of a <see cref="NumberedLoad"/>.</summary>
internal sealed record LoadCounts
{
    /// <summary>Gets the number of successful calls.</summary>
    public long Answered { get; init; }

    /// <summary>Gets the number of failed calls by call and code.</summary>
    public IReadOnlyDictionary<string, long> Errors { get; init; } = new Dictionary<string, long>();

    public long Failed => Errors.Values.Sum();

    /// <summary>Gets the number of reads that found an acknowledged write missing.</summary>
    public long Lost { get; init; }

    /// <summary>Gets the number of reads that found a value that had been missing before.</summary>
    public long Stale { get; init; }

    /// <summary>Gets the number of reads that found another key's value, or one that was never written.</summary>
    public long Crossed { get; init; }

    /// <summary>Gets the longest time without a successful call.</summary>
    public TimeSpan LongestGap { get; init; }

    /// <summary>Gets the time from the fault to the end of that gap; zero if it ended before the fault.</summary>
    public TimeSpan WorkedAgainAfter { get; init; }
}
