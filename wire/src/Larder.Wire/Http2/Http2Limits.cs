namespace Larder.Wire.Http2;

/// <summary>The limits of one connection, and the effect of reaching each limit.</summary>
internal static class Http2Limits
{
    /// <summary>
    /// The maximum number of concurrent calls, even if the server allows more. It is ten times the 100 calls that the protocol guarantees. Further
    /// calls wait.
    /// </summary>
    public const int MaxStreams = 1_000;

    /// <summary>The maximum number of calls that are waiting for a stream. Further calls fail with RESOURCE_EXHAUSTED.</summary>
    public const int MaxWaiting = 20_000;

    /// <summary>The size of the largest accepted frame, in bytes. It is the minimum that RFC 9113 allows. A larger frame ends the connection.</summary>
    public const int FrameBytes = 16_384;

    /// <summary>The size of one read from the socket, in bytes: sixteen frames of maximum size.</summary>
    public const int ReadBytes = 16 * FrameBytes;

    /// <summary>The number of bytes that may be queued for the socket. Above this number, messages and new calls wait.</summary>
    public const int PendingBytes = 256 * 1024;

    /// <summary>
    /// The number of queued bytes at which the connection ends. Only replies to frames of the server (PING, SETTINGS) can exceed <see cref="PendingBytes"/>.
    /// </summary>
    public const int MaxPendingBytes = 1024 * 1024;

    /// <summary>
    /// The maximum size of a header block, in bytes, both in its encoded form (with its continuations) and in its decoded form. A response's headers take a few
    /// hundred bytes. A larger block ends the connection.
    /// </summary>
    public const int HeaderBytes = 64 * 1024;

    /// <summary>The maximum number of CONTINUATION frames in one block. It also limits empty frames, which the size limit does not count.</summary>
    public const int Continuations = 64;

    /// <summary>
    /// The connection's receive window, in bytes. It is replenished as soon as data arrives, even if no reader has consumed the data. The windows of the
    /// streams limit the data that is waiting for slow readers.
    /// </summary>
    public const int ConnectionWindowBytes = 16 * 1024 * 1024;

    /// <summary>
    /// The maximum number of encoded header blocks that are cached. There is one block for each combination of path and metadata. Further blocks
    /// are not cached.
    /// </summary>
    public const int HeaderBlocks = 1_024;

    /// <summary>The maximum size of a window (RFC 9113, section 6.9.1).</summary>
    public const int LargestWindow = int.MaxValue;
}
