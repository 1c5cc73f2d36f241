using System.Buffers.Binary;

namespace Larder.Wire.Tests.Sockets;

/// <summary>Parses the first record of a TLS server (RFC 8446, section 4.1.3).</summary>
internal static class ServerHello
{
    public const ushort PreSharedKey = 41;

    // The total size of the record header, the message header, the version and the random bytes.
    private const int BeforeSession = 5 + 4 + 2 + 32;

    // The total size of three fields: the cipher suite, the compression method and the length of all extensions.
    private const int AfterSession = 2 + 1 + 2;

    /// <summary>Returns the types of the extensions.</summary>
    public static IReadOnlyList<ushort> ExtensionsOf(ReadOnlySpan<byte> record)
    {
        int end = 5 + BinaryPrimitives.ReadUInt16BigEndian(record[3..]);
        List<ushort> types = [];
        for (int at = BeforeSession + 1 + record[BeforeSession] + AfterSession; at < end; at += 4 + BinaryPrimitives.ReadUInt16BigEndian(record[(at + 2)..]))
        {
            types.Add(BinaryPrimitives.ReadUInt16BigEndian(record[at..]));
        }

        return types;
    }
}
