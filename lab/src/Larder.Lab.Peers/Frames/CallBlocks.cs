using System.Text;
using Larder.Harness.Frames;

namespace Larder.Lab.Peers.Frames;

/// <summary>
/// Encodes the header blocks of one client connection (RFC 7541). Uses fields of the static table, literals, and fields of the dynamic table.
/// </summary>
internal sealed class CallBlocks(FrameRandom draw)
{
    // The maximum number of fields in the dynamic table. With about 60 bytes each, they stay within the 4,096 bytes that every server allows.
    private const int MaxIndexed = 20;

    private const byte MethodPost = 0x83;
    private const byte SchemeHttp = 0x86;
    private const int StaticFields = 61;
    private const int Authority = 1;
    private const int Path = 4;
    private const int ContentType = 31;

    private readonly List<(string Name, string Value)> _indexed = [];

    /// <summary>Returns the header block of a call.</summary>
    public byte[] Of(string path)
    {
        List<byte> block = [MethodPost, SchemeHttp];
        Add(block, Path, ":path", path);
        Add(block, Authority, ":authority", "localhost");
        Add(block, ContentType, "content-type", draw.One("application/grpc", "application/grpc+proto"));
        Add(block, 0, "te", "trailers");
        Add(block, 0, "cache", "cache");
        if (draw.Chance(0.5))
        {
            Add(block, 0, "grpc-timeout", draw.One("5S", "100m", "20000m"));
        }

        if (draw.Chance(0.3))
        {
            Add(block, 0, "grpc-accept-encoding", "identity,gzip");
        }

        if (draw.Chance(0.2))
        {
            Add(block, 0, $"x-{draw.Below(5)}", new string('v', draw.Below(100)));
        }

        return [.. block];
    }

    private void Add(List<byte> block, int nameIndex, string name, string value)
    {
        int known = _indexed.IndexOf((name, value));
        if (known >= 0)
        {
            block.Add((byte)(0x80 | (StaticFields + _indexed.Count - known)));
            return;
        }

        bool isIndexed = _indexed.Count < MaxIndexed && draw.Chance(0.5);
        if (isIndexed)
        {
            _indexed.Add((name, value));
        }

        // A field is indexed (0x40), not indexed (0) or never indexed (0x10). The rest of the first byte contains the index of the name. The largest number
        // that fits there, 63 or 15, means that the index continues in the next byte.
        (byte kind, int most) = isIndexed ? ((byte)0x40, 63) : (draw.One<byte>(0, 0x10), 15);
        if (nameIndex < most)
        {
            block.Add((byte)(kind | nameIndex));
        }
        else
        {
            block.AddRange([(byte)(kind | most), (byte)(nameIndex - most)]);
        }

        if (nameIndex == 0)
        {
            AddText(block, name);
        }

        AddText(block, value);
    }

    private static void AddText(List<byte> block, string text) => block.AddRange([(byte)text.Length, .. Encoding.ASCII.GetBytes(text)]);
}
