using System.Globalization;

namespace Larder.Lab.Fleet;

/// <summary>One line of the output of CLUSTER NODES: the state of a node as seen by the node that was asked.</summary>
/// <param name="Id">The id of the node.</param>
/// <param name="Port">The port.</param>
/// <param name="IsMaster">Whether the node is a master that is not known to have failed.</param>
/// <param name="IsFailing">Whether the node has failed or is suspected to have failed.</param>
/// <param name="MasterId">For a replica, the id of its master; <c>-</c> for a master.</param>
/// <param name="Slots">The slot ranges of the node, separated by spaces. Slots that are being migrated are omitted.</param>
internal sealed record ClusterLine(string Id, int Port, bool IsMaster, bool IsFailing, string MasterId, string Slots)
{
    /// <summary>Parses the complete output of CLUSTER NODES.</summary>
    public static IReadOnlyList<ClusterLine> Read(string text) =>
        [.. text.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries).Select(Parse)];

    /// <summary>Returns whether the ranges contain a slot.</summary>
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
