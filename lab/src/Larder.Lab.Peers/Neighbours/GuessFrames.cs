using System.Buffers.Binary;
using System.Text;

namespace Larder.Lab.Peers.Neighbours;

/// <summary>Encodes a get with an invalid token as one HTTP/2 frame. Only the stream id and the end of the token differ between calls.</summary>
internal sealed class GuessFrames
{
    private const int HeaderBytes = 9;
    private const byte Headers = 1;
    private const byte EndStreamAndHeaders = 0x05;
    private const int Digits = 8;

    private readonly byte[] _frame;
    private readonly int _digitsAt;

    /// <summary>Creates the frame for calls to a server.</summary>
    public GuessFrames(string authority)
    {
        List<byte> block = [0x83, 0x86];
        Literal(block, ":path", "/cache_client.Scs/Get");
        Literal(block, ":authority", authority);
        Literal(block, "content-type", "application/grpc");
        Literal(block, "te", "trailers");
        Literal(block, "cache", "reference");
        Literal(block, "authorization", "a-guess-of-a-token-of-the-usual-length-" + new string('0', Digits));
        _digitsAt = HeaderBytes + block.Count - Digits;
        _frame = [(byte)(block.Count >> 16), (byte)(block.Count >> 8), (byte)block.Count, Headers, EndStreamAndHeaders, 0, 0, 0, 0, .. block];
    }

    /// <summary>Gets the first bytes of a connection: the preface, SETTINGS, and the acknowledgment of the server's SETTINGS.</summary>
    public static byte[] Opening { get; } = [.. "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"u8, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0];

    /// <summary>Gets the size of one call, in bytes.</summary>
    public int Length => _frame.Length;

    /// <summary>
    /// Writes one call. <paramref name="call"/> is the number of the call on its connection, starting at 0. <paramref name="guess"/> is the number at the end
    /// of the token.
    /// </summary>
    public void Write(Span<byte> into, int call, long guess)
    {
        _frame.CopyTo(into);
        BinaryPrimitives.WriteInt32BigEndian(into[5..], (2 * call) + 1);
        for (int digit = Digits - 1; digit >= 0; digit--, guess /= 10)
        {
            into[_digitsAt + digit] = (byte)('0' + (guess % 10));
        }
    }

    // The header is encoded as "never indexed", so that each call costs the server as much as the first one.
    private static void Literal(List<byte> block, string name, string value)
    {
        block.AddRange([0x10, (byte)name.Length, .. Encoding.ASCII.GetBytes(name), (byte)value.Length, .. Encoding.ASCII.GetBytes(value)]);
    }
}
