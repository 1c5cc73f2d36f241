using System.Globalization;

namespace Larder.Lab.Fleet;

/// <summary>What a node says of another, or of itself: a line of CLUSTER NODES.</summary>
/// <param name="Id">Its name.</param>
/// <param name="Port">Its port.</param>
/// <param name="IsMaster">A master, and not known to have failed.</param>
/// <param name="IsFailing">Failed, or about to be taken for failed.</param>
/// <param name="MasterId">Of a replica its master's name; <c>-</c> of a master.</param>
/// <param name="Slots">Its ranges with spaces between, those in motion left out.</param>
internal sealed record ClusterLine(string Id, int Port, bool IsMaster, bool IsFailing, string MasterId, string Slots)
{
    /// <summary>Reads the whole answer.</summary>
    public static IReadOnlyList<ClusterLine> Read(string text) =>
        [.. text.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries).Select(Parse)];

    /// <summary>Whether a slot is in the ranges.</summary>
    public static bool Holds(string slots, int slot) => slots.Split(' ', StringSplitOptions.RemoveEmptyEntries).Any(range =>
    {
        string[] ends = range.Split('-');
        return slot >= Number(ends[0]) && slot <= Number(ends[^1]);
    });

    private static ClusterLine Parse(string line)
    {
        string[] words = line.Split(' ');
        string address = words[1].Split('@')[0];
        string[] flags = words[2].Split(',');
        bool isFailing = flags.Any(flag => flag is "fail" or "fail?");
        return new ClusterLine(
            words[0],
            Number(address[(address.LastIndexOf(':') + 1)..]),
            flags.Contains("master") && !flags.Contains("fail"),
            isFailing,
            words[3],
            string.Join(' ', words[8..].Where(range => !range.StartsWith('['))));
    }

    private static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);
}
