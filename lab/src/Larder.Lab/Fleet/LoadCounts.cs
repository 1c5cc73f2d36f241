namespace Larder.Lab.Fleet;

/// <summary>What became of the calls of a <see cref="NumberedLoad"/>.</summary>
internal sealed record LoadCounts
{
    /// <summary>Calls that succeeded.</summary>
    public long Answered { get; init; }

    /// <summary>Calls that failed, by call and code.</summary>
    public IReadOnlyDictionary<string, long> Errors { get; init; } = new Dictionary<string, long>();

    /// <summary>Calls that failed.</summary>
    public long Failed => Errors.Values.Sum();

    /// <summary>Reads that found an answered write gone.</summary>
    public long Lost { get; init; }

    /// <summary>Reads that found what had been gone.</summary>
    public long Stale { get; init; }

    /// <summary>Reads that found another key's value, or one that nobody wrote.</summary>
    public long Crossed { get; init; }

    /// <summary>The longest time in which no call succeeded.</summary>
    public TimeSpan LongestGap { get; init; }

    /// <summary>From the fault to the end of that time; zero where it was over before.</summary>
    public TimeSpan WorkedAgainAfter { get; init; }
}
