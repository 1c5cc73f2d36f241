using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;
using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>
/// What a master says of the cluster and of itself. A scan that sees another view than before could miss keys that went from one master to another.
/// </summary>
/// <param name="Map">Which master has which slots, and since which epoch; never 0.</param>
/// <param name="Run">Its process: after a restart a position of SCAN means another place. Never 0.</param>
/// <param name="HasMovingSlots">Whether keys are on their way from it or to it.</param>
internal readonly record struct MasterView(ulong Map, ulong Run, bool HasMovingSlots)
{
    private const string RunLine = "run_id:";

    // Columns of a line of CLUSTER NODES: id, address, flags, master, ping, pong, epoch, link; then the slots.
    private const int FlagsAt = 2;
    private const int EpochAt = 6;
    private const int SlotsAt = 8;

    /// <summary>Reads the answers of a master.</summary>
    /// <param name="nodes">That of CLUSTER NODES; empty where there is no cluster.</param>
    /// <param name="server">That of INFO server.</param>
    /// <param name="masters">The masters in the order in which they are scanned.</param>
    public static MasterView Read(string nodes, string server, IEnumerable<RedisEndPoint> masters)
    {
        string run = server.Split('\n').FirstOrDefault(static line => line.StartsWith(RunLine, StringComparison.Ordinal)) ?? "";
        List<string> owners = [];
        bool isMoving = false;
        foreach (string line in nodes.Split('\n'))
        {
            string[] words = line.Trim().Split(' ');
            if (words.Length <= SlotsAt)
            {
                continue;
            }

            // Slots in brackets are on their way; a master tells of its own alone.
            isMoving |= words.Skip(SlotsAt).Any(static slots => slots.StartsWith('['));
            if (words[FlagsAt].Split(',').Contains("master"))
            {
                owners.Add(string.Join(' ', words.Skip(SlotsAt).Prepend(words[EpochAt]).Prepend(words[0])));
            }
        }

        string order = nodes.Length == 0 ? "" : string.Join(' ', masters);
        return new MasterView(Digest(string.Join('\n', owners.Order(StringComparer.Ordinal).Append(order))), Digest(run), isMoving);
    }

    private static ulong Digest(string text) => BinaryPrimitives.ReadUInt64LittleEndian(SHA256.HashData(Encoding.UTF8.GetBytes(text))) | 1;
}
