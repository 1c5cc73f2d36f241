using System.Globalization;

namespace Larder.Redis;

/// <summary>Computes the lag of a master's replicas from INFO replication.</summary>
internal static class ReplicationLag
{
    /// <summary>
    /// Returns the number of bytes that the slowest replica has not acknowledged. Returns null if there are no replicas or the text does not contain the
    /// offsets.
    /// </summary>
    public static long? Read(string info)
    {
        long? master = null;
        long? least = null;
        foreach (string line in info.Split('\n', StringSplitOptions.TrimEntries))
        {
            if (line.StartsWith("master_repl_offset:", StringComparison.Ordinal))
            {
                master = Number(line["master_repl_offset:".Length..]);
            }
            else if (line.StartsWith("slave", StringComparison.Ordinal) && line.Split(",offset=") is [_, var rest] && Number(rest.Split(',')[0]) is { } offset)
            {
                least = Math.Min(least ?? long.MaxValue, offset);
            }
        }

        return master - least is { } lag ? Math.Max(0, lag) : null;
    }

    private static long? Number(string text) => long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out long number) ? number : null;
}
