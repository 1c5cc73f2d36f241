using System.Text;
using Larder.Harness.Frames;

namespace Larder.Lab.Peers.Frames;

/// <summary>Random requests of the cache protocol: the path of a call, and a message as a client encodes it. All keys begin with "fuzz".</summary>
internal sealed class CallRequests(FrameRandom draw)
{
    /// <summary>The path of the pipeline.</summary>
    public const string Pipeline = "/larder.v1.Pipeline/Run";

    private const int Get = 4;
    private const int Set = 5;
    private const int Delete = 6;
    private const int Cancel = 7;

    /// <summary>Returns the path and the message of a random call.</summary>
    public (string Path, byte[] Message) Next() => draw.Below(12) switch
    {
        0 => ("/cache_client.Scs/Get", Keyed()),
        1 => ("/cache_client.Scs/Set", Stored()),
        2 => ("/cache_client.Scs/Delete", Keyed()),
        3 => ("/cache_client.Scs/Increment", [.. Keyed(), .. Number(2, 1), .. Number(3, 60_000)]),
        4 => ("/cache_client.Scs/KeysExist", [.. Keyed(), .. Keyed(), .. Keyed()]),
        5 => ("/cache_client.Scs/GetBatch", [.. Bytes(1, Keyed()), .. Bytes(1, Keyed())]),
        6 => ("/cache_client.Scs/SetIfNotExists", Stored()),
        7 => ("/cache_client.Scs/DictionarySet", [.. Keyed("dictionary"), .. Bytes(2, [.. Bytes(1, "f"u8), .. Bytes(2, "v"u8)]), .. Number(3, 60_000)]),
        8 => ("/cache_client.Scs/DictionaryFetch", Keyed("dictionary")),
        9 => ("/cache_client.Scs/SetUnion", [.. Keyed("set"), .. Bytes(2, "e"u8), .. Number(3, 60_000)]),
        10 => ("/cache_client.Ping/Ping", []),
        _ => ("/cache_client.Scs/Nothing", draw.Bytes(draw.Below(20))),
    };

    /// <summary>Returns a message of the pipeline with up to eight calls.</summary>
    public byte[] Batch(ref uint id)
    {
        var batch = new List<byte>();
        for (int calls = 1 + draw.Below(8); calls > 0; calls--)
        {
            byte[] call = draw.Below(6) switch
            {
                0 or 1 => Bytes(Get, Keyed()),
                2 or 3 => Bytes(Set, Stored()),
                4 => Bytes(Delete, Keyed()),
                _ => Bytes(Cancel, Number(1, id)),
            };
            batch.AddRange(Bytes(1, [.. Number(1, ++id), .. Number(3, 5_000), .. call]));
        }

        return [.. batch];
    }

    private byte[] Stored() => [.. Keyed(), .. Bytes(2, draw.Bytes(draw.One(0, 10, 100, 1_000))), .. Number(3, 60_000)];

    private byte[] Keyed(string kind = "") => Bytes(1, Encoding.ASCII.GetBytes($"fuzz-{kind}{draw.Below(100)}"));

    private static byte[] Bytes(int field, ReadOnlySpan<byte> bytes) => [.. Varint(((uint)field << 3) | 2), .. Varint((uint)bytes.Length), .. bytes];

    private static byte[] Number(int field, uint number) => [.. Varint((uint)field << 3), .. Varint(number)];

    private static byte[] Varint(uint number)
    {
        var bytes = new List<byte>(5);
        for (; number >= 0x80; number >>= 7)
        {
            bytes.Add((byte)(number | 0x80));
        }

        return [.. bytes, (byte)number];
    }
}
