namespace Larder.Wire.Http2;

/// <summary>The bounds of one connection, each with what happens at it.</summary>
internal static class Http2Limits
{
    /// <summary>Calls open at once, whatever more the server allows: ten times the contract's 100. More wait for a place.</summary>
    public const int MostStreams = 1_000;

    /// <summary>Calls that wait for a place. One more is refused with RESOURCE_EXHAUSTED.</summary>
    public const int MostWaiting = 20_000;

    /// <summary>The largest frame taken, RFC 9113's least: a larger one ends the connection.</summary>
    public const int FrameBytes = 16_384;

    /// <summary>One read of the socket: sixteen of the largest frames.</summary>
    public const int ReadBytes = 16 * FrameBytes;

    /// <summary>Bytes gathered for the socket, past which messages and new calls wait until it has taken some.</summary>
    public const int PendingBytes = 256 * 1024;

    /// <summary>
    /// Bytes gathered at which the connection ends: only answers to a server's own frames (pings, settings) can go on past <see cref="PendingBytes"/>.
    /// </summary>
    public const int MostPendingBytes = 1024 * 1024;

    /// <summary>
    /// A header block as sent, its continuations together, and as decoded: an answer's headers are some hundred bytes. A larger one ends the connection.
    /// </summary>
    public const int HeaderBytes = 64 * 1024;

    /// <summary>Continuations of one block, so that empty ones end too.</summary>
    public const int Continuations = 64;

    /// <summary>The connection's window for answers, given back as they arrive; what waits for a slow reader is bounded by its stream's own window.</summary>
    public const int ConnectionWindowBytes = 16 * 1024 * 1024;

    /// <summary>Header blocks kept ready for calls, one for each path and metadata; beyond them a block is encoded for each call.</summary>
    public const int HeaderBlocks = 1_024;

    /// <summary>The largest window there is (RFC 9113, 6.9.1).</summary>
    public const int LargestWindow = int.MaxValue;
}
