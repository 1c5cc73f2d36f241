using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>Encodes a range of scores as arguments of a command.</summary>
internal static class ScoreArguments
{
    /// <summary>Adds the lower and the upper bound as arguments.</summary>
    public static void AddRange(this RemoteCommand command, ScoreRange range)
    {
        command.AddLowest(range);
        command.AddHighest(range);
    }

    /// <summary>Adds the lower bound as an argument.</summary>
    public static void AddLowest(this RemoteCommand command, ScoreRange range) =>
        command.AddScore(range.Min ?? double.NegativeInfinity, range is { Min: not null, ExcludesMin: true });

    /// <summary>Adds the upper bound as an argument.</summary>
    public static void AddHighest(this RemoteCommand command, ScoreRange range) =>
        command.AddScore(range.Max ?? double.PositiveInfinity, range is { Max: not null, ExcludesMax: true });

    /// <summary>Adds an argument for the scores below the range: their upper bound, or an empty argument if the range has no lower bound.</summary>
    public static void AddBelow(this RemoteCommand command, ScoreRange range)
    {
        if (range.Min is { } min)
        {
            command.AddScore(min, isExcluded: !range.ExcludesMin);
        }
        else
        {
            command.Add(ReadOnlySpan<byte>.Empty);
        }
    }
}
