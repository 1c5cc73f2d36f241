namespace Larder.Wire.Sockets;

/// <summary>A connection as bytes in both directions. One receive and one send at a time, which may be different threads.</summary>
internal interface IByteTransport : IDisposable
{
    /// <summary>
    /// Receives at least one byte; 0 when the peer has ended its side. Into no room it waits until there is something to receive, and takes none of it.
    /// </summary>
    ValueTask<int> ReceiveAsync(Memory<byte> buffer);

    /// <summary>Sends all of <paramref name="bytes"/>, waiting while the peer is behind.</summary>
    ValueTask SendAsync(ReadOnlyMemory<byte> bytes);

    /// <summary>Says that nothing more will be sent; what was sent still arrives.</summary>
    ValueTask CompleteAsync();

    /// <summary>Ends the connection at once, the peer is told by a reset; what waits on it fails.</summary>
    void Abort();
}
