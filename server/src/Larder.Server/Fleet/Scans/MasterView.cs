using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;
using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>
/// Two digests that identify the state of a master: one of its view of the cluster, and one of its run ID. If either digest changes during a scan, the scan
/// could miss keys that moved between masters.
/// </summary>
/// <param name="Map">A digest of the slot assignment and its epochs. It is never 0.</param>
/// <param name="Run">A digest of the master's run ID. SCAN cursors are invalid after a restart, which changes the run ID. It is never 0.</param>
/// <param name="HasMovingSlots">Whether slots are being migrated to or from the master.</param>
internal readonly record struct MasterView(ulong Map, ulong Run, bool HasMovingSlots)
{
    private const string RunLine = "run_id:";

    // The columns of a line of CLUSTER NODES are: id, address, flags, master, ping, pong, epoch, link, and then the slots.
    private const int FlagsAt = 2;
    private const int EpochAt = 6;
    private const int SlotsAt = 8;

    /// <summary>Parses the replies of a master.</summary>
    /// <param name="nodes">The reply of CLUSTER NODES; empty if Redis does not run in cluster mode.</param>
    /// <param name="server">The reply of INFO server.</param>
    /// <param name="masters">The masters, in the order in which they are scanned.</param>
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

            // Slots in brackets are being migrated. A master shows only its own migrations.
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
