namespace Larder.Wire.Sockets;

/// <summary>A connection as a stream of bytes in both directions. One receive and one send may be in progress at the same time, on different threads.</summary>
internal interface IByteTransport : IDisposable
{
    /// <summary>
    /// Receives at least one byte. Returns the number of bytes, or 0 if the peer has closed its side. If the buffer is empty, waits until data is available,
    /// and reads no data.
    /// </summary>
    ValueTask<int> ReceiveAsync(Memory<byte> buffer);

    /// <summary>Sends all of <paramref name="bytes"/> and waits while the peer is slow.</summary>
    ValueTask SendAsync(ReadOnlyMemory<byte> bytes);

    /// <summary>Closes the sending side. Data that was already sent is still delivered.</summary>
    ValueTask CompleteAsync();

    /// <summary>Closes the connection immediately with a reset. Pending operations fail.</summary>
    void Abort();
}
