using System.Text.Json.Nodes;

namespace Larder.Conformance.Hostile;

/// <summary>Reads the latencies that an agent reports for a load (conformance/AGENT.md).</summary>
internal static class NeighbourTimes
{
    private const int StepsPerDoubling = 1_024;

    /// <summary>Returns the 99th percentile of the histogram of a load, in µs.</summary>
    public static double P99Us(JsonObject load)
    {
        (int Index, long Count)[] counts = [.. load["histogram"]!["counts"]!.AsArray().Select(pair => ((int)pair![0]!, (long)pair[1]!))];
        long rank = (long)Math.Ceiling(0.99 * counts.Sum(pair => pair.Count));
        foreach ((int index, long count) in counts)
        {
            rank -= count;
            if (rank <= 0)
            {
                return ValueOf(index) / 1_000.0;
            }
        }

        return 0;
    }

    // Returns the largest value, in ns, that the histogram counts at this index.
    private static long ValueOf(int index)
    {
        int shift = Math.Max(0, (index / StepsPerDoubling) - 1);
        return ((long)(index - (shift * StepsPerDoubling) + 1) << shift) - 1;
    }
}
