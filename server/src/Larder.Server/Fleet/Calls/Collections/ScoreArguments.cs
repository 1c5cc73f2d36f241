using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>A range of scores as arguments of a command.</summary>
internal static class ScoreArguments
{
    /// <summary>Adds its lowest and its highest.</summary>
    public static void AddRange(this RemoteCommand command, ScoreRange range)
    {
        command.AddLowest(range);
        command.AddHighest(range);
    }

    /// <summary>Adds its lowest.</summary>
    public static void AddLowest(this RemoteCommand command, ScoreRange range) =>
        command.AddScore(range.Min ?? double.NegativeInfinity, range is { Min: not null, ExcludesMin: true });

    /// <summary>Adds its highest.</summary>
    public static void AddHighest(this RemoteCommand command, ScoreRange range) =>
        command.AddScore(range.Max ?? double.PositiveInfinity, range is { Max: not null, ExcludesMax: true });

    /// <summary>Adds the highest of what is below its lowest; nothing where nothing can be.</summary>
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
